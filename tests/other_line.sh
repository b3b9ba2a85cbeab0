# Run the tests on the other series of pint, with pandas 2 and Spark: pint 0.25 beside 0.26, or 0.26 if a Python 3.12 is found.
# other_line.sh PYTHON PYTEST-ARGUMENTS
python=$1
shift
if "$python" -c "import sys; sys.exit(sys.version_info < (3, 12))"; then
  pint="pint<0.26"
else
  python=$(sh tests/find_python.sh 12)
  pint="pint>=0.26"
  [ -n "$python" ] || { echo "no Python 3.12 or later was found: the tests ran on pint 0.25 alone"; exit 0; }
fi
set -e
sh tests/make_environment.sh "$python" .venv-other -e ".[test,spark]" "$pint" "pandas<3"
.venv-other/bin/python -m pytest -q -m "not slow or spark" -p no:cacheprovider "$@"
