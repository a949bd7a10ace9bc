/**
 * Reads the scripts that CI services run: GitHub Actions, GitLab CI, Travis, CircleCI, Azure Pipelines, Cirrus and
 * AppVeyor.
 */
import { parse } from "yaml";
import type { ProjectView } from "../contract.ts";
import { isRecord } from "../javascript/package-manifest.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";
import type { WrittenScript } from "./written-script.ts";

const mostFiles = 25;

/** Names of jobs and files whose purpose is not to run tests. */
const otherwise =
  /lint|format|fmt|style|docs?\b|documentation|release|publish|deploy|bench|fuzz|coverage|codeql|stale|label|audit|security|size|nightly|miri|wasm|windows|macos|android|ios|msrv|minimal|semver|cross|valgrind|sanitiz|mypy|typecheck|types|scorecard|dependabot|downstream|upstream|emscripten|pypy/i;

/** Returns the scripts of the first `mostFiles` workflow files, in the order of the files. */
export function listCiScripts(project: ProjectView): WrittenScript[] {
  const files = project.files.filter((file) => readerOf(file) !== undefined).slice(0, mostFiles);
  return files.flatMap((file) => {
    const document = readYaml(project.read(file) ?? "");
    return isRecord(document) ? (readerOf(file)?.(file, document) ?? []) : [];
  });
}

/**
 * Subtracted from the trust for each word of a name. A plain name is the usual job: `test.yml` before `test.simd.yml`,
 * `test` before `test-32bit`.
 */
const perWord = 0.001;

function countWords(name: string): number {
  const words = name.replace(/\.ya?ml$/, "").split(/[^A-Za-z0-9]+/);
  return Math.min(8, new Set(words.filter((word) => word !== "").map((word) => word.toLowerCase())).size);
}

type Reader = (file: string, document: Readonly<Record<string, unknown>>) => WrittenScript[];

