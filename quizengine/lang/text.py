"""A text in the languages of the house."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Lang = Literal["en", "ja"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)


class Text(NamedTuple):
    """The same words in English and Japanese; a bank in one language leaves the other empty."""

    en: str = ""
    ja: str = ""

    def __getitem__(self, lang: Lang) -> str:  # type: ignore[override]
        """The text in `lang`, or in the language there is."""
        wanted: str = getattr(self, lang)
        return wanted or self.en or self.ja
