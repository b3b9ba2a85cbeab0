# Make a virtual environment where there is none, and install into it: make_environment.sh PYTHON FOLDER PIP-ARGUMENTS
set -e
python=$1 folder=$2
shift 2
if ! [ -x "$folder/bin/python" ]; then
  echo "Making a virtual environment in $folder ..."
  "$python" -m venv "$folder" >/dev/null 2>&1 || {
    rm -rf "$folder"
    # Debian keeps venv in a package of its own.
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq "python$version-venv" >/dev/null || true
    "$python" -m venv "$folder" || { echo "python -m venv does not work here; install your system's python3-venv package"; exit 1; }
  }
fi
echo "Installing runlineage and what it needs into $folder (one or two minutes) ..."
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
