# Sourced: gives Go a build cache that it can write, in the home folder of the sandbox where the user's cannot be written.
cache=$(go env GOCACHE 2>/dev/null)
: "${cache:=$HOME/.cache/go-build}"
if ! { mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null; then
  # Go has to be able to write its build cache: one of our own, in which all that the other holds is linked.
  own="$HOME/.cache/millwright/go-build"
  if [ ! -d "$own" ]; then
    mkdir -p "$HOME/.cache/millwright"
    making="$own.$$"
    if [ -d "$cache" ] && cp -rs "$cache" "$making" 2>/dev/null; then :; else rm -rf "$making"; mkdir -p "$making"; fi
    # The go command trims a cache once a day, and ends with an error where the time of it cannot be written.
    rm -f "$making/trim.txt"
    date +%s >"$making/trim.txt"
    mv "$making" "$own" 2>/dev/null || rm -rf "$making"
  fi
  cache=$own
fi
GOCACHE=$cache
export GOCACHE
