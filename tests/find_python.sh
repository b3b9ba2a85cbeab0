# Print the first Python within bounds: the ordinary one, then others on the PATH, then pyenv's. find_python.sh LEAST MOST
least=${1:-11} most=${2:-99}
for each in python3 python python3.14 python3.13 python3.12 python3.11 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
  "$each" -c "import sys; sys.exit(not (3, $least) <= sys.version_info[:2] <= (3, $most))" >/dev/null 2>&1 && { echo "$each"; exit 0; }
done
exit 0
