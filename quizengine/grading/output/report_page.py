"""The page of a report: how a class did, and what to teach again first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quizengine.lang.characters import cells
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.problems.problem import Problem, Rival
from quizengine.render.blocks import printed_key
from quizengine.render.page import Data, matrices, paragraphs, problem_page, words
from quizengine.render.svg import bars, histogram
from quizengine.render.terminal import plain_text
from quizengine.reports.report import (
    FEW,
    FunctionReport,
    GroupReport,
    ItemStatistics,
    MisconceptionCount,
    ObservationCount,
    Report,
)
from quizengine.reports.tally import Place
from quizengine.sheets.manifest import Manifest

CLASSES = 10  # of the histogram
SHOWN = 15  # misconceptions drawn
COMMONEST = 3  # misconceptions of a group
NAMED = 60  # students, whose ids stand in the page; report.json has all
_SPOKEN = (
    *(
        "report.scores",
        "report.teach-first",
        "report.instead",
        "report.example",
        "report.map",
        "report.no-map",
    ),
    *("report.misconception", "report.students", "report.who", "report.place", "report.items", "report.item"),
    *(
        "report.answers",
        "report.facility",
        "report.discrimination",
        "report.look",
        "report.choices",
        "report.observations",
        "report.possible",
        "report.groups",
        "report.group",
        "report.mean",
        "report.lowest",
        "report.highest",
        "report.common",
        "report.functions",
    ),
)


def report_page(report: Report, manifest: Manifest, lang: Lang) -> Data:
    """The data of the page that `render.html.report_html` makes."""
    names, items = part_names(report), items_in_order(report, manifest)
    percents, title = report.percents, manifest.heading.title[lang] or t(lang, "sheet.title")
    mean = sum(percents) / max(len(percents), 1)
    return {
        "lang": lang,
        "title": t(lang, "report.title", title=title),
        "summary": t(lang, "report.summary", students=report.students, mean=f"{mean:.1f}"),
        "few": t(lang, "report.few", few=FEW) if report.students < FEW else "",
        "words": words(lang, *_SPOKEN),
        "histogram": _histogram(percents, lang),
        "reliability": reliability_text(report, lang),
        "map": [_misconception(one, manifest, names, lang) for one in report.misconceptions],
        "map_bars": _map_bars(report, manifest, lang),
        "item_bars": bars(
            [
                (names[i.place], i.facility, f"{100 * i.facility:.0f} %")
                for i in items
                if i.facility is not None
            ],
            t(lang, "report.facility"),
        ),
        "item_rows": [_item(item, names, lang) for item in items],
        "choices": [_choices(item, names, lang) for item in items if item.choices],
        "observations": [_line(one, one.what.text(lang), names, lang) for one in report.observations],
        "group_labels": [label for label in manifest.labels if label in report.labels],
        "groups": [_group(group, report, manifest, lang) for group in report.groups],
        "functions": [_function(one, lang) for one in report.functions],
        "possible": [_line(one, _name(one.id, manifest, lang), names, lang) for one in report.possible],
        "teach": _teach(report, manifest, lang),
    }


def group_name(group: GroupReport, lang: Lang) -> str:
    """What a group is called."""
    return group.name or t(lang, "report.no-group")


def _group(group: GroupReport, report: Report, manifest: Manifest, lang: Lang) -> Data:
    """How a group did, label by label, and its commonest mistakes."""
    shares = [group.labels.get(label) for label in manifest.labels if label in report.labels]
    common = group.misconceptions[:COMMONEST]
    return {
        "name": group_name(group, lang),
        "students": len(group.percents),
        "spread": [f"{float(p):.0f}\u00a0%" for p in (group.mean, group.percents[0], group.percents[-1])],
        "shares": [f"{float(total.percent):.0f}\u00a0%" if total else "–" for total in shares],
        "common": "; ".join(f"{_name(id_, manifest, lang)} ({n})" for id_, n in common),
    }


def _function(one: FunctionReport, lang: Lang) -> Data:
    """How the functions of a task are, and the mistakes in them."""
    right, ungraded = one.verdicts["right"], one.verdicts["ungraded"]
    told = [
        name("task", one.task, lang),
        t(lang, "check.class", count=sum(one.verdicts.values()), right=right),
    ]
    told += [t(lang, "check.class-ungraded", count=ungraded)] if ungraded else []
    return {
        "task": one.task,
        "told": [paragraphs(line)[0] for line in told],
        "map": [
            {"name": plain_text(called[lang]), "count": len(who), "students": _named(who)}
            for _, called, who in one.misconceptions
        ],
    }


def _named(students: Sequence[str]) -> str:
    """Their ids, as many as stand in the page."""
    return ", ".join(students[:NAMED]) + (", …" if len(students) > NAMED else "")


def part_names(report: Report) -> Mapping[Place, str]:
    """What a part is called: its label, where all sheets ask the same, and its item."""
    return {
        place: f"{labels[0]}  {place[0]}" if len(labels) == 1 else " ".join(place)
        for place, labels in report.places.items()
    }


def items_in_order(report: Report, manifest: Manifest) -> list[ItemStatistics]:
    """The items as they stand on the sheets, by the first label they bear."""
    order = {label: number for number, label in enumerate(manifest.labels)}
    return sorted(report.items, key=lambda item: min(order[label] for label in report.places[item.place]))


def _choices(item: ItemStatistics, names: Mapping[Place, str], lang: Lang) -> Data:
    """How many chose what."""
    people = t(lang, "report.people")
    return {
        "name": names[item.place],
        "choices": [
            {
                "text": paragraphs(text)[0],
                "right": text in item.right,
                "count": f"{n} {people} ({100 * n / item.answers:.0f}\u00a0%)",
            }
            for text, n in item.choices.items()
        ],
    }


def _histogram(percents: Sequence[float], lang: Lang) -> str:
    counts = [0] * CLASSES
    for percent in percents:
        counts[min(int(percent * CLASSES / 100), CLASSES - 1)] += 1
    labels = [f"{i * 100 // CLASSES}–{(i + 1) * 100 // CLASSES}" for i in range(CLASSES)]
    return histogram(counts, labels, t(lang, "report.scores"))


def reliability_text(report: Report, lang: Lang) -> str:
    """How far the sum of the points can be trusted, in words."""
    if report.alpha is None or report.interval is None:
        return t(lang, "report.no-alpha")
    low, high = report.interval
    values = {
        name: f"{x:.2f}".replace("-", "−")
        for name, x in zip(("alpha", "low", "high"), (report.alpha, low, high), strict=True)
    }
    error = "" if report.error is None else t(lang, "report.error", error=f"{report.error:.1f}")
    return t(lang, "report.alpha", **values) + error


def _name(id_: str, manifest: Manifest, lang: Lang) -> str:
    return plain_text(manifest.misconceptions[id_].name[lang]) if id_ in manifest.misconceptions else id_


def _where(places: Mapping[Place, int], names: Mapping[Place, str]) -> str:
    return "; ".join(f"{names[place]} ({n})" for place, n in places.items())


def _line(
    one: MisconceptionCount | ObservationCount, what: str, names: Mapping[Place, str], lang: Lang
) -> str:
    """How many showed what, and where."""
    places = _where(one.places, names)
    return t(lang, "report.observation", count=len(one.students), what=what, places=places)


def _misconception(
    one: MisconceptionCount, manifest: Manifest, names: Mapping[Place, str], lang: Lang
) -> Data:
    return {
        "name": _name(one.id, manifest, lang),
        "count": len(one.students),
        "students": _named(one.students),
        "places": _where(one.places, names),
    }


def _map_bars(report: Report, manifest: Manifest, lang: Lang) -> str:
    rows = []
    for one in report.misconceptions[:SHOWN]:
        rows.append(
            (
                shortened(_name(one.id, manifest, lang), 48),
                len(one.students) / max(report.students, 1),
                str(len(one.students)),
            )
        )
    return bars(rows, t(lang, "report.map"))


def shortened(text: str, width: int) -> str:
    """No wider than so many cells.

    >>> shortened("a long name", 6), shortened("マスクなし", 6)
    ('a lon…', 'マス…')
    """
    if cells(text) <= width:
        return text
    while cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _item(item: ItemStatistics, names: Mapping[Place, str], lang: Lang) -> Data:
    return {
        "name": names[item.place],
        "answers": item.answers,
        "facility": "–" if item.facility is None else f"{100 * item.facility:.0f}\u00a0%",
        "discrimination": "–"
        if item.discrimination is None
        else f"{item.discrimination:.2f}".replace("-", "−"),
        "remarks": " ".join(t(lang, f"remark.{code}") for code in item.remarks),
    }


def _teach(report: Report, manifest: Manifest, lang: Lang) -> Data | None:
    """The misconception of the most students, from two on, with an example for the board."""
    known = [
        one for one in report.misconceptions if one.id in manifest.misconceptions and len(one.students) > 1
    ]
    if not known:
        return None
    top = known[0]
    entry = manifest.misconceptions[top.id]
    share = {"count": len(top.students), "students": report.students}
    out: Data = {
        "name": _name(top.id, manifest, lang),
        "share": t(lang, "report.share", **share, percent=f"{100 * len(top.students) / report.students:.0f}"),
        "looks": plain_text(entry.looks[lang]),
        "remedy": plain_text(entry.remedy[lang]),
        "prompt": [],
    }
    for problem in _examples(manifest, lang):
        for rival in problem.rivals:
            if rival.misconception == top.id and problem.worked:
                return out | _example(problem, rival, lang)
    return out


def _examples(manifest: Manifest, lang: Lang) -> Iterator[Problem]:
    """The problems of the first sheet, those with numbers first."""
    problems = manifest.sheets[0].in_language(lang)
    yield from sorted(problems, key=lambda problem: problem.type != "numeric")


def _example(problem: Problem, rival: Rival, lang: Lang) -> Data:
    page = problem_page(problem, 1, {part.id: part.id for part in problem.parts})
    shown = []
    for part in problem.parts:
        if part.id in rival.values and rival.values[part.id] != part.key:
            shown.append(f"{plain_text(part.prompt)}: {printed_key(part, rival.values[part.id])}")
    return {
        "prompt": page["prompt"],
        "matrices": matrices(problem),
        "worked": [line for text in problem.worked for line in paragraphs(text)],
        "rival": t(lang, "report.rival", values="; ".join(shown)),
    }
