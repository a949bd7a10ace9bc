/**
 * Finds a repository's `cargo test` commands: those in its own files, and plain commands such as `cargo test
 * --workspace`.
 */

import type { ProjectView, TestCommand } from "../contract.ts";
import { expandCommand, listWrittenCommands } from "../discovery/written-commands.ts";
import {
  type CargoCommand,
  formatCargoCommand,
  groupArguments,
  readCargoCommand,
  valued,
} from "./cargo-command.ts";

/** Folders whose packages are fixtures of tests, or third-party code. */
export const foreign =
  /(^|\/)(target|vendor|third_party|node_modules|tests?|fixtures?|testdata|examples?|benches|fuzz)(\/|$)/;

/**
 * Options that Millwright drops: for the display, the build's profile and target, the network, and the number of jobs.
 */
const dropped =
  /^(?:--release|-r|--verbose|-v+|-q|--quiet|--locked|--offline|--frozen|--no-fail-fast|--color|--target|--target-dir|--message-format|--jobs|-j|-j\d+|--keep-going|--future-incompat-report|--profile)$/;
/** Options of nextest that cargo does not have. */
const nextestOnly =
  /^(?:--retries|-E|--filter-?expr|--filterset|--partition|--status-level|--final-status-level|--no-capture|--test-threads|--run-ignored|--archive-file|--no-tests|-P|--cargo-profile|--show-progress)$/;

export function detectCargoTest(project: ProjectView): TestCommand[] {
  const folders = findRoots(project);
  const found = new Map<string, TestCommand>();
  const add = (command: TestCommand): void => {
    const id = `${command.directory}\n${command.command}`;
    const known = found.get(id);
    if (known === undefined || known.likelihood < command.likelihood) found.set(id, command);
  };
  if (folders.length === 0) return [];
  for (const written of listWrittenCommands(project)) {
    const call = readCargoCommand(written.text, written.env);
    const command = call && describeWritten(call, written);
    if (command) add(command);
  }
  for (const [at, directory] of folders.entries()) {
    const manifest = directory === "" ? "Cargo.toml" : `${directory}/Cargo.toml`;
    const likelihood = (directory === "" ? 0.8 : 0.7) - at / 50;
    const base = { framework: "cargo-test", directory, foundBy: manifest };
    const isWorkspace = /^[ \t]*\[workspace\b/m.test(project.read(manifest) ?? "");
    if (isWorkspace) add({ ...base, command: "cargo test --workspace", likelihood: likelihood + 0.01 });
    add({ ...base, command: "cargo test", likelihood });
  }
  return [...found.values()].sort((a, b) => b.likelihood - a.likelihood);
}

/** The folders of packages and workspaces: the root, else at most three of the outermost. */
function findRoots(project: ProjectView): string[] {
  const folders = project.files
    .filter((file) => /(?:^|\/)Cargo\.toml$/.test(file))
    .map((file) => file.slice(0, Math.max(0, file.length - "/Cargo.toml".length)));
  if (folders.includes("")) return [""];
  const own = folders.filter((folder) => !foreign.test(folder));
  const outer = own.filter((folder) => !own.some((other) => folder.startsWith(`${other}/`)));
  return outer.sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1)).slice(0, 3);
}

interface Written {
  readonly directory: string;
  readonly foundBy: string;
  readonly trust: number;
}

function describeWritten(
  call: CargoCommand,
  { directory, foundBy, trust }: Written,
): TestCommand | undefined {
  const groups = groupArguments(call.args).filter(([name = ""]) => !dropped.test(name.split("=")[0] ?? ""));
  const kept =
    call.runner === "nextest"
      ? groups.filter(([name = ""]) => !nextestOnly.test(name.split("=")[0] ?? ""))
      : groups;
  const args = kept.flat();
  if (args.some((word) => /[$*{}`]|^<.*>$|\.\.\./.test(word)) || args.includes("--no-run")) return undefined;
  if (valued.has(args.at(-1) ?? "")) return undefined; // the name is given by whoever calls it
  const command = formatCargoCommand({
    env: keptVariables(call.env),
    program: ["cargo"],
    runner: "test",
    args,
  });
  const likelihood = Math.max(0.05, trust - distance(call, kept));
  return { framework: "cargo-test", directory, command, foundBy, likelihood };
}

/** The distance of a command from a command that runs all tests of a usual build. */
function distance(call: CargoCommand, groups: readonly (readonly string[])[]): number {
  const has = (pattern: RegExp): boolean => groups.some(([name = ""]) => pattern.test(name));
  let away = 0;
  if (has(/^--no-default-features/)) away += has(/^(?:--features|-F)/) ? 0.1 : 0.25;
  if (has(/^(?:-p|--package|--manifest-path|--lib|--bins?|--tests?|--examples?|--bench(?:es)?)\b/))
    away += 0.15;
  if (has(/^--doc$/)) away += 0.3;
  if (
    groups.some(
      (group) => group[0] === "--" && group.some((word) => !/^--(?:$|test-threads|nocapture)/.test(word)),
    )
  )
    away += 0.2;
  if (groups.some(([name = ""]) => /^[^-]/.test(name))) away += 0.3;
  if (call.program.some((word) => word.startsWith("+"))) away += 0.05;
  if (/--cfg[ =](?:loom|miri|fuzzing|\w*nightly)/.test(call.env["RUSTFLAGS"] ?? "")) away += 0.3;
  if (call.runner === "nextest") away += 0.02;
  if (has(/^(?:--all-features|--features|-F)/)) away -= 0.015;
  if (has(/^(?:--workspace|--all)$/)) away -= 0.01;
  return away;
}

/** Keeps the variables of CI that the tests themselves may need. Drops flags that make warnings end a build. */
function keptVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(env)) {
    if (/[$`{}]/.test(value)) continue;
    if (name === "RUSTFLAGS" && value.includes("--cfg")) {
      kept.push([name, value.replace(/\s*(?:-D\s*|--deny[ =])\w+/g, "").trim()]);
    } else if (/^(?:RUST_TEST_THREADS|RUST_MIN_STACK|PROPTEST_\w+|QUICKCHECK_\w+|INSTA_\w+)$/.test(name)) {
      kept.push([name, value]);
    }
  }
  return Object.fromEntries(kept);
}

/**
 * Finds the call of the runner in a user's command, also in the Makefiles and scripts that it calls. Undefined if there
 * is none.
 */
export function recogniseCargo(
  command: string,
  project: ProjectView,
  runner: CargoCommand["runner"],
): { readonly call: CargoCommand; readonly directory: string } | undefined {
  for (const { text, env, directory } of expandCommand(project, command)) {
    const call = readCargoCommand(text, env);
    if (call?.runner === runner) return { call, directory };
  }
  return undefined;
}
