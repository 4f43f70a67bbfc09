"""`progress`: what has been answered so far."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_bank, with_bank, with_data, with_json, with_lang
from quizengine.lang.messages import name, say
from quizengine.marking.mark import rounded
from quizengine.render.terminal import wrapped
from quizengine.reports.tally import Total, tally
from quizengine.sessions.store import Store, data_folder


@click.command()
@with_json
@with_lang
@with_bank
@with_data
def progress(as_json: bool, lang: str | None, bank_path: tuple[str, ...], data_dir: str | None) -> None:
    """Points by topic and mistakes met, over all sessions.

    Example: quizengine progress --json
    """
    screen.prepare()
    store = Store(data_folder(data_dir))
    sessions = list(store.sessions())
    store.close()
    marks = [mark for session in sessions for mark in session.marks]
    topics = tally((m.topic, Fraction(m.credit), m.points) for m in marks)
    whole = tally(("", Fraction(m.credit), m.points) for m in marks).get("", Total())
    met = Counter(id_ for m in marks for id_ in dict.fromkeys(m.misconceptions))
    if as_json:
        screen.json(
            {
                "sessions": len(sessions),
                "answered": whole.count,
                **_sums(whole),
                "topics": {topic: {"answered": t.count, **_sums(t)} for topic, t in topics.items()},
                "misconceptions": dict(met.most_common()),
            }
        )
        return
    chosen = language(lang)
    if not marks:
        screen.say(say(chosen, "progress.none"))
        return
    head = {"answered": whole.count, "sessions": len(sessions)}
    screen.say(say(chosen, "progress.head", **head, **_sums(whole)))
    for topic, total in topics.items():
        screen.say(
            "  "
            + say(
                chosen,
                "progress.topic",
                topic=name("topic", topic, chosen),
                answered=total.count,
                **_sums(total),
            )
        )
    if met:
        catalogue = open_bank(bank_path).catalogue
        names = [catalogue[id_].name[chosen] for id_, _ in met.most_common() if id_ in catalogue]
        screen.say(*wrapped(say(chosen, "progress.met", names=" / ".join(names)), screen.width()))


def _sums(total: Total) -> dict[str, float]:
    return {
        "credit": rounded(total.credit),
        "points": total.points,
        "percent": rounded(total.percent),
    }
