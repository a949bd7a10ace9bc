#!/bin/sh
# Cargo's RUSTDOC: it reads the same instrumented sources as the compiler does.
exec "$(dirname "$0")/rustc.sh" "${MILLWRIGHT_TRACE_RUSTDOC:-rustdoc}" "$@"
