"""The error tree: builtins, parts, sentences."""

import pickle

import pytest

from runlineage.catalogs.base.errors import (
    AmbiguousNameError,
    CannotComputeError,
    CatalogError,
    Fault,
    GraphError,
    InputError,
    OutputError,
    RunlineageError,
    RunlineageWarning,
    UnknownAttributeError,
    UnknownNameError,
    echo,
)
from runlineage.catalogs.quantities.units import quantity

EXAMPLES = [
    (InputError((Fault("duration", "is 'x'", "write days"),)), ValueError, "duration: is 'x'; write days"),
    (InputError((Fault("duration", "is 'x'"),), "my run"), ValueError, "my run: duration: is 'x'"),
    (CatalogError((Fault("w.toml", "is a folder"),)), InputError, "w.toml: is a folder"),
    (UnknownNameError("workload", "x"), KeyError, "unknown workload 'x'"),
    (UnknownNameError("field", "x", ("a", "b")), KeyError, "unknown field 'x'; the nearest: a, b"),
    (UnknownAttributeError("field", "x", ("a", "b")), AttributeError, "unknown field 'x'; the nearest: a, b"),
    (UnknownNameError("field", "x", ("a",), "see y"), KeyError, "unknown field 'x'; the nearest: a; see y"),
    (AmbiguousNameError("run", "x", ("a", "b")), UnknownNameError, "run 'x' matches several; use one of: a, b"),
    (CannotComputeError("energy", "device_power", "cannot compute energy"), ValueError, "cannot compute energy"),
    (GraphError("a cycle"), ValueError, "a cycle"),
    (OutputError("cannot write a.svg"), OSError, "cannot write a.svg"),
    (OutputError("cannot write a.svg", "name a folder"), OSError, "cannot write a.svg; name a folder"),
]


@pytest.mark.parametrize(("error", "builtin", "sentence"), EXAMPLES)
def test_an_error_is_of_the_one_tree_and_a_builtin_and_says_its_sentence(error, builtin, sentence):
    assert isinstance(error, RunlineageError)
    assert isinstance(error, builtin)
    assert str(error) == sentence


@pytest.mark.parametrize("error", [error for error, _, _ in EXAMPLES])
def test_an_error_survives_a_process_boundary_with_its_parts(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_several_faults_are_listed_under_their_number():
    faults = (Fault("duration", "is 'x'", "write days"), Fault("sparse", "is 'maybe'"))
    assert str(InputError(faults)) == "2 faults:\n  duration: is 'x'; write days\n  sparse: is 'maybe'"
    assert str(InputError(faults, "my run")).startswith("2 faults in my run:\n")


def test_of_very_many_faults_the_first_are_listed_and_the_rest_counted():
    lines = str(InputError(tuple(Fault(f"cell {place}", "is 'x'") for place in range(1500)))).splitlines()
    assert (lines[0], lines[1], lines[-2], lines[-1]) == (
        "1,500 faults:",
        "  cell 0: is 'x'",
        "  cell 19: is 'x'",
        "  and 1,480 more",
    )
    assert "more" not in str(InputError((Fault("cell", "is 'x'"),) * 20))


def test_a_place_of_absurd_length_is_cut():
    assert str(Fault("x" * 1000, "is 'y'")) == "x" * 300 + "…: is 'y'"


def test_of_very_many_names_the_first_are_said_and_the_rest_counted():
    error = AmbiguousNameError("run", "x", tuple("abcdefghijklmno"))
    assert str(error) == "run 'x' matches several; use one of: a, b, c, d, e, f, g, h, i, j, k, l, and 3 more"
    assert len(error.nearest) == 15


def test_an_unknown_attribute_is_simply_absent_to_hasattr():
    class Home:
        def __getattr__(self, name):
            raise UnknownAttributeError("field", name)

    assert not hasattr(Home(), "anything")
    assert not issubclass(UnknownNameError, AttributeError)


def test_a_warning_is_no_error_and_an_error_no_warning():
    assert issubclass(RunlineageWarning, UserWarning)
    assert not issubclass(RunlineageWarning, RunlineageError)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("700 W", "'700 W'"),
        ("a\nb", r"'a\nb'"),
        ([1, [2]], "[1, [2]]"),
        (quantity(5.0, "day"), "5 day"),
        ("9" * 59, "'" + "9" * 58 + "…"),
        (10**70, "1" + "0" * 58 + "…"),
        (10**5000, "an integer of 16,610 bits"),
    ],
    ids=range(7),
)
def test_a_value_is_repeated_on_one_short_line(value, said):
    assert echo(value) == said


def test_a_value_of_many_lines_is_put_on_one():
    class Table:
        def __repr__(self):
            return "a  b\n0  1"

    assert echo(Table()) == "a b 0 1"


def test_a_value_that_cannot_be_written_is_told_by_its_type():
    class Shy:
        def __repr__(self):
            raise RuntimeError("no")

    assert echo(Shy()) == "a Shy"
