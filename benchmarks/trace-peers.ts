/**
 * Compares our tracer with others on one generated program, in the same run: time to set up, instrument and restore;
 * additional build time; nanoseconds per recorded call; share of real values. `npm run bench:trace-peers --
 * [--rustforger=DIR] [--on=DIR:SPEC]`: `--rustforger` names the folder of its published tracer (`rustforger-tracer`,
 * built there with `cargo build --release`). `--on` names a real project, for which the benchmark also measures the
 * set-up. The crate `tracing` with a JSON layer is always a peer, if the registry has it. Seconds depend on the
 * machine; both sides of a ratio are from the same minutes.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runTrace } from "../src/trace/run-trace.ts";
import { readMeasured, type Subject, writeSubject } from "./trace-subject.ts";
import { countValues } from "./trace-values.ts";
import { openBenchWorkspace, planIn } from "./trace-workspace.ts";

const subject: Subject = { functions: 200, rounds: 100 };
const timeoutMs = 30 * 60_000;
const limits = { records: 1_000_000, bytes: 1024 ** 3, value: 500, nesting: 128 };

interface Contender {
  readonly name: string;
  /** To set up, instrument and restore the program; absent where that is no part of it. */
  readonly setup?: Setup;
  readonly build: number;
  readonly run: number;
  /** Of a recorded call's five values. */
  readonly real?: number;
}

interface Setup {
  /** Milliseconds in which our copy, which was there, became what the project is now, and its sandbox was made. */
  readonly opened?: number;
  /** Milliseconds from there until the command can be started, and to restore what was written. */
  readonly instrumented: number;
}

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const room = mkdtempSync(join(tmpdir(), "trace-peers-"));
try {
  const rustforger = option("rustforger");
  const plain = measurePlain();
  const contenders = [await measureOurs(), measureTracing()];
  if (rustforger !== undefined) contenders.push(measureRustForger(resolve(rustforger)));
  report(plain, contenders);
  const real = option("on");
  if (real !== undefined) await measureSetups(real, rustforger);
} finally {
  rmSync(room, { recursive: true, force: true });
}

function folderOf(name: string): string {
  const folder = join(room, name);
  mkdirSync(folder);
  return folder;
}

function shell(command: string, cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const ran = spawnSync("sh", ["-c", command], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    timeout: timeoutMs,
  });
  if (ran.status !== 0) throw new Error(`${command} in ${cwd}: ${ran.stderr.slice(-2000)}`);
  return ran.stdout;
}

function measurePlain(): Contender {
  const folder = folderOf("plain");
  writeSubject(folder, subject);
  return { name: "without", ...readMeasured(shell("sh measure.sh", folder)) };
}

async function measureOurs(): Promise<Contender> {
  const folder = folderOf("ours");
  writeSubject(folder, subject);
  const spec = "src/lib.rs:*";
  const setup = await measureOurSetup(folder, spec);
  const workspace = await openBenchWorkspace(folder, folderOf("ours-workspace"));
  try {
    const checkout = await workspace.openCheckout();
    const { planned, scratch } = await planIn(workspace, checkout, spec);
    const ran = await runTrace({
      checkout,
      trees: workspace.trees,
      base: workspace.base,
      planned,
      scratch,
      command: ["sh", "measure.sh"],
      directory: "",
      timeoutMs,
      limits,
      signal: new AbortController().signal,
      onRound: () => {},
    });
    const { calls, values } = countValues(ran.texts);
    if (calls !== 3 * subject.functions * subject.rounds) throw new Error(`${calls} calls are recorded`);
    return {
      name: "ours",
      setup,
      ...readMeasured(`${ran.stdout}\n${ran.stderr}`),
      real: values.real / values.all,
    };
  } finally {
    await workspace.close();
  }
}

/** Once the copy is there: it is made what the project is now, the plan is made, and laid. The project itself is never written. */
async function measureOurSetup(folder: string, spec: string): Promise<Setup> {
  const directory = mkdtempSync(join(room, "kept-"));
  let opened = Number.POSITIVE_INFINITY;
  let instrumented = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round += 1) {
    const begun = performance.now();
    const workspace = await openBenchWorkspace(folder, directory, true);
    const checkout = await workspace.openCheckout();
    const isOpen = performance.now();
    const { planned } = await planIn(workspace, checkout, spec);
    const changes = planned.plans.flatMap(({ plan }) => plan.changes);
    await checkout.lay(await workspace.trees.write(workspace.base, changes));
    if (round > 0) {
      opened = Math.min(opened, isOpen - begun);
      instrumented = Math.min(instrumented, performance.now() - isOpen);
    }
    await workspace.close();
  }
  return { opened, instrumented };
}

