import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import pc from "picocolors";
import { renderOutput } from "../../base/captured-output.ts";
import { MillwrightError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { runProcess } from "../../base/process.ts";
import { formatSize } from "../../base/units.ts";
import { sweepIndexes } from "../../graph/sweep-indexes.ts";
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { loadLibraries } from "../../llm/onnx/load-libraries.ts";
import { findServer, probeText, searchFolders, versionLimitMs } from "../../lsp/find-server.ts";
import { languageServers } from "../../lsp/servers/index.generated.ts";
import { sandboxes } from "../../sandbox/index.ts";
import { indexesOf } from "../../session/index-folders.ts";
import { describeProviders } from "../../session/model-session.ts";
import { sweepDeadRuns } from "../../session/sweep-runs.ts";
import { version } from "../../session/version.ts";
import { buildEnvironment } from "../../workspace/environment.ts";
import { hostOf } from "../host.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";
import { describeSwept } from "./index.ts";

type State = "works" | "limited" | "missing";

interface Check {
  readonly name: string;
  readonly state: State;
  readonly detail: string;
  /** The way to repair the part; empty if the part works. */
  readonly remedy: string;
  /** True if `solve` cannot work without the part. */
  readonly needed: boolean;
}

const leastFreeBytes = 2 * 1024 ** 3;
const marks: Record<State, string> = { works: pc.green("✓"), limited: pc.yellow("!"), missing: pc.red("✗") };

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check this machine, and say how to install the missing parts")
    .option("--runs-dir <dir>", "the folder of all runs")
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .option("--json", "print one JSON document")
    .action(async (flags: { runsDir?: string; indexDir?: string; json?: boolean }) => {
      const runsDirectory = runsDirectoryFromFlags(flags);
      const checks = [
        checkNode(),
        await checkProgram("git", ["git", "--version"], true, "Install git 2.30 or later."),
        ...(await checkSandboxes()),
        ...(await checkToolchains()),
        ...(await checkLanguageServers()),
        ...checkModels(),
        checkOnnx(),
        await checkRunsDirectory(runsDirectory),
        await checkLeftovers(runsDirectory),
        checkIndexes(indexesOf(hostOf(), flags.indexDir)),
      ];
      if (flags.json)
        process.stdout.write(
          `${JSON.stringify({ schema: "millwright.doctor/1", version, checks }, null, 2)}\n`,
        );
      else process.stdout.write(renderChecks(checks));
      process.exitCode = checks.some((check) => check.needed && check.state === "missing") ? 3 : 0;
    });
}

function renderChecks(checks: readonly Check[]): string {
  const lines = checks.map(({ name, state, detail, remedy }) => {
    const help = remedy === "" ? "" : `\n    ${pc.dim("→")} ${remedy}`;
    return `${marks[state]} ${name.padEnd(22)} ${detail}${help}`;
  });
  return `millwright ${version}\n${lines.join("\n")}\n`;
}

function checkNode(): Check {
  return {
    name: "Node",
    state: "works",
    detail: `${process.version} (${process.execPath})`,
    remedy: "",
    needed: true,
  };
}

async function checkProgram(
  name: string,
  argv: readonly string[],
  needed: boolean,
  remedy: string,
): Promise<Check> {
  const result = await runProcess(argv, { env: buildEnvironment(process.env), timeoutMs: 10_000 });
  if (result.exitCode !== 0) {
    const reason =
      result.startError?.code === "ENOENT" ? "not found on PATH" : renderOutput(result.stderr).trim();
    return { name, state: "missing", detail: reason.split("\n")[0] ?? "", remedy, needed };
  }
  const text = stripVTControlCharacters(
    renderOutput(result.stdout).trim() || renderOutput(result.stderr).trim(),
  );
  return { name, state: "works", detail: text.split("\n")[0] ?? "", remedy: "", needed };
}

