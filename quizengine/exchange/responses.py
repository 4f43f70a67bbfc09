"""Responses: Moodle's report of that name as attempts, whatever language its site speaks.

A line is an attempt; a question is a column with its text, in which its code stands, and one with the
response; random and shuffled questions differ from line to line, so that nothing is known by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError
from quizengine.exchange.boxes import NotTold, answers_in
from quizengine.exchange.stem_code import StemCode, stem_codes
from quizengine.files.cell import text_of
from quizengine.grading.intake.tables import read_sheet
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.problem import Problem
from quizengine.sheets.manifest import Manifest, Sheet

_NUMBERED = re.compile(r"(\D*[^\W\d_])\s*(\d{1,3})")
_TEXTS = {"question", "問題", "frage", "pregunta", "domanda", "vraag", "questão", "题目", "试题", "문제"}
_ANSWERS = {
    *("response", "解答", "回答", "antwort", "réponse", "respuesta", "risposta", "antwoord", "resposta"),
    *("答案", "应答", "응답", "답변"),
}
_IDS = {"id number", "idnumber", "idナンバー", "id-nummer", "número de id", "numero id", "学籍番号"}
_ADDRESSES = {
    *("email address", "email", "メールアドレス", "e-mail-adresse", "adresse de courriel", "e-mail"),
    *("dirección de correo", "dirección email", "indirizzo email", "e-mailadres", "电子邮件地址"),
}
_LOGINS = {"username", "ユーザ名", "ユーザー名", "anmeldename", "nom d’utilisateur", "nombre de usuario"}
_STARTED = {
    *("started", "started on", "開始日時", "開始", "begonnen", "begonnen am", "commencé le", "comenzado"),
    *("comenzado el", "iniziato", "gestart op"),
}
_DASHES = ("-", "–", "—")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_ENGLISH = re.compile(r"(\d{1,2}) ([A-Za-z]+) (\d{4}),? +(\d{1,2}):(\d\d)(?::(\d\d))? *([AaPp][Mm])?")
_JAPANESE = re.compile(r"(\d{4})年 *(\d{1,2})月 *(\d{1,2})日\D*(\d{1,2}):(\d\d)(?::(\d\d))?")


class Slot(NamedTuple):
    """A question of the quiz: the columns of its text and of the response."""

    text: int
    response: int


class Columns(NamedTuple):
    """Which columns are what: those that say who it is, the best first, when it began, and the questions."""

    who: Sequence[int]
    email: int | None
    started: int | None
    slots: Sequence[Slot]


class Taken(NamedTuple):
    """An attempt: whose, on which line, when it began, and question by question the code, the problem, the
    labels of its parts on the sheet of its variant, and the answers by part."""

    line: int
    student: str
    email: str
    began: datetime | None
    questions: Sequence[tuple[StemCode, Sheet, Mapping[str, str]]]


class Responses(NamedTuple):
    """The attempts that were finished, and sentences on all that is not graded."""

    attempts: Sequence[Taken]
    remarks: Sequence[str]


def is_responses(header: Sequence[str]) -> bool:
    """Is this the header of such a report? Its questions are numbered, two or three columns each."""
    numbers = [found[2] for cell in header if (found := _NUMBERED.fullmatch(cell.strip()))]
    named = {found[1].casefold().strip() for cell in header if (found := _NUMBERED.fullmatch(cell.strip()))}
    return bool(named & _ANSWERS) or any(numbers.count(number) in (2, 3) for number in numbers)


def read_responses(path: Path, manifest: Manifest, lang: Lang) -> Responses:
    """The attempts of a report, CSV or XLSX, on questions that were exported with this manifest. Raises
    InputError for a file that is no such report, or without the text of the questions."""
    table = read_sheet(path, is_responses)
    if not is_responses(table.header):
        raise InputError(
            f"{path}: this manifest is of questions that were exported to Moodle: give the quiz’s Responses "
            "report (CSV or XLSX) with the question text and the response ticked",
            code="not-responses",
        )
    rows = [(line, [text_of(cell) for cell in cells]) for line, cells in table.rows]
    columns = _columns(path, table.header, [cells for _, cells in rows])
    reader = _Reader(path, manifest, table.header, columns, lang)
    attempts = [taken for line, cells in rows if (taken := reader.attempt(line, cells))]
    return Responses(attempts, [*reader.remarks, *reader.left_out()])


def _columns(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    """Raises InputError where it is not certain which column is what."""
    names = [" ".join(cell.casefold().split()) for cell in header]
    numbered: dict[str, list[tuple[int, str]]] = {}
    for place, name in enumerate(names):
        if found := _NUMBERED.fullmatch(name):
            numbered.setdefault(found[2], []).append((place, found[1].strip()))
    slots = [_slot(path, header, group) for group in numbered.values()]
    taken = {place for group in numbered.values() for place, _ in group}
    ids, emails, logins, started = (
        [place for place, name in enumerate(names) if name in known and place not in taken]
        for known in (_IDS, _ADDRESSES, _LOGINS, _STARTED)
    )
    who = [*ids, *emails, *logins]
    if not who:
        raise InputError(
            f"{path}:1: no column says who it is: let the report show the ID number or the e-mail address, "
            "and call that column “ID number” or “Email address”",
            code="column",
        )
    full = [place for place in who if all(_cell(cells, place) for cells in rows if any(cells))]
    return Columns(full[:1] or who, emails[0] if emails else None, started[0] if started else None, slots)


def _slot(path: Path, header: Sequence[str], group: Sequence[tuple[int, str]]) -> Slot:
    texts = [place for place, name in group if name in _TEXTS]
    responses = [place for place, name in group if name in _ANSWERS]
    if len(texts) == len(responses) == 1:
        return Slot(texts[0], responses[0])
    if len(group) == 3 and not (texts and responses):  # text, response, right answer, as Moodle orders them
        return Slot(group[0][0], group[1][0])
    named = ", ".join(f"“{header[place]}”" for place, _ in group)
    lacking = "the question text, where the codes stand" if responses else "the question text or the response"
    raise InputError(
        f"{path}:1: of {named} it is not certain which holds {lacking}: download the report again with the "
        "question text, the response and the right answer ticked",
        code="column",
    )


def _cell(cells: Sequence[str], place: int | None) -> str:
    text = cells[place].strip() if place is not None and place < len(cells) else ""
    return "" if text in _DASHES else text


class _Reader:
    """Line by line; `remarks` are sentences on what is not graded."""

    def __init__(self, path: Path, manifest: Manifest, header: Sequence[str], columns: Columns, lang: Lang):
        self.path, self.header, self.columns, self.lang = path, header, columns, lang
        self.sheets = manifest.sheets
        self.places = {who.code: place for place, who in enumerate(manifest.who)}
        self.remarks: list[str] = []
        self.known: dict[str, Sheet] = {}
        self.codeless: dict[str, None] = {}

    def attempt(self, line: int, cells: Sequence[str]) -> Taken | None:
        """An attempt that can be graded; None else, with a remark where somebody is to know of it."""
        who = next((text for place in self.columns.who if (text := _cell(cells, place))), "")
        asked = {place for slot in self.columns.slots for place in slot}
        dashes = sum(cell.strip() in _DASHES for place, cell in enumerate(cells) if place not in asked)
        questions = list(self._questions(line, who, cells))
        if not who:
            if questions:
                self._remark("nobody", line=line)
            return None
        if dashes >= 2:  # neither completed nor a duration
            self._remark("unfinished", line=line, who=who)
            return None
        if not questions:
            self._remark("empty", line=line, who=who)
            return None
        email = _cell(cells, self.columns.email)
        return Taken(line, who, email, _moment(_cell(cells, self.columns.started)), questions)

    def _questions(
        self, line: int, who: str, cells: Sequence[str]
    ) -> Iterator[tuple[StemCode, Sheet, Mapping[str, str]]]:
        for slot in self.columns.slots:
            column = self.header[slot.response]
            codes = stem_codes(_cell(cells, slot.text))
            if not codes and _cell(cells, slot.text):
                self.codeless[column] = None
            if len(codes) > 1:
                self._remark("several", line=line, who=who, column=column)
            if len(codes) != 1:
                continue
            [code] = codes
            problem = self._problem(code)
            if problem is None:
                self._remark("mistyped", line=line, who=who, column=column, code=code)
                continue
            try:
                answers = answers_in(problem, _cell(cells, slot.response))
            except NotTold as error:
                self._remark(error.code, line=line, who=who, column=column, **error.values)
                continue
            yield code, self.known[code.variant], answers

    def _problem(self, code: StemCode) -> Problem | None:
        """The question of this code; None where there is none."""
        if code.variant not in self.known:
            if not code.sound or code.variant not in self.places:
                return None
            self.known[code.variant] = self.sheets[self.places[code.variant]]
        problems = self.known[code.variant].problems
        return problems[code.number - 1] if 1 <= code.number <= len(problems) else None

    def _remark(self, what: str, /, **values: object) -> None:
        self.remarks.append(t(self.lang, f"responses.{what}", path=self.path, **values))

    def left_out(self) -> Iterator[str]:
        """The columns in which a question bore no code."""
        if self.codeless:
            columns = t(self.lang, "rows.between").join(self.codeless)
            yield t(self.lang, "responses.codeless", path=self.path, columns=columns)


def _moment(text: str) -> datetime | None:
    """When it was, as Moodle writes it in English or Japanese, or a workbook holds it; None for other words.

    >>> _moment("30 November 2026  4:40 PM"), _moment("2026年 11月 30日(月曜日) 16:40")
    (datetime.datetime(2026, 11, 30, 16, 40), datetime.datetime(2026, 11, 30, 16, 40))
    """
    try:
        if found := _JAPANESE.fullmatch(text):
            return datetime(*(int(number or 0) for number in found.groups()))  # type: ignore[arg-type]
        if (found := _ENGLISH.fullmatch(text)) and found[2].lower() in _MONTHS:
            hour = int(found[4]) % 12 + 12 * (found[7].lower() == "pm") if found[7] else int(found[4])
            day = (int(found[3]), _MONTHS.index(found[2].lower()) + 1, int(found[1]))
            return datetime(*day, hour, int(found[5]), int(found[6] or 0))
        return datetime.fromisoformat(text)
    except ValueError:
        return None
