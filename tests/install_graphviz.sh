# Install graphviz's `dot` where apt-get is usable; elsewhere say how, and go on: text and DOT need no `dot`.
if command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then root=""; else root="sudo -n"; fi
  { $root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends graphviz fonts-dejavu-core; } >/dev/null 2>&1
fi
command -v dot >/dev/null 2>&1 || echo "pictures need graphviz's dot: apt-get install graphviz | brew install graphviz | winget install graphviz"
