#!/bin/sh
# Becomes Millwright's driver of Go's tests. MILLWRIGHT_BUILT_GO is where it was built before; otherwise that is done here, in the
# home folder of the sandbox (or the cache of the user, where that can be written), so that later runs find it built.
here=$(dirname "$0")
. "$here/cache.sh"
folder=${MILLWRIGHT_BUILT_GO:-}
if [ ! -x "$folder/driver" ]; then
  version=$({ go version; cat "$here"/*.go; } | cksum | tr ' ' -)
  folder="${XDG_CACHE_HOME:-$HOME/.cache}/millwright/built/go-$version"
  if [ ! -x "$folder/driver" ]; then
    build=$folder.$$
    mkdir -p "$build" && sh "$here/build.sh" "$build" || { rm -rf "$build"; exit 125; }
    mv "$build" "$folder" 2>/dev/null || rm -rf "$build"
  fi
fi
exec "$folder/driver"
