/** Reads texts of files inside the sandbox: the host may see other files, and links may lead out of the repository. */
import { wholeOutput } from "../base/captured-output.ts";
import type { ServerHost } from "./server-host.ts";

/** Limit in bytes for a file that a server gets. */
const fileLimit = 4 * 1024 ** 2;
const filesAtOnce = 40;

/**
 * Prints, for each file, its number of bytes on a line and then the bytes. Prints `-` for a file that cannot be read or
 * is too large. Also prints `-` if a link leads a path of the repository out of it.
 */
const script = `root=$(pwd -P)
for file do
  case $file in /*) inside=yes;; *) case $(readlink -f -- "$file") in "$root"/*) inside=yes;; *) inside=no;; esac;; esac
  if [ $inside = yes ] && [ -f "$file" ] && [ -r "$file" ] && [ "$(wc -c <"$file")" -le ${fileLimit} ]; then
    size=$(wc -c <"$file"); echo "$size"; head -c "$size" "$file"
  else echo -; fi
done`;

/**
 * Reads the texts of files, by path. Paths are absolute, or relative to the repository. Omits files that are
 * unreadable, too large, or outside the repository by a link.
 */
export async function readTexts(host: ServerHost, paths: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < paths.length; start += filesAtOnce) {
    const some = paths.slice(start, start + filesAtOnce);
    const result = await host.execute({
      run: ["sh", "-c", script, "sh", ...some.map((path) => (path.startsWith("-") ? `./${path}` : path))],
      timeoutMs: 30_000,
      outputBytes: filesAtOnce * (fileLimit + 32),
    });
    const output = wholeOutput(result.stdout);
    if (output !== undefined) split(output, some, found);
  }
  return found;
}

function split(output: Buffer, paths: readonly string[], found: Map<string, string>): void {
  let position = 0;
  for (const path of paths) {
    const end = output.indexOf("\n", position);
    if (end < 0) return;
    const size = output.toString("latin1", position, end).trim();
    position = end + 1;
    if (size === "-") continue;
    found.set(path, output.toString("utf8", position, position + Number(size)));
    position += Number(size);
  }
}
