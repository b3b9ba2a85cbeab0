"""The YAML at the head of a model card: read as YAML 1.2 within bounds, and changed one key at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from runlineage.catalogs.base.errors import CatalogError, Fault, echo, refuse
from runlineage.dataflow.cards.yaml_core import CoreDumper, CoreLoader

LONGEST = 200_000  # characters; cards with long licence prompts stay under 30,000
DEEPEST = 20
FENCED = re.compile(r"(\ufeff?---[ \t]*\r?\n)(.*?)(?:^---[ \t]*(?:\r?\n|\Z))", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class FrontMatter:
    """The fields at the head of a card, the line of each, and where the head's text begins and ends in the file."""

    fields: dict[str, Any]
    lines: dict[str, int]
    start: int
    end: int
    nodes: dict[str, tuple[Any, Any]]
    is_block: bool

    def place_of(self, name: str) -> dict[str, str]:
        """Return the place of a field, under the empty name, and of each field within it."""
        key, value = self.nodes[name]
        places = {"": f"line {key.start_mark.line + 2}, {name}"}
        if isinstance(value, yaml.MappingNode):
            places |= {
                str(inner.value): f"line {inner.start_mark.line + 2}, {name}.{inner.value}" for inner, _ in value.value
            }
        return places


def read_front_matter(text: str, path: Path) -> FrontMatter | None:
    """Read the fields between the `---` lines that open a card; None where a card has no such head.

    >>> head = read_front_matter("---\\nlicense: mit\\n---\\nA model.\\n", Path("README.md"))
    >>> print(head.fields, head.lines)
    {'license': 'mit'} {'license': 2}
    """
    fenced = FENCED.match(text)
    if not fenced:
        if re.match(r"\ufeff?---[ \t]*\r?\n", text):
            refuse(f"{path}, line 1", "opens a front matter that no `---` line closes", "add the line", CatalogError)
        return None
    start, end = fenced.end(1), fenced.end(2)
    if end - start > LONGEST:
        refuse(str(path), f"has a front matter over the limit of {LONGEST:,} characters", "shorten it", CatalogError)
    try:
        _bound(text[start:end], path)
        loader = CoreLoader(text[start:end])
        try:
            node = loader.get_single_node()
            fields = {} if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except CatalogError:
        raise
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError) as problem:
        raise CatalogError((_broken(problem, path),)) from None
    if not isinstance(fields, dict):
        refuse(f"{path}, line 2", f"holds {echo(fields)}", "expected fields, `name: value` a line", CatalogError)
    _once(node, path)
    nodes = {key.value: (key, value) for key, value in node.value} if node is not None else {}
    lines = {name: key.start_mark.line + 2 for name, (key, _) in nodes.items()}
    return FrontMatter(fields, lines, start, end, nodes, not getattr(node, "flow_style", False))


def _once(node: Any, path: Path) -> None:
    """Refuse a field that appears twice, at any depth."""
    seen = set()
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value in seen:
            where = f"{path}, line {key.start_mark.line + 2}"
            refuse(where, f"{echo(key.value)} appears twice", "keep one", CatalogError)
        seen.add(key.value)
        _once(value, path)
    for value in node.value if isinstance(node, yaml.SequenceNode) else ():
        _once(value, path)


def _bound(text: str, path: Path) -> None:
    """Refuse what makes a small file a large or a deep value: aliases, and nesting."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        where = f"{path}, line {event.start_mark.line + 2}" if event.start_mark else str(path)
        if isinstance(event, yaml.AliasEvent):
            refuse(where, "refers to another value by an alias", "write the value itself", CatalogError)
        if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]:
            refuse(where, "merges another value in by `<<`", "write the fields themselves", CatalogError)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            refuse(where, f"is nested deeper than {DEEPEST} levels", "write it flat", CatalogError)


def _broken(problem: Exception, path: Path) -> Fault:
    mark = getattr(problem, "problem_mark", None)
    where = f"{path}, line {mark.line + 2}" if mark else str(path)
    reason = " ".join(str(getattr(problem, "problem", None) or problem).split())
    if "tag:yaml.org,2002:python/" in reason:
        return Fault(where, "asks for an object of Python to be made", "write plain values")
    return Fault(where, f"is not valid YAML: {reason[:200]}", "put text with `: `, ` #` or braces in quotes")


def with_field(text: str, name: str, value: Any, path: Path) -> str:
    """Return a card's text with one field of its front matter set, and every other character as it was.

    >>> print(with_field("---\\na: 1  # one\\nb: 2\\n---\\nText\\n", "a", {"x": 3}, Path("README.md")))
    ---
    a:
      x: 3  # one
    b: 2
    ---
    Text
    <BLANKLINE>
    """
    newline = "\r\n" if re.match(r"[^\n]*\r\n", text) else "\n"
    block = dump(name, value).replace("\n", newline)
    head = read_front_matter(text, path)
    if head is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return f"{mark}---{newline}{block}{newline}---{newline}{text.removeprefix(mark)}"
    if not head.is_block:
        refuse(f"{path}, line 2", "holds all fields in braces", "write them as `name: value`, one a line", CatalogError)
    if name in head.nodes:
        key, old = head.nodes[name]
        start, end = head.start + key.start_mark.index, head.start + _last(old)
        tail = newline if text[start:end].endswith("\n") else ""
        changed = text[:start] + block + tail + text[end:]
    else:
        body = text[head.start : head.end]
        gap = "" if not body or body.endswith("\n") else newline
        changed = text[: head.end] + gap + block + newline + text[head.end :]
    _check(changed, head.fields | {name: value}, path)
    return changed


def dump(name: str, value: Any) -> str:
    """Write one field as block YAML, text quoted where YAML would read it as something else.

    >>> print(dump("place", "NO"))
    place: 'NO'
    """
    text: str = yaml.dump({name: value}, Dumper=CoreDumper, sort_keys=False, allow_unicode=True, width=1_000_000)
    return text.rstrip("\n")


def _last(node: Any) -> int:
    """Return where a value's own text ends: the mark of a block lies beyond the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last(last[1] if isinstance(last, tuple) else last)
    end: int = node.end_mark.index
    return end


def _check(text: str, fields: dict[str, Any], path: Path) -> None:
    """Check that the changed head reads as it was meant."""
    head = read_front_matter(text, path)
    if head is None or head.fields != fields:
        refuse(str(path), "has a front matter that cannot be changed safely", "change it by hand", CatalogError)
