"""YAML as version 1.2 reads plain words (its core schema), as the hub does; PyYAML alone reads version 1.1.

There `no` is a word, `010` is ten, and `1:30:00` and a date are text. What is written is quoted where either version
would read it as something else than text.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

CORE = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ("~", "n", "N", "")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
)


class CoreLoader(yaml.SafeLoader):
    """PyYAML's safe loader with the words of YAML 1.2.

    >>> print(yaml.load("[no, 010, 1:30:00, 1e3]", Loader=CoreLoader))
    ['no', 10, '1:30:00', 1000.0]
    """


class CoreDumper(yaml.SafeDumper):
    """PyYAML's safe writer, which quotes text that either version of YAML would read as something else."""


CoreLoader.yaml_implicit_resolvers = {}  # none of version 1.1's
for _name, _pattern, _first in CORE:
    for _class in (CoreLoader, CoreDumper):
        _class.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(f"(?:{_pattern})$"), list(_first))


def _whole(loader: CoreLoader, node: Any) -> int:
    text = loader.construct_scalar(node)
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    return int(text[2:] if base != 10 else text, base)


CoreLoader.add_constructor("tag:yaml.org,2002:int", _whole)
