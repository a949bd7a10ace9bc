#!/bin/sh
# Compiles our runner of Rust's tests with the machine's own compiler into FOLDER: build.sh FOLDER
# Without a folder it says which compiler that is. Call it away from the project: a toolchain that the project pins may be
# missing, or older than ours has to be.
sources=$(dirname "$0")
[ $# -gt 0 ] || exec rustc -vV
cd "$1" || exit 1
rustc --edition 2018 -C opt-level=0 -C debuginfo=0 -A warnings -o run "$sources/main.rs" >log 2>&1 ||
  rustc --edition 2018 -A warnings -o run "$sources/main.rs" >log 2>&1 ||
  { cat log >&2; exit 1; }
rustc -vV >version
for mode in millwright-runner millwright-rustdoc millwright-rustc; do ln -s run "$mode"; done
