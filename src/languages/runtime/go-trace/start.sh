#!/bin/sh
# Becomes the command that it is given, with a build cache that Go can write.
. "$(dirname "$0")/../go/cache.sh"
exec "$@"
