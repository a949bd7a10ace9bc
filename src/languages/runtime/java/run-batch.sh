#!/bin/sh
# Builds once and tests many candidates without the build tool: run-batch.sh REPORT RUNTIME COMMAND...
# With MILLWRIGHT_COVERAGE set, the tests that the command ran are run again for the lines that each executes.
# COMMAND builds and runs one test of each module; what its virtual machine was like is taken for all that follows.
report=$1
runtime=$2
sh "$runtime/java/run-build.sh" "$@"
code=$?
set -- "$report"/machine-*.properties
[ -f "$1" ] || exit "$code"

tools=${MILLWRIGHT_BUILT_JAVA:-$(dirname "$report")/java-tools}
home=${JAVA_HOME:+$JAVA_HOME/bin/}
[ -d "$tools/batch" ] || { mkdir -p "$tools" && sh "$runtime/java/build.sh" "$tools" batch; } || exit "$code"
"${home}java" -XX:TieredStopAtLevel=1 -cp "$tools/batch" MillwrightBatch "$report" "$runtime/java" "$tools/batch"
exit "$code"
