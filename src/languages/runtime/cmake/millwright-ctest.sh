#!/bin/sh
# Configures and builds a CMake project outside of its sources and runs its tests. In the folder with the CMakeLists.txt;
# arguments: cmake's options. From the environment: MILLWRIGHT_REPORT and MILLWRIGHT_BUILD (folders), MILLWRIGHT_PREFIX (the
# folder's own path in the repository, with / at its end, or nothing), MILLWRIGHT_CTEST_OPTIONS (one a line),
# MILLWRIGHT_SELECTION_0 … (what to run, gzip in base64: lines of TARGET or TARGET<tab>NAME; without it all).
# A project that declares no test has one for each program that is built from tests, by its name or its sources: its exit code.
# Leaves in the report folder: configure.log, build.log, build-status, targets (FILE<tab>CMAKE'S NAME<tab>SOURCE<tab>TYPE), tests
# (NUMBER<tab>TARGET<tab>CMAKE'S NAME<tab>NAME), selection, junit.xml and ctest.log. POSIX sh and awk, no more.
set -u
report=$MILLWRIGHT_REPORT
build=$MILLWRIGHT_BUILD
mkdir -p "$build/.cmake/api/v1/query" || exit 1
: > "$build/.cmake/api/v1/query/codemodel-v2"

# CMake keeps the values of options, although their defaults change, and our list of undeclared tests. Removes both.
described=$(find . -name .git -prune -o -type f \( -name CMakeLists.txt -o -name '*.cmake*' \) -exec cksum {} + | sort)
[ "$described" = "$(cat "$build/described" 2> /dev/null)" ] || rm -f "$build/CMakeCache.txt"
printf '%s\n' "$described" > "$build/described"
rm -f "$build/CTestTestfile.cmake"

if ! cmake -S . -B "$build" "$@" > "$report/configure.log" 2>&1; then
  cat "$report/configure.log" >&2
  exit 1
fi
keep=
case $(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt") in
  *Makefiles) keep='-- -k' ;;
  Ninja*) keep='-- -k 0' ;;
esac
# shellcheck disable=SC2086
cmake --build "$build" --parallel "${MILLWRIGHT_JOBS:-2}" $keep > "$report/build.log" 2>&1
echo $? > "$report/build-status"
grep -i 'error' "$report/build.log" | head -n 20 >&2

# Which file was made from which sources, from the answer of CMake's file API: its newest, where older ones are left.
index=$(ls "$build/.cmake/api/v1/reply/" | grep '^index-' | tail -n 1)
awk '
  function flush() { if (artifact != "") print artifact "\t" name "\t" (test != "" ? test : first) "\t" type; artifact = name = first = test = part = type = "" }
  FNR == 1 { flush() }
  /^\t"(artifacts|sources)" :/ { part = $1 }
  /^\t[]}]/ { part = "" }
  /^\t"name" :/ { name = value($0) }
  /^\t"type" :/ { type = value($0) }
  /^\t\t\t"path" :/ {
    path = value($0)
    if (part == "\"artifacts\"" && artifact == "") artifact = path
    if (part == "\"sources\"" && path !~ /^\// && path !~ /\.(h|hh|hpp|hxx|rule|txt|in)$/) {
      if (first == "") first = path
      if (test == "" && path ~ /[Tt]est|[Ss]pec/) test = path
    }
  }
  END { flush() }
  function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
' $(awk -v folder="$build/.cmake/api/v1/reply/" '
  /"jsonFile" : "codemodel/ { sub(/.*: "/, ""); sub(/".*/, ""); while ((getline line < (folder $0)) > 0)
    if (line ~ /"jsonFile" : "target-/) { sub(/.*: "/, "", line); sub(/".*/, "", line); print folder line } ; exit }
' "$build/.cmake/api/v1/reply/$index") /dev/null > "$report/targets"

cd "$build" || exit 1
if ! ctest -N 2> /dev/null | grep -q '^Total Tests: [1-9]'; then
  awk -F '\t' -v build="$build/" -v folder="$OLDPWD" '
    $4 == "EXECUTABLE" && ($2 ~ /[Tt]est|[Ss]pec|TEST/ || $3 ~ /[Tt]est|[Ss]pec/) {
      path = $1; if (path !~ /^\//) path = build path
      printf "add_test([=[%s]=] [=[%s]=])\nset_tests_properties([=[%s]=] PROPERTIES WORKING_DIRECTORY [=[%s]=])\n", $2, path, $2, folder
    }
  ' "$report/targets" > CTestTestfile.cmake
fi
ctest -N -V 2> /dev/null | awk -v build="$build/" -v root="$OLDPWD/" -v prefix="$MILLWRIGHT_PREFIX" -v targets="$report/targets" '
  BEGIN {
    while ((getline line < targets) > 0) {
      split(line, part, "\t"); path = part[1]
      if (path !~ /^\//) path = build path
      source[path] = part[3]; made[path] = part[2]
    }
  }
  /^Could not find executable / { lost = $0; sub(/^Could not find executable /, "", lost) }
  /^[0-9]+: Test command: / { command = $0; sub(/^[0-9]+: Test command: /, "", command) }
  /^  Test +#[0-9]+: / {
    program = command; sub(/ ".*/, "", program)
    if (program == "") program = lost
    target = source[program] == "" ? "" : prefix source[program]
    rest = command
    while (target == "" && match(rest, /"[^"]*"/)) {
      word = substr(rest, RSTART + 1, RLENGTH - 2); rest = substr(rest, RSTART + RLENGTH)
      if (index(word, root) == 1) target = prefix substr(word, length(root) + 1)
    }
    if (target == "") { target = program; sub(/.*\//, "", target) }
    number = $0; sub(/^  Test +#/, "", number); sub(/:.*/, "", number)
    name = $0; sub(/^  Test +#[0-9]+: /, "", name); sub(/ \(Disabled\)$/, "", name)
    print number "\t" target "\t" made[program] "\t" name
    command = lost = ""
  }
' > "$report/tests"

# Also where no test can change it.
printf '@@tests %s\n' "$(gzip -c < "$report/tests" | base64 | tr -d '\n')"

set -f
IFS='
'
# shellcheck disable=SC2086
set -- $MILLWRIGHT_CTEST_OPTIONS
if [ -n "${MILLWRIGHT_SELECTION_0:-}" ]; then
  part=0
  while eval "[ -n \"\${MILLWRIGHT_SELECTION_$part:-}\" ]"; do
    eval "printf %s \"\$MILLWRIGHT_SELECTION_$part\""
    part=$((part + 1))
  done | base64 -d | gzip -d > "$report/selection"
  numbers=$(awk -F '\t' '
    FILENAME ~ /selection$/ { wanted[$0] = 1; next }
    $2 in wanted || ($2 "\t" $4) in wanted { printf ",%s", $1 }
  ' "$report/selection" "$report/tests")
  [ -n "$numbers" ] || exit 0
  echo "0,0,0$numbers" > "$report/numbers"
  set -- -I "$report/numbers" "$@"
fi
exec ctest --output-junit "$report/junit.xml" -O "$report/ctest.log" "$@"
