#!/bin/sh
# Starts our runner of Rust's tests: run.sh RUNTIME REPORT CARGO ARGUMENT...
# MILLWRIGHT_BUILT_RUST is where it was compiled before; otherwise that is done here, once per checkout.
runtime=$1
report=$2
shift 2
folder=${MILLWRIGHT_BUILT_RUST:-$(dirname "$report")/millwright-rust}
if [ ! -x "$folder/run" ]; then
  folder=$(dirname "$report")/millwright-rust
  build=$folder.$$
  mkdir -p "$build" && sh "$runtime/rust/build.sh" "$build" || { rm -rf "$build"; exit 1; }
  mv "$build" "$folder" 2>/dev/null || rm -rf "$build"
fi
MILLWRIGHT_PROGRAMS=$folder
export MILLWRIGHT_PROGRAMS
exec "$folder/run" "$report" "$@"
