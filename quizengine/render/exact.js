"use strict";
// Exact forms of a number, as the grader reads them (responses/exact.py): powers, roots, logarithms, mixed
// numbers, LaTeX. What is rational is exact; the rest is a double. One corpus is run through both readers.

class Refused extends Error {
  constructor(code, at = 0, values = {}) {
    super(code);
    Object.assign(this, { code, at, values });
  }
}

// Fractions, in lowest terms.
const size = (n) => (n < 0n ? -n : n);
const Q = (n, d = 1n) => {
  let [a, b] = [size(n), size(d)];
  while (b) [a, b] = [b, a % b];
  const by = a && d < 0n ? -a : a || 1n;
  return { n: n / by, d: d / by };
};
const plus = (a, b) => Q(a.n * b.d + b.n * a.d, a.d * b.d);
const times = (a, b) => Q(a.n * b.n, a.d * b.d);
const over = (a, b) => Q(a.n * b.d, a.d * b.n);
const minus = (a) => ({ n: -a.n, d: a.d });
const ten = (power) => (power < 0 ? Q(1n, 10n ** BigInt(-power)) : Q(10n ** BigInt(power)));
const same = (a, b) => a.n === b.n && a.d === b.d;
const beyond = (a, limit) => size(a.n) > limit * a.d;
const bits = (n) => (n ? size(n).toString(2).length : 0);
const float = ({ n, d }) => {
  const cut = BigInt(Math.max(0, Math.min(bits(n), bits(d)) - 500));
  return Number(n >> cut) / Number(d >> cut);
};
// A double as a decimal of 50 digits: as long as the grader's, so that the same powers are too large.
const near = (x) => {
  let d = 1n;
  const scale = ten(49 - Math.floor(Math.log10(Math.abs(x) || 1)));
  for (; !Number.isInteger(x); d *= 2n) x *= 2;
  const { n, d: by } = times(Q(BigInt(x), d), scale);
  return over(Q(n / by), scale);
};
const said = (q) => (q.d === 1n ? `${q.n}` : `${q.n}/${q.d}`);
const isqrt = (n) => {
  if (n < 2n) return n;
  let x = 1n << BigInt((bits(n) + 1) >> 1);
  for (let y; (y = (x + n / x) >> 1n) < x; ) x = y;
  return x;
};
const decimal = (text) => {
  const [, sign, whole, after, power] = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text);
  const digits = Q(BigInt(whole + (after ?? "") || 0));
  return times(sign === "-" ? minus(digits) : digits, ten(Number(power ?? 0) - (after ?? "").length));
};

// Plain characters, one for one: a place in the plain text is the place in the text as typed.
const MINUS = "-−‐‑‒–—﹣－ー";
const SIGNS = { "、": ",", "。": ".", "｡": ".", "٫": ".", "・": " ", "⁄": "/", "∕": "/", "÷": "/", "×": "x" };
const digit = (c) => {
  let place = 0;
  for (let at = c.codePointAt(0) - 1; /\p{Nd}/u.test(String.fromCodePoint(at)); at--) place++;
  return String(place % 10);
};
const sign = (c) => {
  const code = c.codePointAt(0);
  if (MINUS.includes(c)) return "-";
  if (SIGNS[c]) return SIGNS[c];
  if (code > 0xff00 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (/[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/.test(c)) return " ";
  if (code > 127 && /\p{Nd}/u.test(c)) return digit(c);
  return c.length > 1 ? "\ufffd" : c;
};
const plain = (text) => [...text].map(sign).join("");
const single = (text) => [...text].map((c) => (c.length > 1 ? (/\p{Nd}/u.test(c) ? digit(c) : "\ufffd") : c)).join("");
const blanked = (found) => " ".repeat(found.length);
const lead = (text) => text.length - text.trimStart().length;

// Exact forms.
const MAX_VALUE = 10n ** 30n;
const GLYPHS = Object.fromEntries(
  "½1/2 ⅓1/3 ⅔2/3 ¼1/4 ¾3/4 ⅕1/5 ⅖2/5 ⅗3/5 ⅘4/5 ⅙1/6 ⅚5/6 ⅐1/7 ⅛1/8 ⅜3/8 ⅝5/8 ⅞7/8 ⅑1/9 ⅒1/10"
    .split(" ")
    .map((one) => [one[0], Q(...one.slice(1).split("/").map(BigInt))]),
);
const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const lowered = (text) => [...text].map((c) => ({ "⁻": "-", "⁺": "+" })[c] ?? SUPER.indexOf(c)).join("");
const LIBRARY = "(?:np|numpy|jnp|math|torch)\\.";
const SPACE = /(?:\s|\\[,;! ]|\\left(?![a-z])|\\right(?![a-z]))*/y;
const DIGITS = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,4})?/y;
const MIXED = /\s+(\d+)\/(\d+)(?![\d./^*])/y;
const RAISED = /[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/y;
const LOG2 = new RegExp(`(?:\\\\|${LIBRARY})?log(?:_?2|_\\{2\\}|₂)`, "y");
const NAME = new RegExp(`(?:\\\\|${LIBRARY})?[A-Za-z]+|[√π]`, "y");
const FRAC = /\\[dt]?frac/y;
const UNSIGNED =
  /√|π|\\?(?:sqrt|ln|exp|pi)(?![a-z])|\\?log(?=[_2₂])|e(?=\s*(?:\^|\*\*|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]))|\\[dt]?frac/y;
