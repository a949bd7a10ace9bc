/** Calls of scripts by other scripts: `npm run build`, `yarn --cwd packages/a test`, `run-s test:*`. */
import { posix } from "node:path";
import type { ProjectView } from "../contract.ts";
import { baseName } from "./javascript-programs.ts";
import type { ShellWord } from "./javascript-shell.ts";
import { readManifest } from "./package-manifest.ts";

/** The place of a script's call: the folder in which it runs. */
export interface Caller {
  readonly project: ProjectView;
  readonly directory: string;
}

export interface ScriptCall {
  readonly directory: string;
  readonly names: readonly string[];
  /** Arguments for the last script: those after `--`, and without npm also those after the script's name. */
  readonly extra: readonly ShellWord[];
}

export function readScriptCall(place: Caller, words: readonly ShellWord[]): ScriptCall | undefined {
  const [first, ...rest] = words;
  const program = baseName(first?.text ?? "");
  if (/^(?:npm-run-all|run-s|run-p|npm-run-all2)$/.test(program)) {
    const names = rest.map((word) => word.text).filter((text) => !text.startsWith("-"));
    return { directory: place.directory, names: expandNames(place, names), extra: [] };
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  return readManagerCall(place, program, rest);
}

function readManagerCall(
  place: Caller,
  program: string,
  words: readonly ShellWord[],
): ScriptCall | undefined {
  if (program === "yarn" && words[0]?.text === "workspace")
    return readManagerCall(inMember(place, words[1]?.text ?? ""), program, words.slice(2));
  const extra: ShellWord[] = [];
  const named: ShellWord[] = [];
  let directory = place.directory;
  for (let index = 0; index < words.length; index++) {
    const one = words[index];
    if (one === undefined) break;
    const isRoot = program === "pnpm" && /^(?:-w|--workspace-root)$/.test(one.text);
    const folder = /^(?:--prefix|-C|--dir|--cwd|--workspace|-w)(?:=(.*))?$/.exec(one.text);
    const filter = named.length === 0 ? /^(?:--filter|-F)(?:=(.*))?$/.exec(one.text) : null;
    if (one.text === "--") {
      extra.push(...words.slice(index + 1));
      break;
    }
    if (isRoot) directory = "";
    else if (folder)
      directory = findMember(place.project, directory, folder[1] ?? words[++index]?.text ?? "");
    else if (filter) {
      directory = findMember(place.project, directory, filter[1] ?? words[++index]?.text ?? "");
      // A pattern of several members.
      if (readManifest(place.project, directory) === undefined) return undefined;
    } else if (named.length > 0 && named.at(-1)?.text !== "run" && program !== "npm") extra.push(one);
    else if (!one.text.startsWith("-")) named.push(one);
  }
  const [verb, script] = named.map((one) => one.text);
  if (verb === "run" || verb === "run-script")
    return script ? { directory, names: [script], extra } : undefined;
  if (verb === "test" || verb === "t" || verb === "tst") return { directory, names: ["test"], extra };
  const known =
    program !== "npm" && verb !== undefined && readManifest(place.project, directory)?.scripts[verb];
  return known ? { directory, names: [verb], extra } : undefined;
}

function inMember(place: Caller, given: string): Caller {
  return { ...place, directory: findMember(place.project, place.directory, given) };
}

/** The folder of a workspace member that is given by folder or by name. */
function findMember(project: ProjectView, directory: string, given: string): string {
  const folder = enterFolder(directory, given);
  if (project.files.includes(posix.join(folder, "package.json"))) return folder;
  const file = project.files.find((path) => {
    if (posix.basename(path) !== "package.json") return false;
    return readManifest(project, enterFolder("", posix.dirname(path)))?.name === given;
  });
  return file === undefined ? folder : enterFolder("", posix.dirname(file));
}

/** Replaces `test:*` by the names of all scripts with this beginning. */
function expandNames(place: Caller, names: readonly string[]): string[] {
  const known = Object.keys(readManifest(place.project, place.directory)?.scripts ?? {});
  return names.flatMap((name) => {
    if (!name.includes("*")) return [name];
    const pattern = name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, "[^:]*");
    return known.filter((one) => new RegExp(`^${pattern}$`).test(one));
  });
}

/** Returns the folder after `cd FOLDER` in `directory`. Folders are relative to the root. */
export function enterFolder(directory: string, folder: string): string {
  const entered = posix.join(directory, folder);
  return entered === "." ? "" : entered.replace(/\/$/, "");
}
