/** Finds the scripts that a command calls: targets of Makefiles, environments of tox and nox, tasks, shell scripts. */

import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";
import { findToxScripts } from "../python/tox.ts";
import { readMakefile, recipeOf } from "./makefile.ts";
import { findTask } from "./task-files.ts";

export interface SimpleCommand {
  /** The folder in which the command runs, relative to the root. */
  readonly directory: string;
  /** One command without `&&`, pipes or assignments, as a person would type it. */
  readonly text: string;
  /** Variables that the script's file and the command itself set. */
  readonly env: Readonly<Record<string, string>>;
  /** The file, and the calls that led to the command: `.github/workflows/ci.yml, job test → make test`. */
  readonly foundBy: string;
}

type Script = SimpleCommand;

/**
 * Finds the scripts that a command such as `make test`, `tox -e py`, `just test` or `./test.sh` runs. Undefined for
 * other commands.
 */
export function findCalled(
  project: ProjectView,
  place: Script,
  words: readonly string[],
): Script[] | undefined {
  const [program = "", ...rest] = leaveEnvironment(words);
  const name = posix.basename(program);
  if (name === "make" || name === "gmake") return callMake(project, place, rest);
  if (
    name === "tox" ||
    name === "nox" ||
    (/^python[\d.]*$/.test(name) && /^(?:tox|nox)$/.test(rest[1] ?? ""))
  ) {
    const args = name === "tox" || name === "nox" ? [name, ...rest] : rest.slice(1);
    return follow(place, args.join(" "), findToxScripts(project, place.directory, args));
  }
  const task = findTask(project, place.directory, [name, ...rest]);
  if (task !== undefined) return follow(place, [name, ...rest].join(" "), task);
  const path = /^(?:ba|da|z)?sh$/.test(name) ? rest.find((word) => !word.startsWith("-")) : program;
  return path === undefined ? undefined : callShellScript(project, place, path);
}

/**
 * Drops a tool that enters an environment before it starts the program: `uv run --with tox tox`, `poetry run make
 * test`.
 */
function leaveEnvironment(words: readonly string[]): readonly string[] {
  const [tool = "", verb] = words;
  const enters = /^(?:uv|poetry|pipenv|pdm|rye)$/.test(tool) && verb === "run";
  const isTool = tool === "uvx" || tool === "pipx";
  if (!enters && !isTool) return words;
  const at = words.findIndex(
    (word, index) => index > 0 && /^(?:tox|nox|make|poe|task|just|sh|bash)$/.test(word),
  );
  return at === -1 ? words : words.slice(at);
}

function follow(
  place: Script,
  call: string,
  scripts: readonly Pick<Script, "directory" | "text" | "env">[],
): Script[] {
  return scripts.map((script) => ({
    ...script,
    env: { ...place.env, ...script.env },
    foundBy: `${place.foundBy} → ${call}`,
  }));
}

function callMake(project: ProjectView, place: Script, words: readonly string[]): Script[] | undefined {
  let directory = place.directory;
  const given = new Map<string, string>();
  const targets: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const set = /^(\w+)=(.*)$/s.exec(word);
    if (word === "-C") directory = enter(directory, words[++at] ?? "");
    else if (set) given.set(set[1] ?? "", set[2] ?? "");
    else if (!word.startsWith("-") && !/^\d+$/.test(word)) targets.push(word);
  }
  const makefile = readMakefile(project, directory);
  if (makefile === undefined) return undefined;
  const wanted =
    targets.length > 0
      ? targets
      : [...makefile.targets.keys()].filter((name) => !name.startsWith(".")).slice(0, 1);
  // Each line of a recipe has a shell of its own: a `cd` ends with it.
  return wanted.flatMap((target) =>
    recipeOf(makefile, target, given).map(({ text }) => ({
      directory,
      env: place.env,
      text,
      foundBy: `${place.foundBy} → make ${target}`,
    })),
  );
}

function callShellScript(project: ProjectView, place: Script, path: string): Script[] | undefined {
  if (path.startsWith("/") || !(path.includes("/") || /\.(?:sh|bash)$/.test(path))) return undefined;
  const file = enter(place.directory, path);
  const text = project.read(file);
  if (text === undefined || !(/\.(?:sh|bash)$/.test(file) || /^#!.*\b(?:ba|da|z)?sh\b/.test(text)))
    return undefined;
  const said = text
    .replaceAll(/"?\$(?:@|\*|\{@[^}]*\}|\{\*[^}]*\})"?/g, "")
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1");
  return [{ ...place, text: said, foundBy: `${place.foundBy} → ${quoteWord(path)}` }];
}

/**
 * Returns the folder after `cd FOLDER`. A folder that the text computes (`$(dirname $0)/..`), an absolute one, and one
 * outside the repository count as `directory` itself.
 */
export function enter(directory: string, folder: string): string {
  if (/[$`]|^[/~]/.test(folder)) return directory;
  const entered = enterFolder(directory, folder);
  return entered.startsWith("..") ? directory : entered;
}
