/** Reads the commands that start Python test runners, as people and CI files write them, and writes our own. */
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";

export interface PythonCommand {
  /** The folder in which the program runs, relative to the root. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Words that start the runner, e.g. [`python3`, `-m`, `pytest`], [`.venv/bin/pytest`]. */
  readonly start: readonly string[];
  /** The started runner: `pytest` or `unittest`. */
  readonly runner: string;
  readonly args: readonly string[];
}

/** Folders of a project's own environment, relative to the folder in which the command runs. */
const environments = [".venv", "venv", "env", ".env", "virtualenv"];

/** Tools that run a command in the project's environment: `uv run pytest`. */
const environmentTools = new Set(["uv", "poetry", "pipenv", "pdm", "hatch", "rye"]);

/** Returns the project's own interpreter, from the folder or else from the root. If the project has none, `python3`. */
export function findInterpreter(project: ProjectView, directory: string): string {
  const up = directory === "" ? "" : `${directory.replaceAll(/[^/]+/g, "..")}/`;
  for (const environment of environments) {
    const path = `${environment}/bin/python`;
    if (project.exists(directory === "" ? path : `${directory}/${path}`)) return path;
  }
  for (const environment of environments) {
    if (project.exists(`${environment}/bin/python`)) return `${up}${environment}/bin/python`;
  }
  return "python3";
}

/**
 * Reads one simple command: an optional `cd FOLDER &&`, assignments, a tool that enters an environment, then `pytest`
 * or `python -m RUNNER`. Undefined for other commands: pipes, several commands, `make`, `tox`.
 */
export function readPythonCommand(
  text: string,
  project: ProjectView,
  directory = "",
): PythonCommand | undefined {
  const moved = /^\s*cd\s+([\w./-]+)\s*&&\s*(.*)$/s.exec(text);
  if (moved) {
    const folder = joinPath(directory, moved[1] ?? "");
    return folder === undefined ? undefined : readPythonCommand(moved[2] ?? "", project, folder);
  }
  const words = splitWords(text);
  if (words === undefined) return undefined;
  const env: Record<string, string> = {};
  if (words[0] === "env") words.shift();
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
    const [name = "", ...value] = (words.shift() ?? "").split("=");
    env[name] = value.join("=");
  }
  const entered = enterEnvironment(words);
  if (entered === undefined) return undefined;
  const started = readStart(entered.words);
  if (started === undefined) return undefined;
  const own = findInterpreter(project, directory);
  const start =
    entered.tool.length === 0
      ? started.start
      : own !== "python3"
        ? [own, "-m", started.runner]
        : [...entered.tool, ...started.start];
  return { directory, env, start, runner: started.runner, args: started.args };
}

/** Options of these tools whose value is the next word. */
const valued =
  /^(?:-[pPe]|--(?:(?:only-|no-)?(?:group|extra)|with(?:-editable|-requirements)?|python|package|project|env(?:-file)?|index|default-index|config-file))$/;

function enterEnvironment(words: readonly string[]): { tool: string[]; words: string[] } | undefined {
  const skipOptions = (from: number): number => {
    let at = from;
    while (words[at]?.startsWith("-")) at += valued.test(words[at] ?? "") ? 2 : 1;
    return at;
  };
  const verb = environmentTools.has(words[0] ?? "") ? skipOptions(1) : 0;
  if (verb === 0 || words[verb] !== "run") return { tool: [], words: [...words] };
  const end = skipOptions(verb + 1);
  const known = /^(pytest|py\.test|python[\d.]*|coverage)$/.test(words[end] ?? "");
  return known ? { tool: words.slice(0, end), words: words.slice(end) } : undefined;
}

function readStart(
  words: readonly string[],
): { start: string[]; runner: string; args: string[] } | undefined {
  const [program = "", ...rest] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (name === "pytest" || name === "py.test") return { start: [program], runner: "pytest", args: rest };
  const python = /^python[\d.]*$/.test(name);
  if (name === "coverage" && rest[0] === "run") {
    const module = rest.indexOf("-m");
    if (module === -1) return undefined;
    // Without coverage.py, which traces by the means that we use ourselves.
    return readStart([
      program.replace(/coverage$/, program.includes("/") ? "python" : "python3"),
      ...rest.slice(module),
    ]);
  }
  if (!python) return undefined;
  const module = rest.indexOf("-m");
  if (module === -1 || !rest.slice(0, module).every((word, at) => isOption(word, rest[at - 1]))) {
    return undefined;
  }
  const runner = rest[module + 1] ?? "";
  if (runner === "coverage") return readStart(["coverage", ...rest.slice(module + 2)]);
  // -I, -E and -P keep what PYTHONPATH names from being loaded, our plug-in among it.
  const options = rest.slice(0, module).filter((word) => !["-I", "-E", "-P"].includes(word));
  return { start: [program, ...options, "-m", runner], runner, args: rest.slice(module + 2) };
}

function isOption(word: string, previous: string | undefined): boolean {
  return word.startsWith("-") || previous === "-W" || previous === "-X";
}

/** Returns the words of a simple shell command; undefined if the shell would do more than split it. */
export function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const joined = text.replaceAll(/\\\r?\n/g, " ").trim();
  const pattern = /\s+|'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^\s'"\\|&;<>()$`*?#~]+)|(.)/gs;
  let word: string | undefined;
  for (const [whole, single, double, escaped, plain, other] of joined.matchAll(pattern)) {
    if (other !== undefined) return undefined;
    const piece = single ?? double?.replaceAll(/\\([\\"$`])/g, "$1") ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? "") + piece;
    else if (whole.trim() === "" && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Returns the Python command as a person would type it in its folder. */
export function formatPythonCommand(command: Omit<PythonCommand, "directory" | "runner">): string {
  const assignments = Object.entries(command.env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [...assignments, ...[...command.start, ...command.args].map(quoteWord)].join(" ");
}

/** A folder below another; undefined if it leads out of the repository. */
function joinPath(directory: string, path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  const parts: string[] = directory === "" ? [] : directory.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "..") parts.push(part);
  }
  return parts.join("/");
}
