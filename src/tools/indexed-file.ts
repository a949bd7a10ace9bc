import { fail, succeed } from "../base/result.ts";
import type { CodeGraph } from "../graph/contract.ts";
import type { ToolResult } from "./contract.ts";

const mostNamed = 3;

/**
 * Normalises a path that a model wrote, to a path relative to the repository. Accepts absolute paths inside the
 * repository, and a leading `./`.
 */
export function relativePath(repository: string, written: string): string {
  const inside = written.startsWith(`${repository}/`) ? written.slice(repository.length + 1) : written;
  return inside.replace(/^(?:\.\/)+/, "");
}

/**
 * Returns the path as the index spells it. Fails if the path is outside the repository, is not in the index, is a
 * folder, or does not exist. For a missing file, the failure names up to three files with the same name.
 */
export function findIndexedFile(repository: string, graph: CodeGraph, written: string): ToolResult<string> {
  const path = relativePath(repository, written);
  if (path.startsWith("/") || path.split("/").includes("..")) {
    return fail("refused", `${written} is outside the repository: give a path relative to its root.`);
  }
  const file = graph.file(path);
  if (file?.skipped !== undefined) return fail("refused", `${path} is not in the index: ${file.skipped}.`);
  if (file !== undefined) return succeed(path);
  const folder = `${path.replace(/\/+$/, "")}/`;
  if (graph.files().some((each) => each.path.startsWith(folder)))
    return fail("no-file", `${path} is a folder: give a file in it.`);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const alike = graph.files().filter((each) => `/${each.path}`.endsWith(`/${name}`));
  const there = alike.slice(0, mostNamed).map((each) => each.path);
  return fail(
    "no-file",
    `${path} is not a file of the repository, or git ignores it.${there.length === 0 ? "" : ` Similar: ${there.join(", ")}.`}`,
  );
}
