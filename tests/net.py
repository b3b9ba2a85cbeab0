"""What the command line prints, kept in a folder: `python -m tests.net FOLDER`, before and after a change.

Compare two folders with `diff -r`. A change that is meant to alter no answer differs in worded messages alone.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import warnings
from pathlib import Path

from runlineage import Scenarios
from runlineage.__main__ import start

TABLE = "model,parameters,active_parameters,training_tokens,training_ops,accelerator,accelerator_hours,"
TABLE += """device_power (W),pue
GPT-3,175B,,300B,3.14e23,V100 SXM2 16GB,,330,1.1
Llama 3.1 405B,405B,,15.6T tokens,,H100 SXM,30.84M GPU hours,700,
BLOOM,176.247e9,,366B,,A100 SXM4 80GB,"1,082,990",400,1.2
no facts,,,,,,,,
a bad cell,seven,,1T,,H100 SXM,1e5,0.7 kW,0.9
sparse,671B,37B,14.8T,,H800,2.788M,,
unknown part,7B,,2T,,Z9000,184320,400,
"""
LISTS = ("runs", "workloads", "accelerators", "grids", "thresholds", "sources")
CARDS = ("huggingface", "cyclonedx", "markdown", "latex", "bibtex")


def main() -> None:
    """Write one file a run, and one each for a table, a report and the lists."""
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, contextlib.chdir(work):
        for key in Scenarios:
            (folder / f"{key}.txt").write_text("\n".join(_run(key)), encoding="utf-8")
        Path("models.csv").write_text(TABLE, encoding="utf-8")
        several = [
            _called("table", "models.csv", "-o", "answers.csv", "--assume", "tdp"),
            _called("report", "gpt-3", "bloom", "llama 3.1 405b", "-o", "report.html"),
            *(_called("list", each) for each in LISTS),
            _called("draw", "--nodes", "-o", "nodes.dot"),
        ]
        (folder / "several.txt").write_text("\n".join(several), encoding="utf-8")


def _run(key: str) -> list[str]:
    return [
        _called("show", key, "--json"),
        _called("show", key),
        _called("why", key),
        _called("why", key, "--json"),
        _called("draw", key, "-o", "lineage.dot"),
        _called("draw", key, "-o", "routes.dot", "--routes"),
        _called("draw", key, "-o", "lineage.mmd"),
        *(_called("card", key, "--to", form) for form in CARDS),
        _called("verdicts", key),
    ]


def _called(*arguments: str) -> str:
    """Call a command in this process: its line, exit code, output, errors, and the file that it wrote."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    before = sys.argv
    sys.argv = ["runlineage", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = before
    written = arguments[arguments.index("-o") + 1] if "-o" in arguments else ""
    file = Path(written).read_text(encoding="utf-8") if written and Path(written).is_file() else ""
    return "\n".join((f"$ runlineage {' '.join(arguments)}", f"exit {code}", out.getvalue(), err.getvalue(), file))


if __name__ == "__main__":
    main()
