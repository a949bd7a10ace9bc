/** What the contract suite of test frameworks needs to know of one repository in `tests/fixtures/repos/`, and how it is run. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { renderOutput } from "../../src/base/captured-output.ts";
import { type ProcessResult, runProcess } from "../../src/base/process.ts";
import type { TestKey, TestStatus } from "../../src/domain/test-outcome.ts";
import type {
  BatchReport,
  Canary,
  Invocation,
  InvocationRequest,
  ProjectView,
  Selection,
  TestCommand,
  TestFramework,
  TestReport,
} from "../../src/languages/contract.ts";
import { openReportChannel, type ReportChannel } from "../../src/workspace/report-channel.ts";
import { markTimeOuts } from "../../src/workspace/time-outs.ts";

export interface FrameworkFixture {
  readonly framework: TestFramework;
  /** Folder below `tests/fixtures/repos/`. */
  readonly repository: string;
  /** Why the framework cannot run on this machine, or undefined. */
  readonly unavailable: () => Promise<string | undefined>;
  /** Folder whose programs come before those of the path: another version of the language. */
  readonly programs?: string;
  /** Of the environment, beside what every fixture has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Makes a fresh copy ready to run, e.g. links `node_modules`. */
  readonly prepare?: (root: string) => Promise<void>;
  /** The command that detection puts first. */
  readonly detected: string;
  /** Each test of a whole run, by formatTestKey. */
  readonly statuses: Readonly<Record<string, TestStatus>>;
  /** Of failing tests: the type, what the message says, and the innermost frames as `file:line`. */
  readonly failures: Readonly<Record<string, { type: string; message: RegExp; frames: readonly string[] }>>;
  /** Executed lines of files, whole, by formatTestKey. */
  readonly coverage: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  /** A test that is in the table of statuses and passes. */
  readonly oneTest: TestKey;
  /** A test that never ends by itself; it is in the table of statuses too. */
  readonly hangingTest: TestKey;
  /** The framework cannot be told to stop at the first failure. */
  readonly runsAllTests?: true;
  /** A command with a test that takes the process with it, and the statuses of its tests. */
  readonly crash?: { readonly command: string; readonly statuses: Readonly<Record<string, TestStatus>> };
  /** A command whose tests run for ever, to be killed from outside once `finished` is reported. */
  readonly killed?: { readonly command: string; readonly finished: string; readonly during: string };
}

export interface FixtureRun {
  readonly report: TestReport;
  readonly result: ProcessResult;
}

export interface OpenFixture {
  readonly root: string;
  readonly project: ProjectView;
  recognise(command: string): TestCommand;
  run(request: {
    readonly command?: string;
    readonly selection?: Selection;
    readonly coverage?: boolean;
    readonly testTimeoutMs?: number;
    readonly stopAtFirstFailure?: boolean;
    readonly varied?: boolean;
    /** Kills the run once the report folder holds this text. */
    readonly killAt?: string;
  }): Promise<FixtureRun>;
  /** Puts the framework's canary beside a test, until it is removed. */
  addCanary(beside: TestKey): Promise<Canary & { readonly remove: () => void }>;
  /** Many candidates of the program that the folder holds, in one start. */
  runBatch(request: {
    readonly tests: readonly TestKey[];
    readonly candidates: readonly number[];
    readonly testTimeoutMs: number;
    /** 1 unless given. */
    readonly parallel?: number;
  }): Promise<BatchReport>;
  close(): void;
}

const repositories = join(import.meta.dirname, "../fixtures/repos");
const runtime = join(import.meta.dirname, "../../src/languages/runtime");

