# Run the tests on the lowest version of each dependency that pyproject.toml allows: lowest.sh PYTEST-ARGUMENTS
# The oldest Pythons alone: those versions have no wheels for later ones.
python=$(sh tests/find_python.sh 11 12)
[ -n "$python" ] || { echo "no Python 3.11 or 3.12 was found: the tests did not run on the lowest versions"; exit 0; }
set -e
sh tests/make_environment.sh "$python" .venv-lowest uv
.venv-lowest/bin/uv pip compile --quiet --python .venv-lowest/bin/python --resolution lowest-direct \
  --extra duckdb --extra dask pyproject.toml --output-file .venv-lowest/lowest.txt
sh tests/make_environment.sh "$python" .venv-lowest --constraint .venv-lowest/lowest.txt -e ".[test]"
.venv-lowest/bin/python -m pytest -q -m "not slow" -p no:cacheprovider "$@"
