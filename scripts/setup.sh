#!/bin/sh
# Installs what a checkout needs, once per lock file: npm packages, and with them a Node that is new enough.
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.millwright-setup
want=$(cksum package-lock.json .npmrc)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ]; then exit 0; fi
echo "setting up: npm packages and Node 24 (once, about half a minute)" >&2
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
printf '%s' "$want" > "$stamp"
