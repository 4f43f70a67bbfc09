"""A self-grading exam and quiz engine for the attention mechanism.

An item becomes a problem by a seed; a response is read against it; a mark is made; marks add up
to a report. Five folders bear these nouns: items, problems, responses, marking, reports.
"""

__version__ = "0.1.0"