const PLUS = /[-+]/y;
const TIMES = /\*(?!\*)|[·⋅]|\\(?:times|cdot)(?![a-z])/y;
const RAISE = /\^|\*\*/y;
const E = decimal("2.7182818284590452353602874713526624977572470937000");
const PI = decimal("3.14159265358979323846264338327950288419716939937510582");
const HALF = Q(1n, 2n);

const root = (value, at) => {
  if (value.n < 0n) throw new Refused("root", at);
  const [above, below] = [isqrt(value.n), isqrt(value.d)];
  return above ** 2n === value.n && below ** 2n === value.d ? Q(above, below) : near(Math.sqrt(float(value)));
};
const ln = (value, at) => {
  if (value.n <= 0n) throw new Refused("logarithm", at);
  return near(Math.log(float(value)));
};
const log2 = (value, at) => {
  if (value.n <= 0n) throw new Refused("logarithm", at);
  const power = bits(value.n) - bits(value.d);
  const exact = power < 0 ? Q(1n, 2n ** BigInt(-power)) : Q(2n ** BigInt(power));
  return same(value, exact) ? Q(BigInt(power)) : near(Math.log2(float(value)));
};
const exp = (value, at) => {
  if (beyond(value, 200n)) throw new Refused("too-large", at);
  return near(Math.exp(float(value)));
};
const raised = (base, exponent, at) => {
  const whole = exponent.d === 1n;
  const trivial = base.d === 1n && (base.n === 0n || base.n === 1n);
  let value;
  if (!base.n && exponent.n < 0n) throw new Refused("zero-denominator", at, { text: `0^${said(exponent)}` });
  if (whole && trivial && exponent.n) value = base;
  else if (whole) {
    const power = size(exponent.n);
    if (BigInt(Math.max(bits(base.n), bits(base.d))) * power > 4000n) throw new Refused("too-large", at);
    value = exponent.n < 0n ? Q(base.d ** power, base.n ** power) : Q(base.n ** power, base.d ** power);
  } else if (base.n < 0n) throw new Refused("root", at);
  else if (same(exponent, HALF)) value = root(base, at);
  else value = base.n ? exp(times(exponent, ln(base, at)), at) : base;
  if (beyond(value, MAX_VALUE)) throw new Refused("too-large", at);
  return value;
};
const FUNCTIONS = { "√": root, sqrt: root, ln, exp };

