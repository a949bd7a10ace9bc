#!/bin/sh
# Compiles our modules for Python's tests into FOLDER, beside their sources: build.sh FOLDER. Each start would do it again, which is a
# fifth of what it costs. Without a folder it says which interpreter it would take; another version takes the sources.
if [ $# -eq 0 ]; then exec python3 -VV; fi
cp "$(dirname "$0")"/*.py "$1" && exec python3 -m compileall -q "$1"
