"""A self-grading exam and quiz engine for the attention mechanism.

An item becomes a problem by a seed; a response is read against it; a mark is made, and feedback says
it; marks add up to a report. A folder bears each of these nouns.

Most words here are those of assessment and of the field. These few are ours:

stage        one line of a table of attention, named as in a textbook: scores, scaled, weights, output …
patch        a misconception that can be computed: other rules for one or more stages of a table.
world        one way to solve a table: by a patch, or from a learner's own values; all are solved at once.
family       a kind of numeric problem: how its numbers are drawn, what may be asked, how it is worked out.
variant      a draw of a family, by one seed, that is proved fair: no wrong method passes for another.
posing       making a problem from an item and a seed; its version changes when seeds pose other ones.
sealed       a number fixed once as an integer of 10⁻⁹, so that a key is the same on every machine.
rival        what a believer of one misconception answers to a problem, part by part.
class        misconceptions that answer a part alike whatever the numbers are, and so are named together.
live         an entry that neither the mask nor the question gives away: only such entries earn anything.
stock        an answer that needs no work: zeros, one value throughout, a copy of what is given.
carried      a part that follows from the learner's own earlier numbers: the error is not fined again.
probe        a call of a learner's function whose right result tells all ways of computing attention apart.
observation  what an unexplained answer shows of itself, such as a row's sum; it never changes a mark.
"""

__version__ = "0.1.0"
