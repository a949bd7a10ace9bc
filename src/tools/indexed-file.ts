import { fail, type Result, succeed } from "../base/result.ts";
import type { CodeGraph } from "../graph/contract.ts";
import type { ToolFailureKind } from "./contract.ts";

/** The path as the index has it; a failure says what the path is instead. */
export function findIndexedFile(graph: CodeGraph, written: string): Result<string, ToolFailureKind> {
  const path = written.replace(/^(?:\.\/)+/, "");
  if (path.startsWith("/") || path.split("/").includes("..")) {
    return fail("refused", `${written} does not lie in the repository: give the path relative to its root.`);
  }
  const file = graph.file(path);
  if (file === undefined)
    return fail("not-found", `${path} is no file of the repository that git does not ignore.`);
  if (file.skipped !== undefined) return fail("refused", `${path} is not in the index: ${file.skipped}.`);
  return succeed(path);
}
