"""Numbers as learners type them: decimals, exponents, fractions, percent; other exact forms are read in
`exact`. Exact, never a float."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from quizengine.lang.characters import plain
from quizengine.responses.exact import MAX_EXPONENT, MAX_VALUE, SUPERSCRIPTS, read_exact
from quizengine.responses.response import MAX_DENOMINATOR, MINUS_INFINITY, CannotRead, Number

MAX_LENGTH, SEALED_PLACES = 120, 9
PLAIN = re.compile(r"(-)?([0-9]{1,12})(?:\.([0-9]{0,9}))?")
_DECIMAL = re.compile(r"([-+]?)\s*(\d*)(?:[.](\d*))?(?:[eE]([-+]?\d{1,4}))?\s*(%?)")
_FRACTION = re.compile(r"([-+]?)\s*(\d+)\s*/\s*(\d+)")
_INFINITE = re.compile(r"-\s*(?:(?:np\.|math\.|torch\.)?inf(?:inity)?|∞|\\infty)", re.IGNORECASE)
_SCIENTIFIC = re.compile(
    r"([-+]?(?:\d+(?:\.\d*)?|\.\d+))\s*(?:[x*·⋅]|\\times|\\cdot)\s*10\s*"
    r"(?:(?:\^|\*\*)\s*(?:\(([-+]?\d{1,4})\)|\{([-+]?\d{1,4})\}|([-+]?\d{1,4}))|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
)
_EQUALS = re.compile(r"=\s*(?:[≈≒≃≅~約]|\\approx)?|[≈≒≃≅~約]|\\approx")
_NAMED = re.compile(r"[^\W\d](?:[\w'′^*]|\\_|[\[({][\w, :]*[\])}])*")
_COLON = re.compile(rf"{_NAMED.pattern}\s*:")
_GOES_ON = re.compile(r"([-+]?\d*[.,]\d+)\s*(?:…+|⋯|\.{3,})")  # its digits are what counts
_UNIT = re.compile(r"(.*?[^\s*x])\s*([^\s\d(){}/^.,%+]+)")
_WRAPPED = re.compile(r"\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\]")
_COMMA = re.compile(r"\d[\d,]*,\d+")
_WHOLE = re.compile(r"[-+]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)")
_POINT = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")  # where a whole number is asked it may part thousands
_GROUPS = tuple(  # thousands parted so that no other reading is left: (groups, the point)
    (
        re.compile(rf"[-+]?\d{{1,3}}(?:(?:{part}\d{{3}}){{2,}}(?:{point}\d*)?|(?:{part}\d{{3}})+{point}\d+)"),
        part,
    )
    for part, point in ((",", r"\."), (r"\.", ","), (" ", "[.,]"))
)


def read_number(
    text: str,
    at: int = 0,
    *,
    whole: bool = False,
    alone: bool = True,
    infinite: bool = False,
    units: Mapping[str, tuple[int, ...]] = {},
) -> Number:
    """The number that `text` writes; `at` is where it stands in the whole answer. Where a `whole`
    number is asked, commas or blanks between groups of three can only part thousands. `alone`: it is no
    cell of an array, so that “1 1/2” is one number. `infinite`: −∞ may be meant. Of the `units` one may
    stand behind it.

    Raises CannotRead, which names the character.

    >>> read_number("−０．１２５")
    Number(units=-125000000, decimals=3)
    >>> read_number("1/3").value, read_number("0,25").decimals
    (Fraction(1, 3), 2)
    """
    if (match := PLAIN.fullmatch(text)) and not (
        whole and match[3] and _POINT.fullmatch(text)
    ):  # most answers, by far
        return plain_number(*match.groups(""))
    typed, at = _unwrapped(*_unnamed(*_bare(text, at), shown=text.strip()))
    if (
        units
        and (match := _UNIT.fullmatch(typed))
        and (sizes := units.get(match[2]) or units.get(match[2].lower()))
    ):
        number = read_number(match[1], at, whole=whole)
        return _counted(number, sizes, text.strip(), at)
    if match := _GOES_ON.fullmatch(typed):
        typed = match[1]
    if whole and _POINT.fullmatch(typed):
        raise CannotRead("comma", at, text=text.strip(), point=typed, none=typed.replace(".", ""))
    if _INFINITE.fullmatch(typed):
        if infinite:
            return MINUS_INFINITY
        raise CannotRead("infinite", at, text=text.strip())
    return _number(typed, at, text.strip(), whole=whole, alone=alone)


def _number(typed: str, at: int, shown: str, *, whole: bool, alone: bool) -> Number:
    if "," in typed or " " in typed or typed.count(".") > 1:
        typed = _pointed(typed, at, whole=whole, alone=alone)
    if match := _FRACTION.fullmatch(typed):
        if not int(match[3]):
            raise CannotRead("zero-denominator", at, text=shown)
        return _checked(Fraction(int(match[1] + match[2]), int(match[3])), None, at)
    if match := _SCIENTIFIC.fullmatch(typed):
        power = next(filter(None, match.groups()[1:]))
        typed = f"{match[1]}e{power.translate(SUPERSCRIPTS)}"
    if (match := _DECIMAL.fullmatch(typed)) and (match[2] or match[3]):
        return _checked(*_decimal(match, at), at)
    return _checked(_exact(typed, shown, at, alone=alone), None, at)


def plain_number(sign: str, whole: str, after: str) -> Number:
    """The number of the groups of PLAIN."""
    units = int(whole + after) * 10 ** (SEALED_PLACES - len(after))
    return Number(-units if sign else units, len(after))


def _bare(text: str, at: int) -> tuple[str, int]:
    """The text in plain characters without $…$ around it, and where that stands."""
    if "、" in text:  # it parts things; it is no decimal comma
        raise CannotRead("number", at + text.index("、"), text=text.strip(), character="、")
    at += len(text) - len(text.lstrip())
    typed = plain(text.replace("×", "*")).strip()
    if len(typed) > MAX_LENGTH:
        raise CannotRead("too-long", at, limit=MAX_LENGTH)
    return _unwrapped(typed, at)


def _unwrapped(typed: str, at: int) -> tuple[str, int]:
    if match := _WRAPPED.fullmatch(typed):
        inner = next(filter(None, ((match[1] or "").strip("$"), *match.groups()[1:])), "")
        at, typed = at + typed.index(inner), inner.strip()
    return typed, at


def _unnamed(typed: str, at: int, *, shown: str) -> tuple[str, int]:
    """What stands behind “x =”, “answer:” or “≈”, and where. What has numbers on both sides, such as
    1/3 = 0.33, can be either of them."""
    if match := _COLON.match(typed):
        at, typed = at + match.end(), typed[match.end() :]
    signs = list(_EQUALS.finditer(typed))
    if not signs:
        return _stripped(typed, at)
    body, place = _stripped(typed[signs[-1].end() :], at + signs[-1].end())
    start = 0
    for sign in signs:
        if not body or start == sign.start() > 0:
            raise CannotRead("number", at + sign.start(), text=shown, character=sign[0][:1])
        head, where = _stripped(typed[start : sign.start()], at + start)
        if head:
            _check_name(head, where, body, shown)
        start = sign.end()
    return body, place


def _check_name(head: str, at: int, body: str, shown: str) -> None:
    """Raises CannotRead unless it is a name, which says nothing of the value."""
    try:
        read_number(head, at)
    except CannotRead:
        if _NAMED.fullmatch(head):
            return
        raise
    raise CannotRead("comma", at, text=shown, point=head, none=body)


def _stripped(typed: str, at: int) -> tuple[str, int]:
    return typed.strip(), at + len(typed) - len(typed.lstrip())


def _counted(number: Number, sizes: tuple[int, ...], shown: str, at: int) -> Number:
    """So many of a unit; a unit of two sizes is refused with both."""
    if len(sizes) > 1:
        values = [str((number.value * size).limit_denominator(MAX_DENOMINATOR)) for size in sizes]
        raise CannotRead("comma", at, text=shown, point=values[0], none=values[1])
    [size] = sizes
    return number if size == 1 else _checked(number.value * size, None, at)


def _pointed(typed: str, at: int, *, whole: bool, alone: bool) -> str:
    """The text with its decimal comma as a point, and without what parts thousands. `alone`: the number
    stands by itself, so that a blank cannot part two cells."""
    if whole and alone and _WHOLE.fullmatch(typed):
        return typed.replace(",", "").replace(" ", "")
    for groups, part in _GROUPS:
        if (alone or part == ",") and groups.fullmatch(typed):
            return typed.replace(part.strip("\\") or " ", "").replace(",", ".")
    if "." in typed:
        return typed
    for match in _COMMA.finditer(typed):
        before, _, decimals = match.group().partition(",")
        if len(decimals) == 3 and len(before) <= 3 and before[0] != "0":
            readings = {
                name: typed[: match.start()] + before + comma + decimals + typed[match.end() :]
                for name, comma in (("point", "."), ("none", ""))
            }
            raise CannotRead("comma", at + match.start(), text=typed, **readings)
        if "," in decimals:
            return typed
    return _COMMA.sub(lambda match: match.group().replace(",", "."), typed)


def _exact(typed: str, shown: str, at: int, *, alone: bool) -> Fraction:
    def refuse(place: int) -> CannotRead:
        place = max(0, min(place, len(typed) - 1))
        own = shown if len(shown) == len(typed) else typed or shown  # as it was typed, where places agree
        return CannotRead("number", place, character=own[place : place + 1])

    try:
        return read_exact(typed, refuse, mixed=alone)
    except CannotRead as cannot:
        code, place, values = cannot.reading
        raise CannotRead(code, at + place, **{"text": shown, **values}) from None


def _decimal(match: re.Match[str], at: int) -> tuple[Fraction, int]:
    sign, whole, after, exponent, percent = match.groups()
    power = int(exponent or 0)
    if abs(power) > MAX_EXPONENT:
        raise CannotRead("too-large", at)
    digits = Fraction(int(sign + (whole or "0") + (after or "")), 10 ** len(after or ""))
    value = digits * Fraction(10) ** power
    if percent:
        return value / 100, len(after or "") - power + 2
    return value, max(0, len(after or "") - power)


def _checked(value: Fraction, decimals: int | None, at: int) -> Number:
    if abs(value) > MAX_VALUE:
        raise CannotRead("too-large", at)
    return Number.of(value, decimals)