/** A copy of the fixture's repository in a folder of its own. */
export async function openFixture(fixture: FrameworkFixture): Promise<OpenFixture> {
  const folder = mkdtempSync(join(tmpdir(), "millwright-fixture-"));
  const root = join(folder, "repository");
  cpSync(join(repositories, fixture.repository), root, { recursive: true });
  await fixture.prepare?.(root);
  const project = viewFolder(root);
  const programs = [fixture.programs, process.env["PATH"]].filter((one) => one !== undefined).join(delimiter);
  let runs = 0;

  function recognise(command: string): TestCommand {
    const found = fixture.framework.recognise(command, project);
    if (found === undefined) throw new Error(`${fixture.framework.name} does not recognise ${command}`);
    return found;
  }

  async function execute(
    command: TestCommand,
    invoke: (paths: InvocationRequest["paths"]) => Invocation,
    killAt?: string,
  ) {
    runs += 1;
    const report = join(folder, `report-${runs}`);
    mkdirSync(report);
    const pipes = join(folder, `channel-${runs}`);
    const channel = await openReportChannel(pipes, folder);
    const { run, env } = invoke({ root, runtime, report, channel: pipes });
    const killing = new AbortController();
    const watch = killAt && watchReport(channel, report, killAt, () => killing.abort());
    const result = await runProcess(typeof run === "string" ? ["/bin/sh", "-c", run] : run, {
      cwd: join(root, command.directory),
      env: { PATH: programs, HOME: folder, LANG: "C.UTF-8", ...fixture.env, ...env },
      timeoutMs: 100_000,
      signal: killing.signal,
    });
    clearInterval(watch || undefined);
    const files = new Map(readReport(report));
    const stdout = renderOutput(result.stdout);
    const stderr = renderOutput(result.stderr);
    const received = await channel.close();
    return { result, said: { received, files, stdout, stderr, exitCode: result.exitCode, root } };
  }

  return {
    root,
    project,
    recognise,
    close: () => rmSync(folder, { recursive: true, force: true }),
    async run(request) {
      const command = recognise(request.command ?? fixture.detected);
      const { result, said } = await execute(
        command,
        (paths) =>
          fixture.framework.invoke({
            command,
            selection: request.selection ?? { kind: "all" },
            coverage: request.coverage ?? false,
            testTimeoutMs: request.testTimeoutMs ?? 5000,
            stopAtFirstFailure: request.stopAtFirstFailure ?? false,
            varied: request.varied ?? false,
            paths,
            project,
          }),
        request.killAt,
      );
      const report = fixture.framework.parse(said);
      const limits = { testTimeoutMs: request.testTimeoutMs ?? 5000, end: "exited" } as const;
      return { result, report: { ...report, outcomes: markTimeOuts(report.outcomes, limits) } };
    },
    async addCanary(beside) {
      const canary = await fixture.framework.canary?.({
        beside,
        files: project.files,
        read: async (path) => project.read(path),
        words: { file: "zbqufile", fails: "qzfails", passes: "qzpasses" },
      });
      if (canary === undefined) throw new Error(`no canary stands beside ${beside.target}`);
      const path = join(root, canary.file.path);
      const before = project.read(canary.file.path);
      writeFileSync(path, canary.file.content);
      const remove = () => (before === undefined ? rmSync(path) : writeFileSync(path, before));
      return { ...canary, remove };
    },
    async runBatch({ tests, testTimeoutMs, parallel = 1, ...request }) {
      const command = recognise(fixture.detected);
      const { batch } = fixture.framework;
      if (batch === undefined) throw new Error(`${fixture.framework.name} has no batches`);
      const candidates = request.candidates.map((id) => ({ id }));
      const given = { command, tests, candidates, testTimeoutMs, project };
      const { said } = await execute(command, (paths) =>
        batch.invoke({ ...given, stopAtFirstFailure: false, parallel, paths }),
      );
      return batch.parse({ ...said, candidates, tests });
    },
  };
}

function watchReport(
  channel: ReportChannel,
  folder: string,
  text: string,
  found: () => void,
): NodeJS.Timeout {
  return setInterval(() => {
    const files = readReport(folder).map(([, content]) => content);
    if ([channel.soFar(), ...files].some((content) => content.includes(text))) found();
  }, 50);
}

function readReport(folder: string): (readonly [string, Buffer])[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(folder, entry.name))] as const);
}

function viewFolder(root: string): ProjectView {
  const files = globSync("**/*", {
    cwd: root,
    withFileTypes: true,
    exclude: ["**/node_modules/**", "**/__pycache__/**"],
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
  return {
    files,
    read: (path) => (files.includes(path) ? readFileSync(join(root, path), "utf8") : undefined),
    exists: (path) => existsSync(join(root, path)),
  };
}