class Form {
  constructor(typed, refuse, mixed) {
    Object.assign(this, { typed, refuse, mixed, at: 0, depth: 0 });
  }
  match(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.typed);
  }
  spaced() {
    return this.at + this.match(SPACE, this.at)[0].length;
  }
  take(pattern) {
    const [place, found] = [this.spaced(), this.match(pattern, this.spaced())];
    if (!found) return "";
    this.at = place + found[0].length;
    return found[0];
  }
  next(pattern) {
    return this.match(pattern, this.spaced()) !== null;
  }
  whole() {
    let value = this.signed();
    if (this.take(/%/y)) value = over(value, Q(100n));
    if (this.next(PLUS)) throw new Refused("sum", this.spaced());
    if (this.spaced() < this.typed.length) throw this.refuse(this.spaced());
    return value;
  }
  signed() {
    const sign = this.take(PLUS);
    const value = this.product();
    return sign === "-" ? minus(value) : value;
  }
  sum() {
    let value = this.signed();
    for (let sign; (sign = this.take(PLUS)); ) {
      const term = this.product();
      value = plus(value, sign === "-" ? minus(term) : term);
    }
    return value;
  }
  product() {
    let [value, divided] = [this.power(), false];
    for (;;) {
      const bracket = this.typed[this.at] === "(";
      const place = this.spaced();
      if (this.take(TIMES)) value = times(value, this.power());
      else if (this.take(/\//y)) {
        const divisor = this.power();
        divided = true;
        if (!divisor.n) throw new Refused("zero-denominator", place, { text: this.typed });
        value = over(value, divisor);
      } else if (bracket || this.next(UNSIGNED)) {
        if (divided) throw new Refused("ambiguous", place);
        value = times(value, this.power());
      } else return value;
      if (beyond(value, MAX_VALUE)) throw new Refused("too-large", place);
    }
  }
  power() {
    const base = this.atom();
    const place = this.spaced();
    if (this.take(RAISE)) return raised(base, this.exponent(), place);
    const up = this.take(RAISED);
    return up ? raised(base, Q(BigInt(lowered(up).replace("+", ""))), place) : base;
  }
  exponent() {
    if (this.next(/[{(]/y)) return this.typed[this.spaced()] === "{" ? this.argument() : this.power();
    const sign = this.take(PLUS);
    const value = this.power();
    if (this.typed[this.at] === "/") throw new Refused("ambiguous", this.at);
    return sign === "-" ? minus(value) : value;
  }
  atom() {
    const place = (this.at = this.spaced());
    if (this.next(/\(/y)) return this.bracketed("(", ")");
    const digits = this.take(DIGITS);
    if (digits) {
      if (Math.abs(Number(digits.toLowerCase().split("e")[1] ?? 0)) > 30) throw new Refused("too-large", place);
      return this.afterDigits(digits);
    }
    const glyph = GLYPHS[this.typed[place]];
    if (glyph) this.at++;
    return glyph ?? this.named(place);
  }
  named(place) {
    if (this.take(FRAC)) {
      const [above, below] = [this.argument(), this.argument()];
      if (!below.n) throw new Refused("zero-denominator", place, { text: this.typed });
      return over(above, below);
    }
    if (this.take(LOG2)) {
      if (/[\d²³¹⁰⁴-⁹₀-₉]/.test(this.typed[this.at] ?? "")) throw new Refused("ambiguous", this.at);
      return this.called(log2, place);
    }
    const pieces = this.take(NAME).replace(/^\\/, "").split(".");
    let name = pieces.at(-1);
    if (name === "log") {
      if (pieces.length < 2) throw new Refused("log-base", place);
      name = "ln";
    }
    if (name === "π" || name === "pi") return PI;
    if (name === "e") return E;
    if (!Object.hasOwn(FUNCTIONS, name.toLowerCase())) {
      this.at = place;
      throw this.refuse(place);
    }
    return this.called(FUNCTIONS[name.toLowerCase()], place);
  }
  afterDigits(digits) {
    const value = decimal(digits);
    if (!/^\d+$/.test(digits)) return value;
    const glyph = GLYPHS[this.typed[this.at]];
    if (glyph) {
      this.at++;
      return plus(value, glyph);
    }
    if (this.match(FRAC, this.at)) return plus(value, this.atom());
    const mixed = this.mixed && this.match(MIXED, this.at);
    if (!mixed || BigInt(mixed[1]) >= BigInt(mixed[2])) return value;
    this.at += mixed[0].length;
    return plus(value, Q(BigInt(mixed[1]), BigInt(mixed[2])));
  }
  called(of, place) {
    if (this.next(/[({]/y)) return of(this.argument(), place);
    const argument = this.atom();
    const after = this.spaced();
    const close = this.typed[this.at];
    const isRoot = of === root;
    const more = [RAISE, RAISED, UNSIGNED].some((pattern) => this.next(pattern));
    if (more || (!isRoot && (close === "/" || close === "(" || this.next(TIMES)))) throw new Refused("ambiguous", after);
    if (isRoot && close === "/" && argument.n >= 0n && isqrt(argument.n) ** 2n === argument.n)
      throw new Refused("ambiguous", after);
    return of(argument, place);
  }
  argument() {
    if (this.next(/\{/y)) return this.bracketed("{", "}");
    if (this.next(/\(/y)) return this.bracketed("(", ")");
    const one = this.take(/\d/y);
    if (!one) throw this.refuse(this.spaced());
    return Q(BigInt(one));
  }
  bracketed(opening, closing) {
    const place = this.spaced();
    if (++this.depth > 8) throw new Refused("too-nested", place);
    this.at = place + 1;
    const value = this.sum();
    if (!this.take(closing === ")" ? /\)/y : /\}/y)) {
      if (this.spaced() === this.typed.length) throw new Refused("unclosed", place, { character: opening });
      throw this.refuse(this.spaced());
    }
    this.depth--;
    return value;
  }
}
