"""Several classes: every figure of these reports is worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from quizengine.errors import InputError
from quizengine.reports.pool import Offer, PooledItem, pooled
from quizengine.reports.report import report
from quizengine.reports.tally import Cell, ClassTally, Row

PLACE = ("masking.where", "answer")
OFFERS = {
    PLACE: {
        **{text: Offer("key", True, "") for text in ("key", "正答")},
        **{text: Offer("near", False, "near") for text in ("near", "近い")},
        **{text: Offer("far", False, "far") for text in ("far", "遠い")},
    }
}


def entry(**fields: object) -> dict[str, object]:
    plain = {"answers": 10, "facility": 0.5, "discrimination": None, "choices": {}, "right": []}
    return {"item": PLACE[0], "part": PLACE[1], **plain, **fields}


def sums(share: float, rest: float, both: float) -> Mapping[str, float]:
    return {"share": share, "rest": rest, "both": both}


def pool(*entries: dict[str, object], offers: Any = OFFERS) -> PooledItem:
    texts = [(f"{n}.json", json.dumps({"students": n, "items": [one]})) for n, one in enumerate(entries)]
    [found] = pooled(texts, offers)
    return found


def test_facility_is_of_all_answers_and_no_mean_of_means() -> None:
    found = pool(entry(answers=10, facility=0.6), entry(answers=30, facility=0.8))
    assert (found.classes, found.answers) == (2, 40)
    assert found.facility == pytest.approx(30 / 40)


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        pytest.param(
            [entry(deviations=sums(2.4, 40, 4)), entry(deviations=sums(4.8, 50, 8))],
            12 / (7.2 * 90) ** 0.5,
            id="within-classes",
        ),
        pytest.param(
            [entry(discrimination=0.2), entry(answers=30, discrimination=0.4)], 0.35, id="by-answers"
        ),
        pytest.param([entry(deviations=sums(0, 40, 0))], None, id="all-alike"),
        pytest.param([entry(answers=9, deviations=sums(2, 2, 1))], None, id="too-few"),
        pytest.param(
            [
                entry(answers=5, deviations=sums(1, 4, 1)),
                entry(answers=5, deviations=sums(1, 4, 1.4)),
            ],
            2.4 / 4,
            id="few-and-few",
        ),
    ],
)
def test_discrimination(classes: list[dict[str, object]], expected: float | None) -> None:
    assert pool(*classes).discrimination == (expected if expected is None else pytest.approx(expected))


def test_what_the_choices_drew_adds_up_over_languages() -> None:
    one = entry(choices={"key": 6, "near": 3, "far": 1})
    other = entry(choices={"正答": 2, "近い": 7})
    found = pool(one, other)
    assert found.choices == {"near": 10, "key": 8, "far": 1}
    assert (found.right, found.untaken) == (("key",), ())


@pytest.mark.parametrize(
    ("fields", "remarks"),
    [
        pytest.param({"facility": 0.19}, ("hard",), id="hard"),
        pytest.param({"facility": 0.2}, (), id="not-hard"),
        pytest.param({"facility": 0.96}, ("easy",), id="easy"),
        pytest.param({"facility": 0.95}, (), id="not-easy"),
        pytest.param({"discrimination": 0.09}, ("weak",), id="weak"),
        pytest.param({"discrimination": 0.1}, (), id="not-weak"),
        pytest.param({"choices": {"key": 5, "near": 5}}, ("untaken",), id="untaken"),
        pytest.param({"choices": {"key": 5, "near": 4, "far": 1}}, (), id="all-taken"),
        pytest.param({"choices": {"key": 5, "older": 5}}, (), id="worded-anew"),
        pytest.param({"answers": 9, "facility": 0.0, "choices": {"near": 9}}, (), id="too-few"),
    ],
)
def test_what_lies_below_a_line(fields: dict[str, object], remarks: tuple[str, ...]) -> None:
    assert pool(entry(**fields)).remarks == remarks


def test_one_class_is_told_as_its_own_report_tells_it() -> None:
    """What `grade` writes can be read, and a class alone discriminates as it says itself."""
    cells = [(n % 3 > 0, n % 5 > 1, n > 6) for n in range(12)]
    rows = [
        Row(f"s{n}", {(f"i{k}", "x"): Cell(Fraction(hit), 1, "right") for k, hit in enumerate(hits)})
        for n, hits in enumerate(cells)
    ]
    made = report(ClassTally(rows))
    found = pooled([("r.json", json.dumps(made.to_json()))], {})
    for one, item in zip(found, made.items, strict=True):
        assert one.facility == pytest.approx(item.facility)
        assert one.discrimination == pytest.approx(item.discrimination)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param('{"items": [', "r.json:1:12: not JSON", id="cut"),
        pytest.param("[" * 100_000, "r.json: nested too deeply", id="deep"),
        pytest.param("[]", "r.json: not a report of a class: give the report.json", id="list"),
        pytest.param('{"items": [3]}', "r.json: entry 1 of “items” is not as `grade` writes it", id="number"),
        pytest.param(json.dumps({"items": [{"part": "x"}]}), "“item” is missing", id="no-item"),
        pytest.param(json.dumps({"items": [entry(answers=-1)]}), "“answers” is not a count", id="negative"),
        pytest.param(json.dumps({"items": [entry(facility=1.5)]}), "“facility” does not lie", id="above-one"),
        pytest.param(json.dumps({"items": [entry(facility=float("nan"))]}), "is not a number", id="nan"),
        pytest.param(json.dumps({"items": [entry(facility=None)]}), "“facility” is there just", id="none"),
        pytest.param(json.dumps({"items": [entry(choices={"a": 11})]}), "more choices", id="too-many"),
        pytest.param(json.dumps({"items": [entry(), entry()]}), "masking.where/answer twice", id="twice"),
    ],
)
def test_what_is_no_report_is_said(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("[", r"\[")):
        pooled([("r.json", text)], {})


def test_a_class_counts_once() -> None:
    text = json.dumps({"students": 1, "items": [entry()]})
    with pytest.raises(InputError, match=r"copy.json is the same report as r.json: give each class once"):
        pooled([("r.json", text), ("copy.json", text)], {})
