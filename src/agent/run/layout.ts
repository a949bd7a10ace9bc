/**
 * Describes the layout of a repository in one sentence: its top folders with their kinds of files. The code graph
 * defines these kinds. Pure.
 */
import { type FileKind, fileKindOf } from "../../graph/forms/file-kind.ts";
import { languageOf } from "../../languages/source-files.ts";

const most = 8;
/** The beginning of a fact about the layout. Only the newest fact about the layout counts. */
export const layoutFact = "Layout: ";

/**
 * Describes the outer folders of a repository (at most eight, those with the most files first); "" without folders.
 * Omits hidden folders.
 */
export function describeLayout(paths: readonly string[]): string {
  const folders = Map.groupBy(
    paths.filter((path) => path.includes("/") && !path.startsWith(".")),
    (path) => path.slice(0, path.indexOf("/")),
  );
  const listed = [...folders]
    .sort(([one, its], [other, others]) => others.length - its.length || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([folder, files]) => `${folder}/ (${describe(files)})`);
  return listed.length === 0 ? "" : `${layoutFact}${listed.join("; ")}.`;
}

const words: Readonly<Record<FileKind, string>> = {
  source: "sources",
  test: "tests",
  document: "documents",
  example: "examples",
  generated: "generated files",
  configuration: "configuration",
};

/** Describes a folder by its two most frequent kinds of files: `sources in python: 12, tests: 3`. */
function describe(files: readonly string[]): string {
  const kinds = [...Map.groupBy(files, fileKindOf)].sort(([, one], [, other]) => other.length - one.length);
  return kinds
    .slice(0, 2)
    .map(([kind, its]) => `${words[kind]}${kind === "source" ? languagesOf(its) : ""}: ${its.length}`)
    .join(", ");
}

function languagesOf(files: readonly string[]): string {
  const names = [...new Set(files.flatMap((path) => languageOf(path)?.name ?? []))];
  return names.length === 0 ? "" : ` in ${names.slice(0, 2).join(" and ")}`;
}
