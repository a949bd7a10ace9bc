/**
 * Opens the user's files as texts that can be edited. Refuses all other files, with a reason for the author of the
 * edit.
 */
import { isUtf8 } from "node:buffer";
import { readlinkSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import { type BytePath, hostPath, parentOf, parsePath, showPath } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { findNameProblem, longestName } from "./forbidden-names.ts";
import { listRepositoryFiles } from "./repository-files.ts";
import { readFileOnce } from "./user-files.ts";

export interface TextFiles {
  /**
   * Returns the text with its byte order mark and line breaks; undefined if the file does not exist. Returns the reason
   * if the file may not be edited.
   */
  read(path: string): Promise<Result<string | undefined, "refused">>;
  /** Lists tracked and untracked files that are not ignored. */
  list(): Promise<readonly string[]>;
}

/**
 * Maximum size in bytes of a file that edits may change. People do not edit larger files by hand, and a model could not
 * read them.
 */
export const largestText = 8 * 1024 * 1024;

/**
 * Opens the text files of a repository. `repository`: a real path. `directory`: an existing folder of ours. `home`: the
 * user's folder with ignore rules. Only `list` uses `directory` and `home`.
 */
export function openTextFiles(repository: string, directory: string, home?: string): TextFiles {
  let listed: Promise<readonly string[]> | undefined;
  return {
    async read(path) {
      const place = checkPath(repository, path);
      return place.ok ? readText(repository, place.value, path) : place;
    },
    list() {
      listed ??= listFiles(repository, directory, home);
      return listed;
    },
  };
}

async function listFiles(
  repository: string,
  directory: string,
  home: string | undefined,
): Promise<readonly string[]> {
  const { files } = await listRepositoryFiles({ repository, directory, home });
  return files.map(showPath);
}

/**
 * Checks the path of a file to edit, which need not exist. Refuses paths outside the repository, paths through a link,
 * git's own files, folders and special files. Also refuses new names that `findNameProblem` rejects.
 */
export function checkPath(repository: string, path: string): Result<BytePath, "refused"> {
  const refuse = (reason: string): Result<BytePath, "refused"> => fail("refused", `${path} ${reason}`);
  const isOurs = path.startsWith(`${repository}/`);
  const parts = (isOurs ? path.slice(repository.length + 1) : path).split("/").filter((part) => part !== ".");
  if (!isOurs && path.startsWith("/"))
    return refuse("is outside the repository: give a path relative to its root.");
  if (parts.includes("..")) return refuse("could lead outside the repository: leave out `..`.");
  if (parts.includes("") || path.includes("\0")) return refuse("is not a path of a file.");
  if (parts.some((part) => part.toLowerCase() === ".git"))
    return refuse("belongs to git, which edits may not change.");
  const bytes = parsePath(parts.join("/"));
  if (bytes === undefined) return refuse("begins with a quotation mark, so it is not a path of a file.");
  if (bytes.split("/").some((name) => name.length > longestName))
    return refuse("has a name that is too long.");
  for (let folder = parentOf(bytes); folder !== ""; folder = parentOf(folder)) {
    const status = statNow(hostPath(repository, folder));
    if (status?.isSymbolicLink()) return refuse(describeLink(repository, folder));
    if (status !== undefined && !status.isDirectory())
      return refuse(`cannot exist: ${showPath(folder)} is a file.`);
  }
  const status = statNow(hostPath(repository, bytes));
  const problem = status === undefined ? findNameProblem(showPath(bytes)) : undefined;
  if (problem !== undefined) return refuse(`${problem}.`);
  if (status?.isSymbolicLink()) return refuse(describeLink(repository, bytes));
  if (status?.isDirectory()) return refuse("is a folder.");
  if (status !== undefined && !status.isFile())
    return refuse("is not a regular file (socket, pipe or device).");
  return succeed(bytes);
}

function describeLink(repository: string, path: BytePath): string {
  const link = hostPath(repository, path);
  try {
    const target = relative(repository, realpathSync(link));
    if (target === ".." || target.startsWith("../"))
      return "leads outside the repository through a link, so it is not edited.";
    return `leads through the link ${showPath(path)} to ${target}: edit the file there.`;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `leads through the link ${showPath(path)} to ${readlinkSync(link)}, which does not exist.`;
  }
}

function readText(repository: string, bytes: BytePath, path: string): Result<string | undefined, "refused"> {
  const file = hostPath(repository, bytes);
  const size = statNow(file)?.size ?? 0;
  if (size > largestText) {
    const [has, most] = [size, largestText].map((count) => (count / 1024 / 1024).toFixed(1));
    return fail("refused", `${path} is too large to edit: ${has} MiB, and the limit is ${most}.`);
  }
  const read = readFileOnce(file, path);
  if (read === undefined) return succeed(undefined);
  if (typeof read === "string") return fail("refused", read);
  if (read.content.includes(0) || !isUtf8(read.content))
    return fail("refused", `${path} is binary, or not UTF-8 text, so it is not edited.`);
  return succeed(read.content.toString("utf8"));
}