function measureTracing(): Contender {
  const folder = folderOf("tracing");
  writeSubject(folder, subject, {
    dependencies: `tracing = "0.1"\ntracing-subscriber = { version = "0.3", features = ["json"] }\n`,
    attribute: "#[tracing::instrument(ret(Debug), err)]",
    start: `use tracing_subscriber::fmt::format::FmtSpan;
    let file = std::fs::File::create("trace.jsonl").unwrap();
    tracing_subscriber::fmt().json().with_span_events(FmtSpan::NEW | FmtSpan::CLOSE).with_writer(file).init();`,
  });
  const measured = readMeasured(shell("cargo fetch 2>/dev/null && sh measure.sh", folder));
  return { name: "tracing, #[instrument]", ...measured, real: 1 };
}

function measureRustForger(tool: string): Contender {
  const folder = folderOf("rustforger");
  writeSubject(folder, subject);
  const env = { MEASURED: join(room, "rustforger-measured") };
  shell("cargo generate-lockfile --offline", folder);
  const setup = setUpRustForger(tool, folder, "src/lib.rs:*");
  const output = join(room, "rustforger.json");
  shell(rustForgerCommand(tool, folder, "src/lib.rs:*", output, "sh measure.sh"), folder, env);
  const text = readFileSync(output, "utf8");
  return {
    name: "RustForger's",
    setup,
    ...readMeasured(readFileSync(env.MEASURED, "utf8")),
    real: realOfRustForger(text),
  };
}

function rustForgerCommand(
  tool: string,
  folder: string,
  spec: string,
  output: string,
  command: string,
): string {
  const program = join(tool, "target/release/trace_cli");
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  const words = ["--test-project", folder, "--instrument", spec, "-o", output, "--exec", command];
  const quoted = words.map((word) => `'${word}'`).join(" ");
  return `${program} run-flow ${quoted} --clean --force --trace-tool-path '${tool}'`;
}

/** With a command that does nothing: it then finds no trace and says so, after everything was restored. */
function setUpRustForger(tool: string, folder: string, spec: string): Setup {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const command = rustForgerCommand(tool, folder, spec, join(room, "none.json"), "true");
    const begun = performance.now();
    shell(`${command} || true`, folder);
    least = Math.min(least, performance.now() - begun);
  }
  return { instrumented: least };
}

/** Its records have inputs by name and an output; what it cannot show begins with "<". */
function realOfRustForger(text: string): number {
  const records = JSON.parse(text) as { inputs?: Record<string, unknown>; output?: unknown }[];
  const values = records.flatMap(({ inputs, output }) => [...Object.values(inputs ?? {}), output]);
  const real = values.filter((value) => !(typeof value === "string" && /^<\w+: /.test(value)));
  return real.length / values.length;
}

function report(plain: Contender, contenders: readonly Contender[]): void {
  const calls = subject.functions * subject.rounds;
  console.log(
    `${subject.functions} functions, ${calls} calls; without: the crate is built in ${ms(plain.build / 1e6)}, runs ${ms(plain.run / 1e6)}`,
  );
  for (const { name, setup, build, run, real } of contenders)
    console.log(
      [
        `${name}:`,
        setup === undefined ? "no setup" : setupText(setup),
        `build +${ms((build - plain.build) / 1e6)}`,
        `${Math.round((run - plain.run) / calls)} ns a call`,
        real === undefined ? "" : `real values ${(100 * real).toFixed(1)} %`,
      ].join("  "),
    );
}

function setupText({ opened, instrumented }: Setup): string {
  const first = opened === undefined ? "" : `copy brought up to date in ${ms(opened)}, `;
  return `${first}set up, instrumented, restored in ${ms(instrumented)}`;
}

function ms(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}

async function measureSetups(target: string, rustforger: string | undefined): Promise<void> {
  const at = target.indexOf(":");
  const [folder, spec] = [resolve(target.slice(0, at)), target.slice(at + 1)];
  const ours = await measureOurSetup(folder, spec);
  console.log(`${target}: ours: ${setupText(ours)}`);
  if (rustforger === undefined) return;
  const copy = join(room, "real");
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\/target$/.test(path) });
  writeFileSync(join(room, "none.json"), "");
  console.log(`${target}: RustForger's: ${setupText(setUpRustForger(resolve(rustforger), copy, spec))}`);
}
