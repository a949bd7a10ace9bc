/**
 * Repeats changes of the user's files in a copy in which programs run. Writes from inside the copy's sandbox, so that
 * no link can redirect a write out of the copy.
 */
import { hostPath, parsePath } from "../workspace/byte-path.ts";
import type { Checkout } from "../workspace/contract.ts";
import { readFileOnce } from "../workspace/user-files.ts";

/**
 * Writes one file. Its arguments are the mode, the path and, for a link, its target. A file's bytes come on standard
 * input.
 */
const script = `set -e
case $2 in */*) mkdir -p -- "\${2%/*}";; esac
rm -rf -- "$2"
case $1 in
120000) ln -s -- "$3" "$2";;
100755) cat >"$2"; chmod 755 -- "$2";;
100644) cat >"$2";;
esac`;

/**
 * Copies the repository's current file to the same path in the checkout. If the repository no longer has the file,
 * deletes the copy. Returns false on failure.
 */
export async function copyFileInto(checkout: Checkout, repository: string, path: string): Promise<boolean> {
  const bytes = parsePath(path);
  if (bytes === undefined) return false;
  const file = readFileOnce(hostPath(repository, bytes), path);
  if (typeof file === "string") return false;
  const isLink = file?.mode === "120000";
  const target = isLink ? file.content.toString("utf8") : "";
  const shown = path.startsWith("-") ? `./${path}` : path;
  const run = ["sh", "-c", script, "sh", file?.mode ?? "none", shown, target];
  const { stdin, stdout, exited } = checkout.attach({ run });
  stdout.resume();
  stdin.on("error", () => {}); // It ended before it had read everything: its exit code says so.
  stdin.end(file === undefined || isLink ? undefined : file.content);
  const { exitCode } = await exited;
  return exitCode === 0;
}
