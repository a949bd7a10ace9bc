/**
 * Traces every function of real projects. Measures how many functions are recorded and how completely, whether the
 * projects' tests give the same results, and the cost as a ratio to the same command without tracing in the same run.
 * `npm run bench:trace -- DIR[=COMMAND]…`; without COMMAND, derives the command from the manifest. The machine must
 * have the dependencies, because nothing uses the network. The benchmark never writes to the folder.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { renderOutput } from "../src/base/captured-output.ts";
import type { TracedFunction } from "../src/instrument/tracer.ts";
import { runTrace } from "../src/trace/run-trace.ts";
import type { Checkout, Workspace } from "../src/workspace/contract.ts";
import { ownProgramsFirst } from "../src/workspace/run-shell.ts";
import { maven, mavenTests } from "./trace-maven.ts";
import { compareOutcomes, readOutcomes } from "./trace-outcomes.ts";
import { type CountedValues, countValues } from "./trace-values.ts";
import { openBenchWorkspace, planIn } from "./trace-workspace.ts";

const timeoutMs = 60 * 60_000;
/** Calls and bytes of a process: the suite's share of real values is taken from what is recorded until then. */
const limits = { records: 20_000, bytes: 32 * 1024 * 1024, value: 500, nesting: 128 };
const mostDifferences = 8;
const mostNamed = 6;

interface Kind {
  readonly manifest: string;
  readonly files: string;
  readonly command: string;
  /** What the heading says of the command, where that is more than a line. */
  readonly shown?: string;
}

const kinds: readonly Kind[] = [
  { manifest: "Cargo.toml", files: "**/*.rs:*", command: "cargo test --offline --no-fail-fast" },
  { manifest: "go.mod", files: "**/*.go:*", command: "go test -count=1 -v ./..." },
  { manifest: "pyproject.toml", files: "**/*.py:*", command: "python3 -m pytest -q -rA -p no:cacheprovider" },
  { manifest: "setup.py", files: "**/*.py:*", command: "python3 -m pytest -q -rA -p no:cacheprovider" },
  { manifest: "package.json", files: "**/*.{js,cjs,mjs,ts,cts,mts,jsx,tsx}:*", command: "npm test --silent" },
  { manifest: "pom.xml", files: "**/*.java:*", command: mavenTests, shown: maven },
];

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  console.error("usage: npm run bench:trace -- DIR[=COMMAND]…");
  process.exit(2);
}
for (const each of wanted) {
  const at = each.indexOf("=");
  const [folder, command] = at === -1 ? [each, undefined] : [each.slice(0, at), each.slice(at + 1)];
  await measureProject(resolve(folder), command);
}