function readerOf(file: string): Reader | undefined {
  if (/^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(file)) return readActions;
  if (file === ".gitlab-ci.yml" || /^\.gitlab-ci\/[^/]+\.ya?ml$/.test(file)) return readJobs;
  if (/^\.?(?:travis|appveyor|cirrus)\.ya?ml$/.test(file)) return readJobs;
  if (file === ".circleci/config.yml") return readCircle;
  return /^\.?azure-pipelines?(?:\/[^/]+)?\.ya?ml$|^\.azure-pipelines\/[^/]+\.ya?ml$/.test(file)
    ? readAzure
    : undefined;
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: false, merge: true, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

function makeScript(
  file: string,
  job: string,
  text: string,
  more: Partial<WrittenScript> = {},
): WrittenScript {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const isOther = otherwise.test(job) || otherwise.test(name);
  const isTest = /test|check|unit|build|ci\b/i.test(`${job} ${name}`);
  const sort = isOther ? 0.7 : isTest ? 0.92 : 0.88;
  const trust = sort - (/^\.github/.test(file) ? 0 : 0.02) - perWord * countWords(`${job} ${name}`);
  return { directory: "", env: {}, text, foundBy: job === "" ? file : `${file}, job ${job}`, trust, ...more };
}

function readActions(file: string, document: Readonly<Record<string, unknown>>): WrittenScript[] {
  const jobs = recordOf(document["jobs"]);
  return Object.entries(jobs).flatMap(([name, given]) => {
    const job = recordOf(given);
    const matrix = firstOfMatrix(recordOf(recordOf(job["strategy"])["matrix"]));
    const outer = { ...textsOf(document["env"]), ...textsOf(job["env"]) };
    const folder = workingDirectory(job) || workingDirectory(document);
    return listOf(job["steps"]).flatMap((one) => {
      const step = recordOf(one);
      if (typeof step["run"] !== "string") return [];
      const env = { ...outer, ...textsOf(step["env"]) };
      const fill = (text: string): string => fillIn(text, matrix, env);
      const own = typeof step["working-directory"] === "string" ? step["working-directory"] : folder;
      const directory = safeFolder(fill(own));
      const isOther = typeof step["name"] === "string" && otherwise.test(step["name"]);
      const made = makeScript(file, name, fill(step["run"]), {
        directory,
        env: fillAll(env, fill, step["run"]),
      });
      return [isOther ? { ...made, trust: Math.min(made.trust, 0.75) } : made];
    });
  });
}

function workingDirectory(holder: Readonly<Record<string, unknown>>): string {
  const given = recordOf(recordOf(holder["defaults"])["run"])["working-directory"];
  return typeof given === "string" ? given : "";
}

function safeFolder(folder: string): string {
  if (/[$`]|^[/~]/.test(folder)) return "";
  const entered = enterFolder("", folder);
  return entered.startsWith("..") ? "" : entered;
}

/** The first value of each of the matrix's names. */
function firstOfMatrix(matrix: Readonly<Record<string, unknown>>): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, given] of Object.entries(matrix)) {
    const value = Array.isArray(given) ? given[0] : undefined;
    if (name === "include" || name === "exclude") continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      values.set(name, String(value));
    else for (const [key, inner] of Object.entries(textsOf(value))) values.set(`${name}.${key}`, inner);
  }
  const [included] = listOf(matrix["include"]);
  for (const [name, value] of Object.entries(textsOf(included)))
    if (!values.has(name)) values.set(name, value);
  return values;
}

/**
 * Replaces `${{ matrix.x }}` by its first value, `${{ env.X }}` by the variable's value, and other expressions by
 * nothing.
 */
function fillIn(
  text: string,
  matrix: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
): string {
  return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const [, scope, name = ""] = /^(matrix|env)\.([\w.-]+)$/.exec(expression) ?? [];
    const value = scope === "matrix" ? matrix.get(name) : scope === "env" ? env[name] : undefined;
    return value?.includes("${{") ? "" : (value ?? "");
  });
}

/**
 * Leaves out variables with secrets or GitHub's own values, and variables with other expressions that the script does
 * not use.
 */
function fillAll(
  env: Readonly<Record<string, string>>,
  fill: (text: string) => string,
  script: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env)
      .filter(([, value]) => !/\$\{\{\s*(?:secrets|github)\b/.test(value))
      .filter(([name, value]) => !/\$\{\{/.test(value) || new RegExp(`\\$\\{?${name}\\b`).test(script))
      .map(([name, value]) => [name, fill(value)]),
  );
}

/**
 * Reads GitLab, Travis, AppVeyor and Cirrus: each job, and the document itself, may have lists of lines under `script`
 * and similar keys.
 */
function readJobs(file: string, document: Readonly<Record<string, unknown>>): WrittenScript[] {
  const jobs = [["", document] as const, ...Object.entries(document)];
  return jobs.flatMap(([name, given]) => {
    const job = recordOf(given);
    const lines = ["before_script", "install", "script", "test_script"].flatMap((key) => linesOf(job[key]));
    const env = textsOf(job["variables"]);
    return lines.length === 0 ? [] : [makeScript(file, name, lines.join("\n"), { env })];
  });
}

function linesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return listOf(value).flatMap((line) =>
    linesOf(isRecord(line) ? (line["sh"] ?? line["cmd"] ?? line["ps"]) : line),
  );
}

function readCircle(file: string, document: Readonly<Record<string, unknown>>): WrittenScript[] {
  return Object.entries(recordOf(document["jobs"])).flatMap(([name, given]) => {
    const steps = listOf(recordOf(given)["steps"]).map((step) => recordOf(step)["run"]);
    return steps.flatMap((run) => {
      const text = typeof run === "string" ? run : recordOf(run)["command"];
      return typeof text === "string" ? [makeScript(file, name, text.replaceAll(/<<.*?>>/g, ""))] : [];
    });
  });
}

function readAzure(file: string, document: unknown): WrittenScript[] {
  if (Array.isArray(document)) return document.flatMap((one) => readAzure(file, one));
  if (!isRecord(document)) return [];
  const own = [document["script"], document["bash"]].filter((one): one is string => typeof one === "string");
  const folder =
    typeof document["workingDirectory"] === "string" ? safeFolder(document["workingDirectory"]) : "";
  const made = own.map((text) =>
    makeScript(file, "", text.replaceAll(/\$\(.*?\)/g, ""), { directory: folder }),
  );
  const below = ["stages", "jobs", "steps"].flatMap((key) => readAzure(file, document[key]));
  return [...made, ...below];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(value)).filter(([, one]) =>
    ["string", "number", "boolean"].includes(typeof one),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}
