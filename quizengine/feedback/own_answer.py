"""What is said of an answer to somebody's own arrays."""

from __future__ import annotations

from quizengine.feedback.sentences import reason_text
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say_rows, t
from quizengine.lang.quotation import shown
from quizengine.lang.text import Lang
from quizengine.marking.account import Account

EXACT = 1e-8  # what lies nearer is the same number, worked out otherwise

VERDICTS = {  # (right, whole)
    (True, True): "account.right",
    (True, False): "account.right-rows",
    (False, True): "account.wrong",
    (False, False): "account.wrong-rows",
}
LEFT_OUT = {"nothing": "account.searched-nothing", "mistakes": "account.searched-mistakes"}


def account_json(account: Account) -> dict[str, object]:
    """The account as the machine interface shows it; `within` is the tolerance, and `searched` tells what
    alone was looked for in arrays that are large."""
    out: dict[str, object] = {
        "verdict": "right" if account.right else "wrong",
        "misconceptions": list(account.misconceptions),
        "possible": list(map(list, account.possible)),
        "observations": [{"id": reason.code, **reason.values} for reason in account.reasons],
        "rows": list(account.rows),
        "within": float(account.window),
    }
    if account.first:
        out["stage"] = account.first
    if account.searched != "all":
        out["searched"] = account.searched
    return out


def account_lines(account: Account, catalogue: Catalogue, lang: Lang) -> list[str]:
    """Sentences: the verdict, what counts as the same, what gives these numbers, and what to do instead."""
    verdict = VERDICTS[account.right, account.whole]
    out = [t(lang, verdict, stage=account.stage, rows=say_rows(lang, account.rows))]
    if account.window > EXACT:
        out.append(t(lang, "account.within", window=f"{float(account.window):.3g}"))
    else:
        out.append(t(lang, "account.exact"))
    if account.right:
        return out
    known = [catalogue[id_] for id_ in account.misconceptions]
    if len(known) == 1:
        out.append(t(lang, "named.exact", name=known[0].name[lang]))
    elif known:
        out.append(t(lang, "named.one-of", names=" / ".join(m.name[lang] for m in known)))
    for ids in account.possible:
        names = " + ".join(catalogue[id_].name[lang] for id_ in ids)
        out.append(t(lang, "account.possible" if len(ids) > 1 else "account.with-slip", names=names))
    out += [shown(reason_text(reason, lang)) for reason in account.reasons]
    if account.first:
        out.append(t(lang, "account.first", stage=account.first))
    if account.searched != "all":
        out.append(t(lang, LEFT_OUT[account.searched]))
    elif not account.explained:
        out.append(t(lang, "account.unknown"))
    return [*out, *(m.remedy[lang] for m in known)]
