"""`python -m quizengine` is the same as `quizengine`."""

from quizengine.cli import main

if __name__ == "__main__":
    main()
