"""A run for a paper: a paragraph and a table with values, routes, assumptions and sources, in Markdown or LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from runlineage.catalogs.base.spelling import plain_text
from runlineage.catalogs.records.facts import Source
from runlineage.dataflow.graph.results import GIVEN, Result
from runlineage.visualizations.cards.statement import PUBLISHED, Statement, amount_text, answer_text

HEADINGS = ("quantity", "value", "route", "assumptions", "sources")
OPENINGS = {
    "training_operations": "The training took {}",
    "achieved_rate": "The devices achieved {} over the whole run",
    "energy": "The devices used {}, without host, cooling and other facility overhead",
    "it_energy": "The servers used {}, without cooling and other facility overhead",
    "peak_fraction": "They reached {} of their dense peak",
    "facility_energy": "The whole facility used {}",
    "location_emissions": "Emissions were {} by the grid of the location",
    "market_emissions": "Emissions were {} by the market of the contracts",
    "training_cost": "The accelerators cost {}",
}
Escape = Callable[[str], str]

MARKDOWN = re.compile(r"([\\`*_{}\[\]#|~])")
LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "×": r"$\times$", "÷": r"$\div$", "·": r"$\cdot$", "−": r"$-$", "–": "--", "≤": r"$\le$", "≥": r"$\ge$",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
}  # fmt: skip
RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
FROM_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def markdown(statement: Statement) -> str:
    """Write a paragraph, a table and the sources in Markdown."""
    answers = statement.answers(OPENINGS)
    lines = [paragraph(statement, answers, escape_markdown), ""]
    lines += [_bars(HEADINGS), _bars("---" for _ in HEADINGS)]
    lines += [_bars(map(escape_markdown, row)) for row in table(statement, answers, statement.source_text)]
    cited = statement.citations(answers)
    if cited:
        lines += ["", "Sources:", ""]
        lines += [
            f"- {escape_markdown(f'{each}. {each.title}.')} {_link(each.url)}".rstrip() for each in cited.values()
        ]
    return "\n".join(lines) + "\n"


def latex(statement: Statement) -> str:
    r"""Write a paragraph and a plain tabular in LaTeX; sources of the bibliography are cited by their keys."""
    answers = statement.answers(OPENINGS)
    cited = statement.citations(answers)

    def source(key: str) -> str:
        return rf"\cite{{{_key(key)}}}" if key in cited else escape_latex(statement.source_text(key))

    rows = [
        " & ".join([*map(escape_latex, cells[:-1]), cells[-1]]) + r" \\" for cells in table(statement, answers, source)
    ]
    return "\n".join(
        [
            paragraph(statement, answers, escape_latex),
            "",
            r"\begin{tabular}{lllll}",
            r"\hline",
            " & ".join(HEADINGS) + r" \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


def bibtex(statement: Statement) -> str:
    """Write the sources that the answers rest on as BibTeX."""
    return "\n".join(_bibtex(key, each) for key, each in statement.citations(statement.answers(OPENINGS)).items())


def paragraph(statement: Statement, answers: list[Result], escape: Escape) -> str:
    """Write what was answered as sentences, each with its assumptions."""
    sentences = [f"Training of {statement.name}."]
    for result in answers:
        opening = OPENINGS[result.name]
        assumed = f", assuming {' and '.join(result.assumes)}" if result.assumes else ""
        printed = str(result.printed) if result.printed and result.printed.fact != PUBLISHED else ""
        how = ", ".join(filter(None, (statement.way(result), result.note, printed)))
        sentences.append(opening.format(answer_text(result)) + (f" ({how})" if how else "") + assumed + ".")
    published = statement.run.inputs.given.get(PUBLISHED)
    if published is not None:
        sentences.append(f"The authors state emissions of {amount_text(published)}.")
    return escape(" ".join(sentences))


def table(statement: Statement, answers: list[Result], source: Escape) -> list[list[str]]:
    """List the rows of the table: each answer, then the emissions that the authors state."""
    rows = [
        [
            result.name.replace("_", " "),
            answer_text(result),
            statement.way(result),
            ", ".join(result.assumes),
            ", ".join(dict.fromkeys(source(key) for key in result.sources)),
        ]
        for result in answers
    ]
    published = statement.run.inputs.given.get(PUBLISHED)
    if published is not None:
        origin = statement.run.inputs.origins.get(PUBLISHED)
        key = origin.source if origin and origin.source else GIVEN
        rows.append([PUBLISHED.replace("_", " "), amount_text(published), "stated", "", statement.source_text(key)])
    return rows


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown or HTML would read as a mark; one line comes out.

    >>> print(escape_markdown("a|b `c` <d>\n#e"))
    a\|b \`c\` &lt;d&gt; \#e
    """
    clean = plain_text(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return MARKDOWN.sub(r"\\\1", clean)


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would read as a command; powers of ten become mathematics, and one line comes out.

    >>> print(escape_latex("100% of A&B_c: 3.14×10²³ flop"))
    100\% of A\&B\_c: 3.14$\times$$10^{23}$ flop
    """
    clean = unicodedata.normalize("NFC", plain_text(text))
    written = "".join(LATEX.get(letter, letter) for letter in clean)
    written = re.sub("10(" + RAISED.pattern + ")", lambda match: f"$10^{{{match[1].translate(FROM_RAISED)}}}$", written)
    return RAISED.sub(lambda match: f"$^{{{match[0].translate(FROM_RAISED)}}}$", written)


def _bars(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _link(url: str) -> str:
    return f"<{url}>" if re.fullmatch(r"https?://[^\s<>\"|]+", url) else ""


def _key(key: str) -> str:
    return re.sub(r"[^A-Za-z0-9_:.-]", "", key)


def _bibtex(key: str, each: Source) -> str:
    url = re.sub(r"[\s{}\\]", "", each.url)
    return (
        f"@misc{{{_key(key)},\n  author = {{{escape_latex(each.authors)}}},\n"
        f"  title = {{{{{escape_latex(each.title)}}}}},\n"
        f"  year = {{{each.year}}},\n  howpublished = {{\\url{{{url}}}}},\n}}"
    )
