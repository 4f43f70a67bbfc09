"""The catalogue of misconceptions: one list for concept distractors and numeric rivals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from quizengine.lang.json import Json
from quizengine.lang.text import Text

if TYPE_CHECKING:
    from quizengine.items import fields, form

Kind = Literal["patch", "numeric", "cost", "concept"]


class Misconception(NamedTuple):
    """A known wrong idea: its name, how it looks, what to do instead, and where it was seen.

    `stages` are those it strikes; without every `premise` (a feature of a problem: causal,
    padding, …) it is not tried; `aliases` give the same numbers in some stage and are named
    together with it; `benign` are right ways that look like it.
    """

    id: str
    kind: Kind
    name: Text
    looks: Text
    remedy: Text
    stages: tuple[str, ...] = ()
    premise: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    benign: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    file: str = ""
    line: int = 0

    def to_json(self) -> dict[str, Json]:
        """The entry as the machine interface shows it; where it stands in its file is not told."""
        return {
            "id": self.id,
            "kind": self.kind,
            "name": {"en": self.name.en, "ja": self.name.ja},
            "looks": {"en": self.looks.en, "ja": self.looks.ja},
            "remedy": {"en": self.remedy.en, "ja": self.remedy.ja},
            "stages": list(self.stages),
            "premise": list(self.premise),
            "aliases": list(self.aliases),
            "benign": list(self.benign),
            "source": list(self.source),
        }


Catalogue = Mapping[str, Misconception]


def build(id_: str, data: form.CatalogueEntry) -> Misconception:
    """A Misconception from a checked entry of `misconceptions.yaml`."""
    return Misconception(
        id_,
        data["kind"],
        name=_text(data["name"]),
        looks=_text(data["looks"]),
        remedy=_text(data["remedy"]),
        stages=tuple(data.get("stages", ())),
        premise=tuple(data.get("premise", ())),
        aliases=tuple(data.get("aliases", ())),
        benign=tuple(data.get("benign", ())),
        source=tuple(data.get("source", ())),
        file=data.get("file", ""),
        line=data.get("line", 0),
    )


def _text(words: fields.AnyWords) -> Text:
    return Text(words.get("en", ""), words.get("ja", ""))
