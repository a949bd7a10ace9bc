/** Reads the tasks of task runners: just, Task, and those that Python's project tools keep in `pyproject.toml`. */
import { posix } from "node:path";
import { parse } from "yaml";
import type { ProjectView } from "../contract.ts";
import { isRecord } from "../javascript/package-manifest.ts";
import { listTomlTables, readTomlPairs } from "./toml-entries.ts";
import { testName, type WrittenScript } from "./written-script.ts";

interface Task {
  readonly file: string;
  /** The command that a person types: `just test`, `poe test`, `hatch run test`. */
  readonly call: string;
  readonly name: string;
  readonly text: string;
}

const callers = /^(?:just|task|poe|hatch|pdm|rye|taskipy)$/;

export function listTaskScripts(project: ProjectView): WrittenScript[] {
  return readTasks(project, "")
    .filter((task) => testName.test(task.name))
    .map((task, at) => ({
      directory: "",
      text: task.text,
      env: {},
      foundBy: `${task.file}, ${task.call}`,
      trust: 0.86 - at / 100,
    }));
}

/**
 * Returns the commands that `just NAME`, `hatch run NAME` and similar calls run. Undefined if the words call no task of
 * the folder.
 */
export function findTask(
  project: ProjectView,
  directory: string,
  words: readonly string[],
): readonly Pick<WrittenScript, "directory" | "text" | "env">[] | undefined {
  const [program = "", ...rest] = words;
  if (!callers.test(program)) return undefined;
  const names = rest
    .filter((word) => !word.startsWith("-") && word !== "run")
    .map((word) => word.replace(/^[^:]*:/, ""));
  if (program === "hatch" && rest[0] === "test") return [{ directory, text: "python -m pytest", env: {} }];
  const tasks = readTasks(project, directory);
  const found = tasks.find(
    (task) => task.call.startsWith(`${program} `) && task.name === (names[0] ?? "default"),
  );
  if (found === undefined) return undefined;
  // A list of tasks: each line is the name of one.
  const caller = found.call.slice(0, -found.name.length);
  const siblings = tasks.filter((task) => task.call.startsWith(caller) && task !== found);
  const lines = found.text
    .split("\n")
    .map((line) => siblings.find((task) => task.name === line)?.text ?? line);
  return [{ directory, text: lines.join("\n"), env: {} }];
}

function readTasks(project: ProjectView, directory: string): Task[] {
  const at = (name: string): string => posix.join(directory, name);
  return [
    ...["justfile", "Justfile", ".justfile"].flatMap((name) => readJust(at(name), project.read(at(name)))),
    ...["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"].flatMap((name) =>
      readTaskfile(at(name), project.read(at(name))),
    ),
    ...readPyproject(at("pyproject.toml"), project.read(at("pyproject.toml"))),
  ];
}

function readJust(file: string, text: string | undefined): Task[] {
  if (text === undefined) return [];
  const variables = new Map(
    [...text.matchAll(/^(\w+)\s*:=\s*["'](.*)["']\s*$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const recipes = [
    ...text.matchAll(/^@?([\w-]+)([^:=\n]*):(?!=)([^\n]*)\n((?:[ \t]+[^\n]*\n?|[ \t]*\n)*)/gm),
  ];
  const bodies = new Map(recipes.map(([, name = "", , needs = "", body = ""]) => [name, { needs, body }]));
  const lines = (name: string, inside: readonly string[]): string[] => {
    const found = bodies.get(name);
    if (found === undefined || inside.includes(name)) return [];
    const before = found.needs
      .replaceAll(/[()"'&]/g, " ")
      .split(/\s+/)
      .flatMap((need) => lines(need, [...inside, name]));
    const own = found.body
      .split("\n")
      .map((line) =>
        line
          .trim()
          .replace(/^[@-]+/, "")
          .replaceAll(/\{\{\s*(\w+).*?\}\}/g, (_, variable: string) => variables.get(variable) ?? ""),
      )
      .map((line) =>
        line.replace(
          /^just\s+([\w-]+).*$/,
          (whole, called: string) => lines(called, [...inside, name]).join("\n") || whole,
        ),
      );
    return [...before, ...own].filter((line) => line !== "" && !line.startsWith("#!"));
  };
  return [...bodies.keys()].map((name) => ({
    file,
    call: `just ${name}`,
    name,
    text: lines(name, []).join("\n"),
  }));
}

function readTaskfile(file: string, text: string | undefined): Task[] {
  if (text === undefined) return [];
  let document: unknown;
  try {
    document = parse(text, { logLevel: "silent" });
  } catch {
    return [];
  }
  const tasks = isRecord(document) && isRecord(document["tasks"]) ? document["tasks"] : {};
  return Object.entries(tasks).flatMap(([name, given]) => {
    const commands = isRecord(given) ? (given["cmds"] ?? given["cmd"]) : given;
    const list = Array.isArray(commands) ? commands : [commands];
    const lines = list
      .map((one) => (isRecord(one) ? one["cmd"] : one))
      .filter((one): one is string => typeof one === "string");
    const filled = lines.join("\n").replaceAll(/\{\{.*?\}\}/g, "");
    return filled === "" ? [] : [{ file, call: `task ${name}`, name, text: filled }];
  });
}

function readPyproject(file: string, text: string | undefined): Task[] {
  if (text === undefined) return [];
  const hatch = listTomlTables(text, "tool.hatch.envs.").filter((name) => name.endsWith(".scripts"));
  const tables: [string, string][] = [
    ["tool.poe.tasks", "poe"],
    ["tool.taskipy.tasks", "task"],
    ["tool.pdm.scripts", "pdm run"],
    ["tool.rye.scripts", "rye run"],
    ...hatch.map((name): [string, string] => [name, "hatch run"]),
  ];
  return tables.flatMap(([table, caller]) =>
    [...readTomlPairs(text, table)].map(([name, body]) => ({
      file,
      call: `${caller} ${name}`,
      name,
      // `{args:tests}` is tests where no arguments are given.
      text: body.replaceAll(/\{args:?([^}]*)\}/g, "$1"),
    })),
  );
}
