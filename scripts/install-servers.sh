#!/bin/sh
# Installs the language servers that registries have into the folder where Millwright looks for them beside PATH; the others
# come with their toolchains (`millwright doctor` tells). What cannot be installed is said and left out.
set -eu
folder=${1:-$HOME/.local/share/millwright/servers}
mkdir -p "$folder"

npm install --prefix "$folder" --save-exact --ignore-scripts --no-audit --no-fund --loglevel=error \
  pyright@1.1.414 typescript@7.0.2 || echo "pyright and typescript: not installed"

# The last version that builds with Go 1.26.
if command -v go >/dev/null; then
  GOBIN="$folder/bin" go install golang.org/x/tools/gopls@v0.23.0 || echo "gopls: not installed"
else
  echo "gopls: not installed, there is no go"
fi
