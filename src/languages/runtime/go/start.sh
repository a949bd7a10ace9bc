#!/bin/sh
# Builds Millwright's Go test driver where it is not built yet, and becomes it. Everything stays in the home folder of the
# sandbox (or the cache of the user, where that can be written), so that later runs find it built.
here=$(dirname "$0")
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
version=$({ go version; cat "$here"/*.go; } | cksum | tr ' ' -)
driver="${XDG_CACHE_HOME:-$HOME/.cache}/millwright/go-driver-$version"
if [ ! -x "$driver" ]; then
  mkdir -p "$(dirname "$driver")"
  (cd "$here" && GO111MODULE=off GOFLAGS= GOWORK=off GOARCH= GOOS= go build -o "$driver.$$" .) || exit 125
  mv "$driver.$$" "$driver"
fi
exec "$driver"
