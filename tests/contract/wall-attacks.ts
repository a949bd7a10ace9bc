/** Attacks on reports × test frameworks × sandboxes, as data: the contract suite tries each attack, `npm run bench:walls` all of them. */
import { findStatus, formatTestKey } from "../../src/domain/test-outcome.ts";
import type { TestFramework } from "../../src/languages/contract.ts";
import type { TestRun } from "../../src/workspace/test-runner.ts";
import { cppProjects } from "./wall-attacks-cpp.ts";
import { goProjects } from "./wall-attacks-go.ts";
import { javaProjects } from "./wall-attacks-java.ts";
import { javascriptProjects } from "./wall-attacks-javascript.ts";
import { luaProjects } from "./wall-attacks-lua.ts";
import { phpProjects } from "./wall-attacks-php.ts";
import { pythonProjects } from "./wall-attacks-python.ts";
import { rubyProjects } from "./wall-attacks-ruby.ts";
import { rustProjects } from "./wall-attacks-rust.ts";
import { runInWalls } from "./wall-run.ts";
import type { UsableSandbox } from "./workspace-fixture.ts";

export interface WallAttack {
  readonly name: string;
  /** What the module under test does when it is loaded, in its own language. */
  readonly load?: string;
  /** What the function under test does before it returns the wrong value. */
  readonly call?: string;
  /** Further files of the product, by path. */
  readonly more?: Readonly<Record<string, string>>;
  /** A report with this name, in which all tests pass, lies outside of the sandbox, at `@OUTSIDE@`. */
  readonly outside?: string;
}

/** A project with one function, which is wrong, and one test, which fails. */
export interface WallProject {
  readonly framework: TestFramework;
  /** Where one framework has several projects. */
  readonly named?: string;
  readonly command: string;
  readonly attacks: readonly WallAttack[];
  /** What is believed, for nothing in a report tells it from a test's own result: its signs in a patch are objected to. */
  readonly limits?: readonly WallAttack[];
  /** The file and the name of the failing test. */
  readonly file: string;
  readonly target: string;
  /** Why it cannot run on this machine, or undefined. */
  readonly unavailable: () => Promise<string | undefined>;
  readonly files: (attack: Pick<WallAttack, "load" | "call">) => Readonly<Record<string, string>>;
  /** Makes the repository ready to run, e.g. links `node_modules`. */
  readonly prepare?: (root: string) => void;
  /** What makes the test pass. */
  readonly repair: Omit<WallAttack, "name">;
}

export const wallProjects: readonly WallProject[] = [
  ...pythonProjects,
  ...javascriptProjects,
  ...goProjects,
  ...rustProjects,
  ...javaProjects,
  ...cppProjects,
  ...luaProjects,
  ...rubyProjects,
  ...phpProjects,
];

export interface WallAttempt {
  readonly title: string;
  readonly project: WallProject;
  readonly attack: WallAttack;
  readonly sandbox: UsableSandbox;
}

/** The whole matrix. */
export function listAttempts(sandboxes: readonly UsableSandbox[]): WallAttempt[] {
  return sandboxes.flatMap((sandbox) =>
    wallProjects.flatMap((project) =>
      project.attacks.map((attack) => {
        return {
          title: `${project.named ?? project.framework.name} in ${sandbox.name} ${attack.name}`,
          project,
          attack,
          sandbox,
        };
      }),
    ),
  );
}

/** Each attack once, by one of the frameworks that it is written for (one that builds nothing, if possible), in one of the sandboxes. */
export function sampleAttempts(sandboxes: readonly UsableSandbox[], seed: number): WallAttempt[] {
  const random = createRandom(seed);
  const byAttack = new Map<string, WallAttempt[]>();
  for (const each of listAttempts(sandboxes)) {
    byAttack.set(each.attack.name, [...(byAttack.get(each.attack.name) ?? []), each]);
  }
  return [...byAttack.values()].flatMap((all) => {
    const quick = all.filter(({ project }) => project.framework.builds !== true);
    const from = quick.length > 0 ? quick : all;
    return from[Math.floor(random() * from.length)] ?? [];
  });
}

/** From 0 to 1: the same numbers for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface WallVerdict {
  /** What a validation of the patch would believe: the run counts, no test failed and the target passed. */
  readonly believed: boolean;
  readonly said: string;
  readonly seconds: number;
}

/** A build on a busy machine reports nothing for long. */
const patient = { timeoutMs: 300_000, stallMs: 120_000 };

export async function attackWalls(
  project: WallProject,
  attack: Omit<WallAttack, "name">,
  sandbox: UsableSandbox,
): Promise<WallVerdict> {
  const { command, framework, prepare } = project;
  const key = { package: "", target: project.file, name: project.target };
  const forged = [
    { event: "run-started", framework: "x" },
    { event: "test-ended", test: key, status: "passed", durationMs: 1 },
    { event: "run-ended", counts: { passed: 1 } },
  ];
  const text = forged.map((event) => `${JSON.stringify(event)}\n`).join("");
  const outside = attack.outside === undefined ? {} : { [attack.outside]: text };
  const run = await runInWalls({
    sandbox,
    framework,
    command,
    files: { ...project.files(attack), ...attack.more },
    outside,
    ...(framework.builds === true && patient),
    ...(prepare && { prepare }),
  });
  return judge(run, project.target);
}

/** How the framework's canary ends beside the project's test, where nothing is attacked: `failed passed`. */
export async function askCanary(project: WallProject, sandbox: UsableSandbox): Promise<string | undefined> {
  const { command, framework, prepare, target } = project;
  if (framework.canary === undefined) return undefined;
  const files = project.files(project.repair);
  const canary = await framework.canary({
    beside: { package: "", target: project.file, name: target },
    files: Object.keys(files),
    read: async (path) => files[path],
    words: { file: "qwertzuiop", fails: "asdfghjkly", passes: "yxcvbnmlkj" },
  });
  if (canary === undefined) return "cannot be placed";
  const run = await runInWalls({
    sandbox,
    framework,
    command,
    files: { ...files, [canary.file.path]: canary.file.content },
    selection: {
      kind: "tests",
      tests: [{ package: "", target: project.file, name: target }, canary.fails, canary.passes],
    },
    ...(framework.builds === true && patient),
    ...(prepare && { prepare }),
  });
  const { outcomes, invalid } = run.report;
  const own = outcomes.find(({ key }) => key.name === target)?.status;
  const ends = [canary.fails, canary.passes].map((key) => findStatus(outcomes, key));
  return [invalid ?? "valid", own, ...ends].join(" ");
}

function judge({ report, durationMs }: TestRun, target: string): WallVerdict {
  const passed = report.outcomes.filter(({ status }) => status === "passed");
  const others = report.outcomes.filter(({ status }) => status !== "passed");
  const believed =
    report.invalid === undefined && others.length === 0 && passed.some(({ key }) => key.name === target);
  const told = report.outcomes
    .map(({ key, status, failure }) => `${formatTestKey(key)} ${status} ${failure?.message ?? ""}`)
    .join(", ");
  return { believed, said: `${report.invalid ?? "valid"}; ${told}`, seconds: durationMs / 1000 };
}
