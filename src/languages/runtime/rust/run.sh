#!/bin/sh
# Makes our runner with the project's own compiler, once per checkout, and starts it.
#   run.sh RUNTIME REPORT CARGO ARGUMENT...
# Compiled away from the project: a toolchain that the project pins may be missing, or older than ours has to be.
runtime=$1
report=$2
shift 2
folder=$(dirname "$report")/millwright-rust
if [ ! -x "$folder/run" ]; then
  build=$folder.$$
  mkdir -p "$build" || exit 1
  (cd "$build" && rustc --edition 2018 -C opt-level=0 -C debuginfo=0 -A warnings -o run "$runtime/rust/main.rs") >"$build/log" 2>&1 ||
    rustc --edition 2018 -A warnings -o "$build/run" "$runtime/rust/main.rs" >"$build/log" 2>&1 ||
    { cat "$build/log" >&2; rm -rf "$build"; exit 1; }
  rustc -vV >"$build/version"
  for mode in millwright-runner millwright-rustdoc millwright-rustc; do ln -s run "$build/$mode"; done
  mv "$build" "$folder" 2>/dev/null || rm -rf "$build"
fi
MILLWRIGHT_PROGRAMS=$folder
export MILLWRIGHT_PROGRAMS
exec "$folder/run" "$report" "$@"
