/**
 * Recognises the programs that scripts of `package.json` call: test runners, their wrappers, and programs that only
 * check.
 */
import { posix } from "node:path";
import type { ShellWord } from "./javascript-shell.ts";

const wrappers = new Set([
  "npx",
  "bunx",
  "cross-env",
  "cross-env-shell",
  "env",
  "c8",
  "nyc",
  "time",
  "exec",
  "dotenv",
]);
/** A test runner with its own program. Node's own test runner is not listed, because its program is `node`. */
export type ProgramRunner = "mocha" | "jest" | "vitest" | "tape" | "tap" | "ava" | "uvu" | "jasmine";

/** Test runners by their programs' names. */
const runners: ReadonlyMap<string, ProgramRunner> = new Map<string, ProgramRunner>([
  ["mocha", "mocha"],
  ["_mocha", "mocha"],
  ["ts-mocha", "mocha"],
  ["jest", "jest"],
  ["vitest", "vitest"],
  ["tape", "tape"],
  ["tap", "tap"],
  ["ava", "ava"],
  ["uvu", "uvu"],
  ["jasmine", "jasmine"],
]);

const programs = new Set<string>([
  ...runners.keys(),
  "node",
  "tsx",
  "ts-node",
  "npm",
  "yarn",
  "pnpm",
  "bun",
  "npx",
]);

/** Removes `npx`, `cross-env A=b`, `c8 --all`, `yarn exec` and similar wrappers from a command. */
export function unwrap(
  words: readonly ShellWord[],
  assignments: readonly ShellWord[],
  isScript: (name: string) => boolean,
): { words: readonly ShellWord[]; assignments: readonly ShellWord[] } {
  const [first, second] = words;
  const manager = /^(?:npm|pnpm|yarn|bun)$/.test(first?.text ?? "");
  const isExec = manager && /^(?:exec|x)$/.test(second?.text ?? "");
  // `pnpm vitest` is the package's program, where no script has that name.
  const isProgram = manager && runnerOf(second?.text ?? "") !== undefined && !isScript(second?.text ?? "");
  if (first === undefined || !(isExec || isProgram || wrappers.has(baseName(first.text)))) {
    return { words, assignments };
  }
  const rest = words.slice(isExec ? 2 : 1);
  const isEnvironment = /env/.test(first.text);
  const at = rest.findIndex((word) => {
    if (isEnvironment && /^\w+=/.test(word.text)) return false;
    return (
      programs.has(baseName(word.text)) || (!word.text.startsWith("-") && !/^(?:c8|nyc)$/.test(first.text))
    );
  });
  if (at === -1) return { words: [], assignments };
  const set = isEnvironment ? rest.slice(0, at).filter((word) => /^\w+=/.test(word.text)) : [];
  return unwrap(rest.slice(at), [...assignments, ...set], isScript);
}

/**
 * Returns the program's file name without `.js`, `.cjs` or `.mjs`: `mocha` for `./node_modules/.bin/mocha`, `_mocha`
 * for `../node_modules/mocha/bin/_mocha.js`.
 */
export function baseName(program: string): string {
  return posix.basename(program).replace(/\.[cm]?js$/, "");
}

export function runnerOf(name: string): ProgramRunner | undefined {
  return runners.get(name);
}

const checkers =
  /^(?:eslint|standard|xo|prettier|tslint|biome|oxlint|oxfmt|automd|jshint|jscs|flow|dtslint|tsd|check-dts|size-limit|publint|attw|madge|depcheck|knip|echo|true|ls-lint|codecov|coveralls|cypress|playwright|karma|test-ci|lint-staged|husky|is-ci|vue-tsc|audit|cspell|markdownlint|remark|open-cli|clear|date)$/;

/** Names of scripts that only check the project, such as `lint`. */
export const checkingScripts =
  /^(?:lint|format|fmt|prettier|eslint|style|check|audit|docs?|readme|size|types?|tsd|(?:test|check)[:_-](?:types?|[jet]s?lint|lint|format|style)|type-?check)(?:[:_-].*)?$/;

/** True for checks and messages, such as `eslint` and `echo`. Leaving them out does not change the tests. */
export function isWithoutEffect(program: string, args: readonly ShellWord[]): boolean {
  const name = baseName(program);
  const isTypeCheck = name === "tsc" && args.some((word) => /^--?noEmit/i.test(word.text));
  return isTypeCheck || checkers.test(name);
}
