# Run the suite on the other line of pint, with pandas 2 and Spark: pint 0.25 beside 0.26, or 0.26 where a 3.12 is found.
# other_line.sh PYTHON PYTEST-ARGUMENTS
python=$1
shift
if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))"; then
  pint="pint<0.26"
else
  python=$(sh tests/find_python.sh 12)
  pint="pint>=0.26"
  [ -n "$python" ] || { echo "no Python 3.12 or later here: the suite ran on pint 0.25 alone"; exit 0; }
fi
set -e
sh tests/make_environment.sh "$python" .venv-other -e ".[duckdb,dask,spark]" "$pint" "pandas<3" pytest hypothesis \
  jsonschema "cyclonedx-python-lib[json-validation]" opentelemetry-sdk selenium pytest-xdist
.venv-other/bin/python -m pytest -q -m "not slow or spark" -p no:cacheprovider "$@"
