# Install Chromium with its driver where apt-get is usable; elsewhere say how, and go on: the browser tests then say so.
if command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then root=""; else root="sudo -n"; fi
  { $root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends chromium chromium-driver; } >/dev/null 2>&1
fi
command -v chromedriver >/dev/null 2>&1 || echo "browser tests need chromium and chromedriver: apt-get install chromium chromium-driver"
