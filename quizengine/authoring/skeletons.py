"""Skeletons: a commented item of every type, which passes `bank check` as it stands."""

from __future__ import annotations

_HEADER = """\
# The questions of one topic. Every text stands in each of the languages below.
format: 1
topic: {topic}
languages: [en, ja]
# level: recall, apply or transfer; difficulty: 1 to 5
defaults: {{level: recall, difficulty: 2, objectives: [A1]}}
items:
"""
_END = """  # explain: a reason or a number, never the key again. Formulae stand between dollars: $QK^T$.
  explain: {en: 'Why it is so.', ja: 'そうなる理由です。'}
  # hints:
  # - {en: 'Where to begin.', ja: '考え始める手がかりです。'}
"""
SKELETONS = {
    "single_choice": """- id: new-{n}
  type: single_choice
  prompt: {{en: 'Question {n}?', ja: '問い {n}'}}
  right:
    key: {{en: 'the key', ja: '正答'}}
  # each wrong one says which misconception it shows (is: an id of `quizengine misconceptions`), or why
  wrong:
    one: {{en: 'a belief', ja: '思い込み', is: qkv-are-one}}
    two: {{en: 'a slip', ja: '誤り', why: {{en: 'What is wrong with it.', ja: 'どこが誤りかを書きます。'}}}}
""",
    "multiple_choice": """- id: new-{n}
  type: multiple_choice
  prompt: {{en: 'What holds, question {n}?', ja: '正しいのはどれですか（問い {n}）。'}}
  right:
    one: {{en: 'the first key', ja: '正答 1'}}
    two: {{en: 'another key', ja: '正答 2'}}
  wrong:
    three: {{en: 'a belief', ja: '思い込み', is: qkv-are-one}}
""",
    "true_false": """- id: new-{n}
  type: true_false
  prompt: {{en: 'Statement {n}.', ja: '主張 {n}。'}}
  right: false
  is: qkv-are-one  # what it shows to answer the other way; may be left out
""",
    "ordering": """- id: new-{n}
  type: ordering
  prompt: {{en: 'Put the steps in order, question {n}.', ja: '手順を順に並べなさい（問い {n}）。'}}
  steps:  # in the right order; they are shuffled when asked
    one: {{en: 'first', ja: '初めの手順'}}
    two: {{en: 'second', ja: '次の手順'}}
    three: {{en: 'third', ja: '最後の手順'}}
  # also_right: [[two, one, three]]
  # wrong:
  # - {{order: [three, two, one], is: order-never-matters}}
""",
    "matching": """- id: new-{n}
  type: matching
  prompt: {{en: 'What belongs together, question {n}?', ja: '対応するものはどれですか（問い {n}）。'}}
  pairs:
    one: [{{en: 'left 1', ja: '左 1'}}, {{en: 'right 1', ja: '右 1'}}]
    two: [{{en: 'left 2', ja: '左 2'}}, {{en: 'right 2', ja: '右 2'}}]
  spare:  # belongs to nothing
    three: {{en: 'right 3', ja: '右 3', is: qkv-are-one}}
""",
    "short_answer": """- id: new-{n}
  type: short_answer
  prompt: {{en: 'Explain, question {n}.', ja: '説明しなさい（問い {n}）。'}}
  ideas:  # a person ticks those that are said; any of an idea's words suggests it
    reason: {{name: {{en: 'the reason', ja: '理由'}}, en: [because, since], ja: [から, ので]}}
  model: {{en: 'Because it is so.', ja: 'そういうものだから。'}}
  # refutations: {{scale-forgotten: {{en: ['without scaling'], ja: ['スケーリングせずに']}}}}  # pointed out
  samples:  # five of each, as learners write them
    right: [{{en: 'Because it is so.', ja: 'そういうものだから。'}}]
    wrong: [{{en: 'It is so.', ja: 'そういうものである。'}}]
""",
    "gaps": """- id: new-{n}
  type: gaps
  prompt: {{en: 'Fill the gaps, question {n}.', ja: '空欄を埋めなさい（問い {n}）。'}}
  code: |
    weights = scores.softmax(dim=__1__)
  gaps:  # __1__, __2__ … in this order; an answer is compared with every spelling by parsing, never run
    axis:
      accept: ['-1', 'dim=-1']
      wrong: {{softmax-columns: ['-2', '0']}}  # by misconception, what shows it; may be left out
""",
    "numeric": """- id: new-{n}
  type: numeric  # prompt, numbers, key, rivals and worked solution come from the family
  family: {{name: causal, n: 6, d_k: 4, d_v: 3}}
  ask: [{{stage: scaled, rows: [4]}}, {{stage: weights, rows: [4]}}, {{stage: output, rows: [4], points: 2}}]
""",
    "answer_and_reason": """- id: new-{n}
  type: answer_and_reason  # marked together: both right
  prompt: {{en: 'Statement {n}.', ja: '主張 {n}。'}}
  right: false  # or answers: {{right: {{…}}, wrong: {{…}}}}, as in a single choice
  is: qkv-are-one  # what it shows to answer the other way; may be left out
  reasons:
    right: {{key: {{en: 'the reason', ja: '理由'}}}}
    wrong:  # share: 1/4 is what a reason earns with the right answer; without it nothing
      one: {{en: 'a belief', ja: '思い込み', is: keys-passed-on}}
      two: {{en: 'a slip', ja: '誤り', why: {{en: 'What is wrong with it.', ja: 'どこが誤りかを書きます。'}}}}
""",
    "estimate": """- id: new-{n}
  type: estimate
  prompt: {{en: 'How large is it, question {n}?', ja: 'どれくらいの大きさですか（問い {n}）。'}}
  value: 40
  factor: 2  # right within it, half the points within its square
  unit: GiB  # may be left out
  # wrong: [{{value: 320, is: cache-query-heads}}]
  check: ['2 * 80 * 8 * 128 * 2 * 131072 / 2^30 = 40']
""",
    "case": """- id: new-{n}
  type: case
  prompt: {{en: 'A situation, number {n}.', ja: 'ある状況（その {n}）。'}}
  questions:  # of any type but numeric, construct and case; explain and points are their own
  - id: first
    type: true_false
    prompt: {{en: 'It is so.', ja: 'そうである。'}}
    right: false
    explain: {{en: 'Why it is not.', ja: 'そうでない理由です。'}}
  - id: second
    type: single_choice
    prompt: {{en: 'What is it then?', ja: 'では、何ですか。'}}
    right: {{key: {{en: 'the key', ja: '正答'}}}}
    wrong: {{one: {{en: 'a belief', ja: '思い込み', is: qkv-are-one}}}}
    explain: {{en: 'Why it is so.', ja: 'そうなる理由です。'}}
""",
    "construct": """- id: new-{n}
  type: construct
  prompt: {{en: 'Give a query that …, question {n}.', ja: '…となるクエリを答えなさい（問い {n}）。'}}
  array: {{name: Q, shape: [1, 2]}}  # a name of `quizengine solve`, or scores, weights, mask
  given: {{K: [[1, 0], [0, 1]]}}
  require:  # each earns an equal share: equals (within: 0.01), at-least, at-most
  - {{stage: weights, at: [1, 2], at-least: 0.9}}
  sample: [[0, 4]]
  # wrong: [{{array: [[4, 0]], is: mask-inverted}}]
""",
}


def header(topic: str) -> str:
    """The head of a new topic file."""
    return _HEADER.format(topic=topic)


def skeleton(type_: str, number: int) -> str:
    """An item of this type, to be filled in."""
    return SKELETONS[type_].format(n=number) + ("" if type_ == "numeric" else _END)
