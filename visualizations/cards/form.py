"""The forms of card: one record each, from which choices, help and messages derive; writers are loaded on use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runlineage.catalogs.base.errors import Fault, InputError, UnknownNameError
from runlineage.catalogs.base.spelling import nearest

if TYPE_CHECKING:
    from runlineage.visualizations.cards.statement import Statement

IN_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True)
class Form:
    """A form of card: its name, the file of this room with its writer of that name, and the suffixes of its files.

    Where it `changes` existing cards, the file has a `change` too, which returns a card's text with one field set. It
    `takes` words that no facts state, by their names.
    """

    name: str
    file: str
    suffixes: tuple[str, ...]
    changes: bool = False
    takes: tuple[str, ...] = ()

    def write(self, statement: Statement, existing: str = "", path: Path = Path("README.md")) -> str:
        """Write a statement in this form; into the text of an existing card where the form changes those."""
        module = importlib.import_module(f"{__package__}.{self.file}")
        text: str = (
            module.change(statement, existing, path)
            if existing and self.changes
            else getattr(module, self.name)(statement)
        )
        return text


FORMS = {
    form.name: form
    for form in (
        Form("huggingface", "huggingface", IN_MARKDOWN, changes=True),
        Form("cyclonedx", "cyclonedx", (".json",)),
        Form("boamps", "boamps", (".json",), takes=("task_family", "infrastructure", "data_type")),
        Form("markdown", "paper", IN_MARKDOWN),
        Form("latex", "paper", (".tex",)),
        Form("bibtex", "paper", (".bib",)),
    )
}
*_OTHERS, _LAST = FORMS
FORM_NAMES = f"{', '.join(_OTHERS)} or {_LAST}"


def form_of(name: str) -> Form:
    """Return a form of card by its name; an unknown one is refused with the nearest.

    >>> print(form_of("latex").suffixes)
    ('.tex',)
    """
    if name not in FORMS:
        raise UnknownNameError("card", name, nearest(name, FORMS, 1), f"there are {', '.join(FORMS)}")
    return FORMS[name]


def check_words(form: Form, words: Mapping[str, str]) -> None:
    """Refuse words that a form does not take."""
    faults = [
        Fault(name, f"is not of a {form.name} card", f"it is of {', '.join(each.name for each in takers)}")
        for name, text in words.items()
        if text and name not in form.takes
        for takers in [[each for each in FORMS.values() if name in each.takes]]
    ]
    if faults:
        raise InputError(tuple(faults))
