"""Messages in English on a learner's code: what does not fit the contract, and what became of a call."""

MESSAGES: dict[str, str] = {
    "check.line": "line {line}",
    "check.column": "line {line}, character {column}",
    "check.cell": "cell {cell}, {place}",
    "check.raised": "It stops with {kind} in {place}: {message}",
    "check.raised-anywhere": "It stops with {kind}: {message}",
    "check.raised-text": "That line reads: {text}",
    # the file
    "check.long-file": "The file is longer than 4 MB: hand in the function alone.",
    "check.not-python": "Python cannot read the file: {why}.",
    "check.not-notebook": "The notebook cannot be read ({why}): save it again in Jupyter.",
    "check.syntax": "Python cannot read {place}: {why}. That line reads: {text}",
    "check.no-module": "The module {module}, which {place} imports, is not to be had here. Install it into the Python that runs quizengine, keep all code in the one file, or write the function with NumPy alone.",
    "check.nothing": "The file defines no function. Write one with “def”, or a class with a method “forward”.",
    "check.no-function": "The file does not define {function}; it defines: {names}.",
    "check.which": "Several functions could be meant: {names}. Say which one: FILE:FUNCTION.",
    "check.init": "No {name} can be made without arguments ({why}). Give the parameters of its constructor default values, or write a function.",
    "check.too-long-load": "The file itself was still running after {seconds} seconds, before the function was ever called. Put what does not belong to the function under “if __name__ == '__main__':”.",
    # a call
    "check.signature": "The function takes {takes}, but it is called with ({given}), in this order.",
    "check.input": "In {place} it waits for somebody to type. All it needs is in its arguments: take input() out.",
    "check.too-long": "It was still running after {seconds} seconds. Is there a loop that never ends?",
    "check.died": "Its process ended without returning anything: the code leaves Python, takes more memory than there is, or crashes a compiled library.",
    "check.disk": "It was stopped because it kept writing files: more than {most} MB.",
    "check.wire": "It interfered with the channel that carries results, so none of them is believed. Write nothing to files that your code has not opened.",
    # what is returned
    "check.returned-nothing": "It returns nothing (None). Is the “return” at its end missing?",
    "check.not-an-array": "It returns something that is no array of real numbers: {kind}.",
    "check.ragged": "It returns rows of different lengths, which make no matrix.",
    "check.too-many": "It returns {count} arrays. Return the output, the output and the weights, or a dict of stages by name.",
    "check.not-named": "It returns a dict whose keys are no names but of type {kind}. Call the stages “scores”, “weights”, “output”.",
    "check.too-large": "It returns more than 128 MB, for arguments of a few numbers.",
}
