#!/bin/sh
# The main job on the example repository: a failing test suite in, a verified patch with its evidence out.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
example=$root/examples/parcel-desk
cd "$example"
echo "\$ cd examples/parcel-desk && millwright solve --issue ISSUE.md" >&2
set +e
"$root/bin/millwright" solve --issue ISSUE.md
status=$?
set -e
[ "$status" = 0 ] || exit "$status"
echo
"$root/bin/millwright" show last
