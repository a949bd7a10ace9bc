/** The texts of a user's repository: what may be read for an answer and edited. Everything else is refused, with the reason. */
import { isUtf8 } from "node:buffer";
import { fail, type Result, succeed } from "../base/result.ts";
import { type BytePath, hostPath, parentOf, parsePath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { createFolderCheck, readFileOnce } from "./user-files.ts";

/** Bytes; nobody writes a longer text by hand. */
const longestText = 5 * 2 ** 20;

/**
 * The text of a file, a byte order mark included; undefined where there is no file. `path` is relative to the repository, with
 * `/`. Links are not followed, of folders neither: they may lead out of the repository.
 */
export function readRepositoryText(repository: string, path: string): Result<string | undefined, "refused"> {
  const problem = pathProblem(path);
  if (problem !== undefined) return fail("refused", `${path} ${problem}.`);
  const place = parsePath(path);
  if (place === undefined) return fail("refused", `${path} is no path.`);
  const folder = parentOf(place);
  if (!createFolderCheck(repository).isReal(folder)) {
    if (!isBehindLink(repository, folder)) return succeed(undefined);
    return fail("refused", `${path} lies behind a symbolic link: links are not followed.`);
  }
  const status = statNow(hostPath(repository, place));
  if (status?.isDirectory()) return fail("refused", `${path} is a folder.`);
  if (status?.isSymbolicLink()) return fail("refused", `${path} is a symbolic link: links are not followed.`);
  if (status !== undefined && status.size > longestText) {
    return fail("refused", `${path} is larger than ${longestText / 2 ** 20} MiB.`);
  }
  const file = readFileOnce(hostPath(repository, place), path);
  if (file === undefined) return succeed(undefined);
  if (typeof file === "string") return fail("refused", `${file}.`);
  if (file.content.includes(0)) return fail("refused", `${path} is binary: it has no text.`);
  if (!isUtf8(file.content)) return fail("refused", `${path} is not encoded in UTF-8.`);
  return succeed(file.content.toString("utf8"));
}

function isBehindLink(repository: string, folder: BytePath): boolean {
  if (folder === "") return false;
  const isLink = statNow(hostPath(repository, folder))?.isSymbolicLink() ?? false;
  return isLink || isBehindLink(repository, parentOf(folder));
}

function pathProblem(path: string): string | undefined {
  const parts = path.split("/");
  if (path === "") return "is no path";
  if (path.startsWith("/") || parts.includes("..")) return "does not lie in the repository";
  if (parts.includes(".git")) return "belongs to git";
  if (path.includes("\0") || parts.includes("") || parts.includes("."))
    return "is no path from the repository's root";
  return undefined;
}
