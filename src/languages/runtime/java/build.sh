#!/bin/sh
# Compiles what we need of Java into FOLDER: build.sh FOLDER [agent|batch]. Both unless one is named. `agent.jar` says which test
# runs and ends one that takes too long, `batch` tests many candidates. Without a folder it says which compiler it would take.
sources=$(dirname "$0")
if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/javac" ]; then folder=$JAVA_HOME/bin/; else folder=; fi
compiler=$(command -v "${folder}javac") || exit 1
if [ $# -eq 0 ]; then
  compiler=$(readlink -f "$compiler")
  echo "$compiler"
  # A version manager's script becomes another compiler without a change of its own.
  cat "$(dirname "$(dirname "$compiler")")/release" 2>/dev/null || "$compiler" -version 2>&1
  exit
fi
cd "$1" || exit 1
if [ "${2:-agent}" = agent ]; then
  mkdir -p agent && printf 'Premain-Class: MillwrightAgent\n' >manifest.txt &&
    "$compiler" -nowarn -d agent "$sources/MillwrightAgent.java" >compile.log 2>&1 &&
    "${folder}jar" cfm agent.jar.new manifest.txt -C agent . && mv agent.jar.new agent.jar || exit 1
fi
if [ "${2:-batch}" = batch ]; then
  rm -rf batch.new && mkdir batch.new &&
    "$compiler" -nowarn -encoding UTF-8 -d batch.new "$sources/MillwrightBatch.java" "$sources/MillwrightBuilt.java" "$sources/MillwrightWorker.java" \
      "$sources/MillwrightEvents.java" "$sources/MillwrightJson.java" && mv batch.new batch || exit 1
fi