async function measureProject(folder: string, given: string | undefined): Promise<void> {
  const kind = kinds.find(({ manifest }) => existsSync(join(folder, manifest)));
  if (kind === undefined)
    throw new Error(`${folder}: none of ${kinds.map(({ manifest }) => manifest).join(", ")}`);
  const directory = mkdtempSync(join(tmpdir(), "bench-trace-"));
  const workspace = await openBenchWorkspace(folder, directory);
  try {
    const command = given ?? kind.command;
    const [heading = "", ...more] = (given ?? kind.shown ?? kind.command).trim().split("\n");
    const name = `${basename(folder)}: ${heading}${more.length > 0 ? " …" : ""}`;
    print(name, await measureIn(workspace, kind.files, command));
  } finally {
    await workspace.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Measured extends CountedValues {
  readonly functions: readonly TracedFunction[];
  readonly planMs: number;
  readonly rounds: number;
  /** Seconds: the first time with the build, and once more. */
  readonly plain: readonly [number, number];
  readonly traced: readonly [number, number];
  readonly outcomes: number;
  readonly differences: readonly string[];
}

async function measureIn(workspace: Workspace, files: string, command: string): Promise<Measured> {
  // One folder for both, as `millwright trace` keeps it: what the project depends on is built once.
  const checkout = await workspace.openCheckout();
  const first = await runPlain(checkout, command);
  const second = await runPlain(checkout, command);
  const started = performance.now();
  const { planned, scratch } = await planIn(workspace, checkout, files);
  const planMs = performance.now() - started;
  const run = {
    checkout,
    runner: checkout,
    env: {},
    trees: workspace.trees,
    base: workspace.base,
    planned,
    scratch,
    command: ["sh", "-c", `${ownProgramsFirst}\n${command}`],
    directory: "",
    timeoutMs,
    limits,
    signal: new AbortController().signal,
    onRound: (round: number, weak: number) =>
      console.error(`  round ${round}: ${weak} functions are recorded with less`),
  };
  const begun = performance.now();
  const ran = await runTrace(run);
  const tracedFirst = (performance.now() - begun) / 1000;
  const again = await runTrace({ ...run, planned: { ...planned, plans: ran.plans } });
  await checkout.close();
  const outcomes = readOutcomes(second.output);
  return {
    functions: ran.plans.flatMap(({ plan }) => plan.functions),
    planMs,
    rounds: ran.rounds,
    ...countValues(ran.texts),
    plain: [first.seconds, second.seconds],
    traced: [tracedFirst, again.milliseconds / 1000],
    outcomes: outcomes.length,
    differences: compareOutcomes(outcomes, readOutcomes(`${again.stdout}\n${again.stderr}`)),
  };
}

async function runPlain(checkout: Checkout, command: string) {
  const result = await checkout.execute({
    run: ["sh", "-c", `${ownProgramsFirst}\n${command}`],
    timeoutMs,
    outputBytes: 64 * 1024 * 1024,
  });
  const output = `${renderOutput(result.stdout)}\n${renderOutput(result.stderr)}`;
  return { seconds: result.durationMs / 1000, output };
}

function print(name: string, measured: Measured): void {
  const { functions, values, plain, traced, differences, named } = measured;
  const of = (group: TracedFunction["group"]): readonly TracedFunction[] =>
    functions.filter((each) => each.group === group);
  const able = of("function");
  const recorded = able.filter(({ level }) => level !== "none");
  const whole = able.filter(({ level }) => level === "values");
  const lines = [
    name,
    `  functions ${able.length}: entry and exit of ${percent(recorded.length, able.length)}, with arguments ${percent(whole.length, able.length)}; tests ${of("test").length}, left out ${of("left-out").length}`,
    ...reasonsOf(functions),
    `  calls ${measured.calls}, real values ${percent(values.real, values.all)} of ${values.all}`,
    ...mostOf(named, mostNamed).map(([type, count]) => `    ${count} × only its type: ${type.slice(0, 90)}`),
    `  tests ${measured.outcomes}, ${differences.length === 0 ? "the same results" : `different: ${differences.length}`}`,
    ...differences.slice(0, mostDifferences).map((line) => `    ${line}`),
    `  instrumented in ${Math.round(measured.planMs)} ms, ${measured.rounds} round(s)`,
    `  seconds without: ${plain.map(round).join(", then ")}; with: ${traced.map(round).join(", then ")} (${round(traced[1] / plain[1])} times)`,
  ];
  console.log(lines.join("\n"));
}

function reasonsOf(functions: readonly TracedFunction[]): string[] {
  const counts = new Map<string, number>();
  for (const { reason, level } of functions)
    if (reason !== undefined) {
      const key = `${level}: ${reason.replaceAll(/`[^`]*`/g, "…").slice(0, 90)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return mostOf(counts, 8).map(([reason, count]) => `    ${count} × ${reason}`);
}

function mostOf(counts: ReadonlyMap<string, number>, most: number): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, most);
}

function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(1)} %`;
}

function round(seconds: number): string {
  return seconds.toFixed(seconds < 10 ? 2 : 0);
}
