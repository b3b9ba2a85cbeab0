"""The one error tree: each error is also a builtin, keeps its parts as attributes and builds its sentence from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from runlineage.catalogs.base.spelling import plain_text

LONGEST_ECHO = 60
MOST_FAULTS = 20
MOST_NAMES = 12


def echo(value: object) -> str:
    """Repeat a user's value in a message, on one line and of bounded length.

    >>> print(echo("9" * 100)[:12])
    '99999999999
    """
    try:
        text = _spelt(value)
    except Exception:  # whatever a stranger's __repr__ raises
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 1] + "…"


def _spelt(value: object) -> str:
    if isinstance(value, str):
        return repr(value[: LONGEST_ECHO + 1])
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"an integer of {value.bit_length():,} bits"
    if hasattr(value, "magnitude"):
        return " ".join(str(value).split())  # pint's repr differs between its releases
    return " ".join(repr(value).split())


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: where (a field, a row), what, and what was expected or how to mend it."""

    where: str
    what: str
    cure: str = ""

    def __str__(self) -> str:
        where = plain_text(self.where[:300]) + ("…" if len(self.where) > 300 else "")  # a file's own keys are in it
        return f"{where}: {self.what}" + (f"; {self.cure}" if self.cure else "")


class RunlineageError(Exception):
    """Base of every error that this package raises on purpose."""


class RunlineageWarning(UserWarning):
    """An answer was given, and one of its facts is doubtful."""


class InputError(RunlineageError, ValueError):
    """Facts that cannot be used as given; all faults of one input at once."""

    def __init__(self, faults: tuple[Fault, ...], subject: str = "") -> None:
        super().__init__(faults, subject)
        self.faults = faults
        self.subject = subject

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return (f"{self.subject}: " if self.subject else "") + str(self.faults[0])
        head = f"{len(self.faults):,} faults" + (f" in {self.subject}" if self.subject else "")
        more = [f"  and {len(self.faults) - MOST_FAULTS:,} more"] if len(self.faults) > MOST_FAULTS else []
        return "\n".join([f"{head}:", *(f"  {fault}" for fault in self.faults[:MOST_FAULTS]), *more])

    def at(self, where: str = "", *, only: bool = False, kind: type[InputError] | None = None) -> InputError:
        """Return the same faults with a place put before each: `where` itself, or with `only` in its stead.

        >>> print(InputError((Fault("duration", "is empty"),)).at("run.toml: "))
        run.toml: duration: is empty
        """
        moved = (Fault(where if only else f"{where}{each.where}", each.what, each.cure) for each in self.faults)
        return (kind or type(self))(tuple(moved), self.subject)


class CatalogError(InputError):
    """A catalog or run file that cannot be read: its faults name file, row and field."""


class UnknownNameError(RunlineageError, KeyError):
    """A name that matches nothing, with the nearest ones that exist."""

    def __init__(self, what: str, name: str, nearest: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__(what, name, nearest, hint)
        self.what = what
        self.unknown = name
        self.nearest = nearest
        self.hint = hint

    def __str__(self) -> str:
        known = f"; the nearest: {', '.join(self.nearest)}" if self.nearest else ""
        return f"unknown {self.what} {echo(self.unknown)}{known}" + (f"; {self.hint}" if self.hint else "")


class UnknownAttributeError(UnknownNameError, AttributeError):
    """An unknown name asked for as an attribute, so that `hasattr` and `getattr` work as usual."""


class AmbiguousNameError(UnknownNameError):
    """A name that matches several records."""

    def __str__(self) -> str:
        shown, more = self.nearest[:MOST_NAMES], len(self.nearest) - MOST_NAMES
        others = f", and {more} more" if more > 0 else ""
        return f"{self.what} {echo(self.unknown)} matches several; use one of: {', '.join(shown)}{others}"


class CannotComputeError(RunlineageError, ValueError):
    """A metric that no route reaches from the facts at hand.

    `needs` says in short which facts would do, `guesses` which assumptions would, `explanation` the whole.
    """

    def __init__(self, metric: str, needs: str, explanation: str, guesses: str = "") -> None:
        super().__init__(metric, needs, explanation, guesses)
        self.metric = metric
        self.needs = needs
        self.explanation = explanation
        self.guesses = guesses

    @property
    def short(self) -> str:
        """What would do, in one line: facts, or assumptions."""
        return self.needs + (f", or assume {self.guesses}" if self.guesses else "")

    def __str__(self) -> str:
        return self.explanation


class GraphError(RunlineageError, ValueError):
    """Node modules that do not fit together: a cycle, a clash of names, a node of the wrong kind."""


class OutputError(RunlineageError, OSError):
    """A result that could not be written or drawn: what, and how to mend it."""

    def __init__(self, what: str, cure: str = "") -> None:
        super().__init__(what, cure)
        self.what = what
        self.cure = cure

    def __str__(self) -> str:
        return self.what + (f"; {self.cure}" if self.cure else "")


def refuse(where: str, what: str, cure: str = "", kind: type[InputError] = InputError) -> NoReturn:
    """Raise the error of a single fault.

    >>> refuse("duration", "is empty", "expected a duration")
    Traceback (most recent call last):
    runlineage.catalogs.base.errors.InputError: duration: is empty; expected a duration
    """
    raise kind((Fault(where, what, cure),)) from None
