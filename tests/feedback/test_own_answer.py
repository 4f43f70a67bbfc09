"""Every kind of account has its sentences, in both languages, and its JSON."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from quizengine.feedback.own_answer import account_json, account_lines
from quizengine.marking.account import Account
from quizengine.marking.mark import Reason

WRONG = Account("output", (1, 2), whole=True, right=False, window=Fraction(101, 10_000))
SLIP = Reason("slip.dot", {"key": 2, "by": "+1"})
UNKNOWN = "No single mistake, no slip"


@pytest.mark.parametrize(
    ("account", "said"),
    [
        (WRONG._replace(right=True), "Right: this is what comes out in the stage “output”."),
        (WRONG._replace(right=True, whole=False), "in the stage “output”, rows 1, 2."),
        (WRONG, UNKNOWN),
        (WRONG._replace(whole=False, rows=(2,)), "Compared with row 2."),
        (WRONG._replace(window=Fraction(0)), "only what is equal counts"),
        (WRONG, "numbers within 0.0101 of each other"),
        (WRONG._replace(misconceptions=("scale-forgotten",), first="scaled"), "begins in the stage “scaled”"),
        (WRONG._replace(misconceptions=("scale-forgotten", "scale-by-dk")), "one of these mistakes"),
        (WRONG._replace(possible=(("scale-forgotten", "mask-ignored"),)), "Possible: two mistakes at once"),
        (WRONG._replace(possible=(("scale-forgotten",),), reasons=(SLIP,)), "and a slip besides"),
        (WRONG._replace(reasons=(Reason("uneven"),)), "some have fewer decimals"),
        (WRONG._replace(searched="nothing"), "too large to look"),
        (WRONG._replace(searched="mistakes"), "in smaller arrays only"),
    ],
)
def test_every_kind_of_account_is_said(account: Account, said: str, bank) -> None:
    english = account_lines(account, bank.catalogue, "en")
    assert said in " ".join(english)
    assert len(account_lines(account, bank.catalogue, "ja")) == len(english)
    assert (UNKNOWN in " ".join(english)) == (not account.explained and account.searched == "all")
    out = json.loads(json.dumps(account_json(account)))
    assert out["verdict"] == ("right" if account.right else "wrong")
    assert out.get("stage", "") == account.first
    assert out.get("searched", "all") == account.searched
