#!/bin/sh
# Runs a build tool with the tests' reports collected: run-build.sh REPORT RUNTIME COMMAND...
# Leaves in REPORT: where.txt (the folder), sources.txt, output.log, and in results.txt every JUnit report that this
# run wrote, each behind a line "@@report PATH". Reports of earlier runs do not count: they are older than the file "started".
report=$1
runtime=$2
shift 2

. "$runtime/java/describe.sh"

# JUnit reports that are newer than a file, one behind the other.
collect() {
  find . \( -name .git -o -name node_modules -o -name test-classes -o -name classes -o -name src \) -prune -o -type f \
    -name 'TEST-*.xml' -newer "$1" -exec sh -c 'for file; do printf "\n@@report %s\n" "$file"; cat "$file"; done' _ {} +
}

: > "$report/started"

# Our agent says which test runs, and ends one that takes too long. MILLWRIGHT_BUILT_JAVA is where it was compiled before;
# otherwise that is done here, once per checkout.
tools=${MILLWRIGHT_BUILT_JAVA:-$(dirname "$report")/java-tools}
[ -f "$tools/agent.jar" ] || { mkdir -p "$tools" && sh "$runtime/java/build.sh" "$tools" agent; } > /dev/null 2>&1
if [ -f "$tools/agent.jar" ]; then
  JAVA_TOOL_OPTIONS="-javaagent:$tools/agent.jar=${MILLWRIGHT_TEST_TIMEOUT:-0},$report ${JAVA_TOOL_OPTIONS:-}"
  export JAVA_TOOL_OPTIONS
fi

# Maven copies resources to target, and never deletes a copy. Deletes the copies of files that are gone since the last run here.
present=$(dirname "$report")/java-files-$(pwd | cksum | cut -d ' ' -f 1)
find . \( -name .git -o -name node_modules -o -name target ! -path '*/src/*' \) -prune -o ! -type d ! -name '*.java' -print > "$present.now"
if [ -f "$present" ]; then
  find . \( -path '*/target/classes/*' -o -path '*/target/test-classes/*' \) ! -type d ! -name '*.class' -print | awk '
    FILENAME == ARGV[1] { now[$0]; next }
    FILENAME == ARGV[2] { if (!($0 in now)) gone[$0]; next }
    {
      name = $0; sub(/.*\/target\/(test-)?classes/, "", name)
      module = substr($0, 1, length($0) - length(name)); sub(/target\/(test-)?classes$/, "", module)
      for (path in gone)
        if (index(path, module) == 1 && substr(path, length(path) - length(name) + 1) == name) { print; break }
    }
  ' "$present.now" "$present" - | while IFS= read -r copy; do rm -f "$copy"; done
fi
mv "$present.now" "$present"

# What is finished is kept when the run is killed.
(
  touch "$report/last"
  while sleep 2; do
    touch "$report/next"
    collect "$report/last" >> "$report/results-so-far.txt"
    mv "$report/next" "$report/last"
  done
) &
collector=$!

# The build's output also goes to our own, where tests can add lines and take none away, and its exit code is ours.
mkfifo "$report/output"
tee "$report/output.log" < "$report/output" &
copier=$!
"$@" > "$report/output" 2>&1
code=$?
wait "$copier"

kill "$collector" 2> /dev/null
collect "$report/started" > "$report/results.txt"
exit "$code"
