"""What is said of a verdict, in sentences; the arrays of the counterexample as a terminal shows them."""

from __future__ import annotations

import numpy as np

from quizengine.checking.call import Argument, Raised
from quizengine.checking.counterexample import Counterexample
from quizengine.checking.fault import fault_text
from quizengine.checking.verdict import Verdict
from quizengine.feedback.sentences import reason_text
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import Quoted, Sentence, shown, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import Reason
from quizengine.render.matrix import matrix_lines


def verdict_lines(verdict: Verdict, catalogue: Catalogue, lang: Lang) -> list[str | Sentence]:
    """The verdict, what gives the function's results and what to do instead, else what is certain of them;
    then the properties that it lacks."""
    out: list[str | Sentence] = [t(lang, f"checked.{verdict.verdict}", probes=verdict.probes)]
    known = [catalogue[id_] for id_ in verdict.misconceptions]
    if known:
        message = "checked.named" if len(known) == 1 else "checked.one-of"
        out.append(t(lang, message, probes=verdict.probes, names=" / ".join(m.name[lang] for m in known)))
    for ids in verdict.possible:
        names = " + ".join(catalogue[id_].name[lang] for id_ in ids)
        out.append(t(lang, "checked.possible", probes=verdict.probes, names=names))
    if verdict.fault is not None and not known:
        out += fault_text(verdict.fault, lang)
    if verdict.stage:
        out.append(t(lang, "checked.stage", stage=name("stage", verdict.stage, lang)))
    out += [_certain(reason, lang) for reason in verdict.observations]
    for lacking in verdict.lacking:
        if verdict.verdict == "right" or lacking.id != "batch":  # which nobody asked for
            detail = {key: Quoted(str(value)) for key, value in lacking.detail.items()}
            out.append(tell(lang, f"lacks.{lacking.id}", **detail))
    return [*out, *(m.remedy[lang] for m in known)]


def _certain(reason: Reason, lang: Lang) -> str:
    if reason.code.startswith("seen."):
        return shown(reason_text(reason, lang))
    values = dict(reason.values)
    if "mask" in values:
        values["mask"] = t(lang, f"masked.{values['mask']}")
    return t(lang, f"certain.{reason.code}", **values)


def counterexample_lines(example: Counterexample, lang: Lang) -> list[str]:
    """What was given, what came of it, and what is right: each with its name above its rows."""
    out = []
    if example.first is not None:
        row, column = example.first
        out.append(t(lang, "checked.first", row=row, column=column))
    for argument, value in example.given.items():
        out += _lines(argument, value)
    if isinstance(example.yours, Raised):
        yours = example.yours
        out.append(t(lang, "checked.raised", kind=yours.kind, message=yours.message))
    else:
        out += _lines(t(lang, "checked.yours"), example.yours)
    return [*out, *_lines(t(lang, "checked.right-result"), example.right)]


def _lines(head: str, value: Argument) -> list[str]:
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return [f"{head} = {value}"]
    array = value.astype(float)
    if not np.isfinite(array).all():
        return [f"{head} =", *(f"  {row}" for row in array.reshape(-1, array.shape[-1]).tolist())]
    return [f"{head} =", *matrix_lines(array if array.ndim > 1 else array[None])]
