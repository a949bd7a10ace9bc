/** Reads the commands that tox and nox run: from `tox.ini`, similar files, and the calls of a `noxfile.py`. */
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import { readTomlLists, readTomlText } from "../discovery/toml-entries.ts";
import type { WrittenScript } from "../discovery/written-script.ts";
import { otherEnvironment, readNox, trustInEnvironment } from "./nox.ts";

interface ToxSection {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Reads the commands of all tox and nox environments in the root. If an environment's name shows that it runs no tests,
 * its commands get less trust.
 */
export function listToxScripts(project: ProjectView): WrittenScript[] {
  const scripts = [...readTox(project, ""), ...readNox(project, "")];
  return scripts.map((script, at) => ({ ...script, trust: script.trust - at / 200 }));
}

/**
 * Reads the commands that `tox -e NAME` or `nox -s NAME` runs in a folder. If the words contain no known name, reads
 * the commands of all test environments.
 */
export function findToxScripts(
  project: ProjectView,
  directory: string,
  words: readonly string[],
): WrittenScript[] {
  const [program, ...args] = words;
  const at = args.findIndex((word) => /^-(?:e|s|-session|-sessions)$/.test(word));
  const attached = args.find((word) => /^-[es]\w/.test(word))?.slice(2);
  const wanted = (attached ?? (at === -1 ? "" : (args[at + 1] ?? "")))
    .split(",")
    .filter((name) => name !== "");
  const posargs = args.includes("--") ? args.slice(args.indexOf("--") + 1) : [];
  const all = program === "nox" ? readNox(project, directory, posargs) : readTox(project, directory, posargs);
  const named = all.filter((script) =>
    wanted.some(
      (name) => script.foundBy.endsWith(`[testenv:${name}]`) || script.foundBy.endsWith(`session ${name}`),
    ),
  );
  return named.length > 0 ? named : all.filter((script) => script.trust >= trustInEnvironment);
}

const installed = /\{env_?site_?packages_?dir\}(?:\/|\{\/\})?/g;

function readTox(project: ProjectView, directory: string, posargs: readonly string[] = []): WrittenScript[] {
  const inFolder = (name: string): string => (directory === "" ? name : `${directory}/${name}`);
  const ini = project.read(inFolder("tox.ini"));
  const toml = project.read(inFolder("pyproject.toml")) ?? "";
  const legacy = readTomlText(toml, "tool.tox", "legacy_tox_ini");
  const sources: [string, string][] = [];
  if (ini !== undefined) sources.push([inFolder("tox.ini"), ini]);
  if (legacy !== undefined) sources.push([inFolder("pyproject.toml"), legacy]);
  const setup = project.read(inFolder("setup.cfg"));
  if (setup !== undefined) sources.push([inFolder("setup.cfg"), setup]);
  // Of what is installed the repository has the source.
  const isBelow = project.files.some((path) => path.startsWith(inFolder("src/")) && path.endsWith(".py"));
  const found = sources.flatMap(([file, text]) =>
    readIni(text.replaceAll(installed, isBelow ? "./src/" : "./")).flatMap((section, _, all) =>
      ofSection(file, section, { project, directory, all, posargs }),
    ),
  );
  return [...found, ...readToxToml(project, directory, inFolder)];
}

interface Surroundings {
  readonly project: ProjectView;
  readonly directory: string;
  readonly all: readonly ToxSection[];
  readonly posargs: readonly string[];
}

function ofSection(
  file: string,
  section: ToxSection,
  { project, directory, all, posargs }: Surroundings,
): WrittenScript[] {
  if (!/^testenv(?::|$)/.test(section.name)) return [];
  const base = all.find((each) => each.name === "testenv");
  const value = (name: string): string => section.values.get(name) ?? base?.values.get(name) ?? "";
  const fill = (text: string): string => substitute(text, all, posargs);
  const lines = fill(section.values.get("commands") ?? "")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^[\w.,!{}-]+:\s+/, "")
        .replace(/^-\s*/, ""),
    )
    .filter((line) => line !== "");
  if (lines.length === 0) return [];
  const folder = fill(value("changedir") || value("change_dir")).replace(/^\.\//, "");
  // A folder of tox's own is entered to test what is installed.
  const isThere = project.files.some((path) => path.startsWith(`${folder}/`));
  const isOther = section.name !== "testenv" && otherEnvironment.test(section.name.slice("testenv:".length));
  return [
    {
      directory: isThere ? folder : directory,
      text: lines.join("\n"),
      env: readAssignments(fill(value("setenv") || value("set_env"))),
      foundBy: `${file} [${section.name}]`,
      trust: isOther ? 0.7 : trustInEnvironment,
    },
  ];
}

