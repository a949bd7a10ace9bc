#!/bin/sh
# Builds once and tests many candidates without the build tool: run-batch.sh REPORT RUNTIME COMMAND...
# With MILLWRIGHT_COVERAGE set, the tests that the command ran are run again for the lines that each executes.
# COMMAND builds and runs one test of each module; what its virtual machine was like is taken for all that follows, and its classes
# are kept: the next program in this checkout is compiled without COMMAND, unless more than Java sources changed.
report=$1
runtime=$2
tools=${MILLWRIGHT_BUILT_JAVA:-$(dirname "$report")/java-tools}
kept=$(dirname "$report")/java-built
home=${JAVA_HOME:+$JAVA_HOME/bin/}

batch() {
  [ -d "$tools/batch" ] || { mkdir -p "$tools" && sh "$runtime/java/build.sh" "$tools" batch; } || return
  "${home}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$tools/batch" MillwrightBatch \
    "$report" "$runtime/java" "$tools/batch" "$kept" "$@"
}

if [ -z "${MILLWRIGHT_COVERAGE:-}" ] && [ -f "$kept/files.txt" ]; then
  . "$runtime/java/describe.sh"
  batch direct
  code=$?
  [ "$code" -eq 3 ] || exit "$code"
fi

sh "$runtime/java/run-build.sh" "$@"
code=$?
set -- "$report"/machine-*.properties
[ -f "$1" ] || exit "$code"
batch
exit "$code"