async function checkSandboxes(): Promise<Check[]> {
  return Promise.all(
    sandboxes.map(async (provider): Promise<Check> => {
      const name = `sandbox ${provider.name}`;
      const found = await provider.probe();
      if (!found.available)
        return { name, state: "missing", detail: found.reason, remedy: found.remedy, needed: false };
      const state: State = found.warnings.length === 0 ? "works" : "limited";
      return { name, state, detail: found.detail, remedy: found.warnings.join("; "), needed: false };
    }),
  );
}

/** The languages whose test programs `doctor` checks. */
const known: readonly Language[] = languages;
const toolchains = known.flatMap(({ toolchain = [] }) => toolchain);

function checkToolchains(): Promise<Check[]> {
  return Promise.all(toolchains.map(({ name, argv, remedy }) => checkProgram(name, argv, false, remedy)));
}

/**
 * Checks servers on PATH and in the servers folder. Millwright finds a project's own servers when it queries the
 * project.
 */
async function checkLanguageServers(): Promise<Check[]> {
  const environment = buildEnvironment(process.env);
  const probe = async (argv: readonly string[]) => {
    const result = await runProcess(argv, { env: environment, timeoutMs: versionLimitMs });
    return { exitCode: result.exitCode, text: probeText(result) };
  };
  return Promise.all(
    languageServers.map(async (record): Promise<Check> => {
      const name = `server ${record.name}`;
      const found = await findServer(record, searchFolders(undefined, environment), probe);
      if ("reason" in found)
        return { name, state: "missing", detail: found.reason, remedy: record.remedy, needed: false };
      const detail = `${found.version || "found"} (${found.run[0]})`;
      return { name, state: "works", detail, remedy: "", needed: false };
    }),
  );
}

/** Checks keys and addresses without a call. */
function checkModels(): Check[] {
  return describeProviders(hostOf()).map(({ name, missing, detail }) => ({
    name: `model ${name}`,
    state: missing === undefined ? "works" : "missing",
    detail: missing?.what ?? detail,
    remedy: missing?.remedy ?? "",
    needed: false,
  }));
}

/** Checks the libraries of `onnx:FOLDER` without opening a model. */
function checkOnnx(): Check {
  const base = { name: "model onnx", needed: false };
  try {
    loadLibraries();
    return {
      ...base,
      state: "works",
      detail: "the libraries are installed; to use a model, give the model's folder",
      remedy: "",
    };
  } catch (error) {
    if (!(error instanceof MillwrightError)) throw error;
    return { ...base, state: "missing", detail: error.message, remedy: error.hint ?? "" };
  }
}

async function checkRunsDirectory(directory: string): Promise<Check> {
  const base = { name: "runs folder", needed: true };
  const remedy = "Give another folder with --runs-dir or MILLWRIGHT_RUNS_DIR.";
  try {
    await makeFolders(directory);
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = statfsSync(directory);
    const free = bavail * bsize;
    const detail = `${directory} (${formatSize(free)} free)`;
    return free < leastFreeBytes
      ? {
          ...base,
          state: "limited",
          detail,
          remedy: `Little space is left for copies of repositories. ${remedy}`,
        }
      : { ...base, state: "works", detail, remedy: "" };
  } catch (error) {
    const where = existsSync(dirname(directory)) ? directory : dirname(directory);
    return { ...base, state: "missing", detail: `${where} cannot be written: ${String(error)}`, remedy };
  }
}

function checkIndexes(directory: string): Check {
  const { swept, count, bytes } = sweepIndexes(directory, Date.now());
  const detail = [`${directory}: ${count}, ${formatSize(bytes)}`, ...describeSwept(swept)].join("; ");
  return { name: "indexes", state: "works", detail, remedy: "", needed: false };
}

async function checkLeftovers(directory: string): Promise<Check> {
  const base = { name: "leftovers", needed: false, remedy: "" };
  try {
    const { done, left } = await sweepDeadRuns(directory);
    if (left.length > 0) return { ...base, state: "limited", detail: left.join("; ") };
    const detail = done.length === 0 ? "none" : `removed leftovers of killed runs: ${done.length}`;
    return { ...base, state: "works", detail };
  } catch (error) {
    return { ...base, state: "limited", detail: `could not be cleaned up: ${String(error)}` };
  }
}