function readAssignments(text: string): Record<string, string> {
  const pairs = text
    .split("\n")
    .map((line) => /^\s*(?:[\w,{}-]+:\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    pairs.flatMap(([, name, value]) => (name === undefined ? [] : [[name, (value ?? "").trim()]])),
  );
}

function readIni(text: string): ToxSection[] {
  const sections: { name: string; values: Map<string, string> }[] = [];
  let key = "";
  for (const line of text.replaceAll(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue;
    const header = /^\[([^\]]+)\]/.exec(line);
    const pair = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line);
    const current = sections.at(-1);
    if (header) {
      sections.push({ name: (header[1] ?? "").replace(/^tox:/, ""), values: new Map() });
      key = "";
    } else if (current !== undefined && pair) {
      key = pair[1] ?? "";
      current.values.set(key, pair[2] ?? "");
    } else if (current !== undefined && key !== "" && /^\s+\S/.test(line)) {
      current.values.set(key, `${current.values.get(key) ?? ""}\n${line.trim()}`);
    }
  }
  return sections;
}

function substitute(text: string, all: readonly ToxSection[], posargs: readonly string[], depth = 0): string {
  if (depth > 5) return text;
  return text
    .replaceAll(/\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}/g, (_, standard?: string) =>
      posargs.length > 0
        ? posargs.map(quoteWord).join(" ")
        : substitute(standard ?? "", all, posargs, depth + 1),
    )
    .replaceAll(/\{\[([^\]]+)\](\w+)\}/g, (_, name: string, key: string) => {
      const value = all.find((section) => section.name === name.replace(/^tox:/, ""))?.values.get(key) ?? "";
      return substitute(value, all, posargs, depth + 1);
    })
    .replaceAll(/\{env:\w+:?((?:[^{}]|\{[^{}]*\})*)\}/g, (_, standard: string) =>
      substitute(standard, all, posargs, depth + 1),
    )
    .replaceAll(/\{envpython\}|\{env_python\}/g, "python")
    .replaceAll(/\{(?:toxinidir|tox_root)\}\/?/g, "./")
    .replaceAll(/\{\/\}/g, "/")
    .replaceAll(/\{:\}/g, ":")
    .replaceAll(/\{\w+\}/g, "");
}

/** tox 4.21 and later: lists of words in TOML. */
function readToxToml(
  project: ProjectView,
  directory: string,
  inFolder: (name: string) => string,
): WrittenScript[] {
  return ["tox.toml", "pyproject.toml"].flatMap((name) => {
    const text = project.read(inFolder(name));
    const prefix = name === "tox.toml" ? "" : "tool.tox.";
    if (text === undefined) return [];
    return readTomlLists(text, "commands")
      .filter(({ table }) => table.startsWith(`${prefix}env`))
      .map(({ table, lists }) => {
        const environment = table.slice(prefix.length).replace(/^env(?:_run_base)?\.?/, "");
        const lines = lists.map((words) =>
          words
            .filter((word) => word !== "" && !word.startsWith("{"))
            .map(quoteWord)
            .join(" "),
        );
        const isOther = otherEnvironment.test(environment);
        return {
          directory,
          text: lines.join("\n"),
          env: {},
          foundBy: `${inFolder(name)} [testenv${environment === "" ? "" : `:${environment}`}]`,
          trust: isOther ? 0.7 : trustInEnvironment,
        };
      });
  });
}
