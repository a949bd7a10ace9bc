/** Finds the builds of a Java repository, with their modules, by the build files. */
import { folderOf } from "../../base/folder-of.ts";
import type { ProjectView } from "../contract.ts";

export interface JavaBuild {
  /** Folder of the outermost description, relative to the root of the repository; "" is the root. */
  readonly directory: string;
  /** The path of the outermost build file. */
  readonly description: string;
  /** Folders of the build and of its modules, relative to the repository, the deepest first. */
  readonly modules: readonly string[];
  readonly hasTests: boolean;
}

/** Maximum number of builds in one repository. Further ones are usually samples and test data. */
const mostBuilds = 3;

/**
 * Finds at most three builds whose build file has one of the given names. A module of an outer build is not a build
 * itself.
 */
export function findJavaBuilds(project: ProjectView, names: readonly string[]): readonly JavaBuild[] {
  const described = project.files.filter((file) => names.includes(baseName(file)) && !isForeign(file));
  const folders = [...new Set(described.map(folderOf))].sort(
    (a, b) => depth(a) - depth(b) || (a < b ? -1 : 1),
  );
  const roots = folders.filter(
    (folder) => !folders.some((other) => other !== folder && isBelow(folder, other)),
  );
  return roots.slice(0, mostBuilds).map((directory) => ({
    directory,
    description: described.find((file) => folderOf(file) === directory) ?? "",
    modules: folders.filter((folder) => isBelow(folder, directory)).reverse(),
    hasTests: project.files.some((file) => isBelow(file, directory) && /(^|\/)(src\/)?test\//.test(file)),
  }));
}

function isForeign(file: string): boolean {
  return /(^|\/)(node_modules|src\/(test|it|main)\/resources|target|build\/(?!\.))\//.test(file);
}

export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function depth(folder: string): number {
  return folder === "" ? 0 : folder.split("/").length;
}
