/** Reads a run of a Java build back from the run's report folder. */
import { folderOf } from "../../base/folder-of.ts";
import type { ReportRequest } from "../contract.ts";
import { isBelow } from "./java-modules.ts";
import { type BuildRequest, readBuildRequest } from "./java-request.ts";
import { type FindSource, indexSources } from "./java-stack.ts";

export interface BuildRun extends ReportRequest {
  readonly asked: BuildRequest;
  /** Folder of the build relative to the repository. */
  readonly directory: string;
  /** The paths of the project's sources, relative to the repository. */
  readonly sources: readonly string[];
  readonly findSource: FindSource;
}

export function textOfFile(request: ReportRequest, name: string): string {
  return request.files.get(name)?.toString("utf8") ?? "";
}

export function openRun(request: ReportRequest): BuildRun {
  const where = textOfFile(request, "where.txt").trim();
  const directory = where.startsWith(`${request.root}/`) ? where.slice(request.root.length + 1) : "";
  const asked = readBuildRequest(textOfFile(request, "request.txt")) ?? {
    selection: { kind: "all" as const },
    modules: [directory],
  };
  const prefix = directory === "" ? "" : `${directory}/`;
  const sources = textOfFile(request, "sources.txt")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => prefix + line.replace(/^\.\//, ""));
  return { ...request, asked, directory, sources, findSource: indexSources(sources) };
}

/**
 * Returns the module to which a report or a source belongs: the deepest module folder around it, or else the build's
 * own folder.
 */
export function moduleOf(run: BuildRun, path: string): string {
  return run.asked.modules.find((module) => isBelow(folderOf(path), module)) ?? run.directory;
}

export function outputOf(run: ReportRequest): string {
  return run.files.has("output.log") ? textOfFile(run, "output.log") : `${run.stdout}\n${run.stderr}`;
}
