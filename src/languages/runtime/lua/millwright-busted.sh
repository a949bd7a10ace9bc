#!/bin/sh
# Unpacks the selection (MILLWRIGHT_SELECTION_0 …: gzip in base64) into the report folder, then runs the arguments.
if [ -n "${MILLWRIGHT_SELECTION_0:-}" ]; then
  part=0
  while eval "[ -n \"\${MILLWRIGHT_SELECTION_$part:-}\" ]"; do
    eval "printf %s \"\$MILLWRIGHT_SELECTION_$part\"; unset MILLWRIGHT_SELECTION_$part"
    part=$((part + 1))
  done | base64 -d | gzip -d > "$MILLWRIGHT_REPORT/selection"
  while [ "$part" -ge 0 ]; do
    unset "MILLWRIGHT_SELECTION_$part"
    part=$((part - 1))
  done
fi
MILLWRIGHT_FOLDER=$PWD
export MILLWRIGHT_FOLDER
exec "$@"
