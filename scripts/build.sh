#!/bin/sh
# Emits dist/ for the published package; a checkout runs the sources directly.
set -eu
rm -rf dist
tsc -p tsconfig.build.json
cp -R src/languages/runtime dist/languages/runtime
