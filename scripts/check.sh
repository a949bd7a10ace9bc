#!/bin/sh
# All checks of the code base; each must pass.
set -eu
stage() { echo "— $1" >&2; }
stage "generated indexes are fresh"
node scripts/generate-indexes.ts --check
stage "types"
tsc -p .
stage "lint and format"
biome ci --error-on-warnings --reporter=summary .
stage "layers and cycles"
depcruise --output-type err --config .dependency-cruiser.cjs src
stage "type assertions"
node scripts/count-assertions.ts
stage "prompts in files of their own"
node scripts/check-prompts.ts
stage "dead code and dependencies"
knip
stage "the package that npm would publish"
node scripts/build.ts
publint --strict
