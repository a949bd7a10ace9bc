#!/bin/sh
# Compiles our runtime where that was not done yet, and becomes the command: start.sh MAVEN-OPTIONS COMMAND...
# MILLWRIGHT_TRACE_JAVA: the folder with plan.txt, in which the classes are put. Without a compiler nothing is recorded.
here=$(dirname "$0")
options=$1
shift
classes=$MILLWRIGHT_TRACE_JAVA/classes
sum=$(cat "$here"/*.java | cksum)
if [ "$(cat "$classes.sum" 2> /dev/null)" != "$sum" ]; then
  compiler=${JAVA_HOME:+$JAVA_HOME/bin/}javac
  rm -rf "$classes" "$classes.new"
  mkdir -p "$classes.new"
  # Programs may run on an older Java than the compiler's; old compilers do not know the option, new ones not the version.
  if "$compiler" -nowarn -encoding UTF-8 --release 8 -d "$classes.new" "$here"/*.java > "$classes.log" 2>&1 ||
    "$compiler" -nowarn -encoding UTF-8 -d "$classes.new" "$here"/*.java >> "$classes.log" 2>&1; then
    mv "$classes.new" "$classes"
    echo "$sum" > "$classes.sum"
  else
    cat "$classes.log" >&2
  fi
fi
MAVEN_OPTS="$options${MAVEN_OPTS:+ $MAVEN_OPTS}"
export MAVEN_OPTS
exec "$@"
