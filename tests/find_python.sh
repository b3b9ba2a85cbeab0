# Print the first Python that is new enough: the ordinary one, then others on the PATH, then pyenv's.
least=${1:-11}
for each in python3 python python3.14 python3.13 python3.12 python3.11 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
  "$each" -c "import sys; sys.exit(sys.version_info < (3, $least))" >/dev/null 2>&1 && { echo "$each"; exit 0; }
done
exit 0
