"""HTML and its like as bank text, or the reason why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.exchange.intake.question import NotCarried
from quizengine.exchange.intake.rich_text import line, paragraphs
from quizengine.items.markup import parse
from quizengine.render.html import inline
from quizengine.render.page import paragraphs as pieces


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("one<br>two<br/>three", "one\n\ntwo\n\nthree"),
        ("<div><p>a &lt; b &amp; c&nbsp;&gt; d</p></div>", "a < b & c > d"),
        ("a < b and b > c", "a < b and b > c"),
        ("a <b>bold </b>word", "a **bold** word"),
        ("<strong>QK<sup>T</sup></strong>", "$\\mathrm{QK}^{T}$"),
        ("<em>so</em> <u>it</u> <span style='x'>is</span>", "so it is"),
        ("<code>a = $b</code>", "`a = $b`"),
        ("<ul><li>one</li><li>two</li></ul>", "– one\n\n– two"),
        ("<ol><li>one</li><li>two</li></ol>", "1. one\n\n2. two"),
        ("<h3>Head</h3>text", "**Head**\n\ntext"),
        ("H<sub>2</sub>O and 10<sup>−3</sup>", "$H_{2}$O and $10^{-3}$"),
        ("x<sub>i</sub><sup>2</sup>", "$x_{i}^{2}$"),
        ("\\(\\frac{QK^T}{\\sqrt{d_k}} \\neq 0\\)", "$\\frac{QK^T}{\\sqrt{d_k}} \\ne 0$"),
        ("\\[ a \\leq b \\] and $$c$$", "$a \\le b$ and $c$"),
        ("<math><mi>softmax</mi><mo>(</mo><mi>z</mi><mo>)</mo></math>", "$\\softmax(z)$"),
        ("<math><mfrac><mi>α</mi><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac></math>",
         "$\\frac{\\alpha}{\\sqrt{d_k}}$"),
        ('<img class="equation_image" data-equation-content="d_k" src="/x">', "$d_k$"),
        ('see <a href="https://example.org">there</a>', "see there (https://example.org)"),
        ("<style>p {x: y}</style>text<!-- no -->", "text"),
        ("注意<b>機構</b>とは\u3000何か", "注意**機構**とは\u3000何か"),
        ("", ""),
    ],
)  # fmt: skip
def test_html_as_bank_text(html: str, text: str) -> None:
    assert line(html, "html") == text


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ('<img src="@@PLUGINFILE@@/x.png">', "picture"),
        ("<svg></svg>", "picture"),
        ("<audio src='x'></audio>", "picture"),
        ("<table><tr><td>1</td></tr></table>", "table"),
        ("it costs $5", "sign"),
        ("$5 and $6", "sign"),
        ("2**3", "sign"),
        ("a ` b", "sign"),
        ("<code>a`b</code>", "sign"),
        ("<b>*</b>", "sign"),
        ("\\(a", "formula"),
        ("a\\]", "formula"),
        ("\\(\\foo\\)", "text"),
        ("\\(a<sub>b</sub>\\)", "formula"),
        ("<sub>2</sub>", "script"),
        ("x<sub>a<sub>b</sub></sub>", "script"),
        ("x<sub></sub>", "script"),
        ("<blink>x</blink>", "tag"),
        ("<s>not</s>", "tag"),
        ("<input>", "tag"),
        ("x <b", "markup"),
        ("<![CDATA[x]]>", "markup"),
        ("<math><mi>x</mi>", "markup"),
        ("<math><mtable></mtable></math>", "mathml"),
        ("<pre>x = 1</pre>", "program"),
        ("a\x07b", "control"),
        ("a\ud800b", "control"),
        ("x" * 20_001, "long"),
    ],
)
def test_what_a_bank_cannot_say_is_refused_with_its_reason(html: str, code: str) -> None:
    with pytest.raises(NotCarried) as caught:
        line(html, "html")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("form", "text", "wanted"),
    [
        ("auto", "one\ntwo <b>x</b>", "one\n\ntwo **x**"),
        ("plain", "a <b> & &lt;\nc", "a <b> & &lt;\n\nc"),
        ("markdown", "a **b**\nand `c`\n\nd", "a **b** and `c`\n\nd"),
    ],
)
def test_other_forms(form, text: str, wanted: str) -> None:
    assert line(text, form) == wanted


@pytest.mark.parametrize(
    "text", ["[x](y)", "# Head", "- one", "_so_", "a *b* c", "<b>x</b>", "> q", "![](x)"]
)
def test_markdown_beyond_a_banks_is_refused(text: str) -> None:
    with pytest.raises(NotCarried, match="markdown"):
        line(text, "markdown")


FORMULAE = (
    *(r"\frac{QK^T}{\sqrt{d_k}}", r"\exp(-\infty)=0", r"d_{\mathrm{model}}", r"\softmax(x_i)_{j,k}^2"),
    *(r"a\cdot b\le c", r"\ln 2 + \sigma(z)'", r"\sum_{i=1}^n w_i v_i", r"O(n^2 d)", r"\{1,\ldots,n\}"),
    *(r"2^{-10}\,\%", r"x_{12}^{n+1}"),
)


@pytest.mark.parametrize("tex", FORMULAE)
def test_a_formula_that_goes_out_as_mathml_comes_back(tex: str) -> None:
    [[piece]] = pieces(f"${tex}$")
    assert parse(line(inline([piece]), "html")) == parse(f"${tex}$")


@given(st.text(alphabet=st.sampled_from("ab <>/&;$`*_\\()[]{}^=\"'-!pbmathsubxcode\n"), max_size=60))
def test_any_html_is_bank_text_or_refused(html: str) -> None:
    for form in ("html", "auto", "plain", "markdown"):
        try:
            found = paragraphs(html, form)
        except NotCarried:
            continue
        for paragraph in found:
            assert paragraph.program or len(parse(paragraph.text)) == 1


TAGS = (
    *(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<code>",
        "</code>",
        "<sub>",
        "</sub>",
        "<math>",
        "</math>",
        "<mi>",
        "</mi>",
    ),
    *(
        "<pre>",
        "</pre>",
        "<li>",
        "<ol>",
        "</ol>",
        "x",
        " ",
        "\\(a\\)",
        "<br>",
        "<a href=u>",
        "</a>",
        "<mfrac>",
    ),
)


@given(st.lists(st.sampled_from(TAGS), max_size=14).map("".join))
def test_any_tags_are_bank_text_or_refused(html: str) -> None:
    try:
        found = paragraphs(html, "html")
    except NotCarried:
        return
    for paragraph in found:
        assert paragraph.program or len(parse(paragraph.text)) == 1
