/**
 * Makes a folder with a project's state before a fix, with the fix's tests. Sets up the project, and tests it with its
 * own command.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fix } from "./unseen-draw.ts";

interface Toolchain {
  /** Run in the folder, one after the other; what fails is passed over where it begins with `-`. */
  readonly setUp: (folder: string) => readonly string[];
  /** The project's own. */
  readonly test: string;
}

const python: Toolchain = {
  setUp: (folder) => [
    "python3 -m venv .venv",
    ".venv/bin/pip install --quiet pytest hypothesis setuptools wheel",
    ".venv/bin/pip install --quiet -e .",
    ...readdirSync(folder)
      .filter((name) =>
        /^(?:dev|test)[\w-]*requirements.*\.txt$|^requirements.*(?:dev|test).*\.txt$/.test(name),
      )
      .map((name) => `-.venv/bin/pip install --quiet -r ${name}`),
    "-.venv/bin/pip install --quiet -e '.[test,tests,testing]'",
  ],
  test: ".venv/bin/python -m pytest -q -o addopts=",
};
const npm: Toolchain = {
  setUp: () => ["npm install --ignore-scripts --no-audit --no-fund --loglevel=error --legacy-peer-deps"],
  // What a script does beside the tests (a linter, another package manager) is no test.
  test: "if test -x node_modules/.bin/vitest; then npx vitest run; else npm test --ignore-scripts; fi",
};
const lacksModule = "test -f go.mod || (go mod init project && go mod tidy)";
const toolchains: Readonly<Record<string, Toolchain>> = {
  python,
  javascript: npm,
  typescript: npm,
  // Older ones have no go.mod.
  go: {
    setUp: () => [lacksModule, "go mod download"],
    test: "go test ./...",
  },
  rust: { setUp: () => ["cargo fetch --quiet"], test: "cargo test --quiet" },
  // Its plug-ins and libraries come with the first run.
  java: { setUp: () => ["mvn -q -B test-compile"], test: "mvn -q -B test" },
};

/** What our own set-up leaves in the folder. */
const ignored = [
  ".venv",
  "node_modules",
  "target",
  "*.egg-info",
  "__pycache__",
  "package-lock.json",
  "Cargo.lock",
];
const setUpMs = 600_000;
const testMs = 300_000;
/**
 * A compiled Python file counts as that of another text that has its size and second. Lints of a newer Rust end the build
 * of an older project.
 */
const environment = {
  ...process.env,
  RUSTFLAGS: "--cap-lints allow",
  SETUPTOOLS_SCM_PRETEND_VERSION: "99.0",
  CI: "1",
  PYTHONDONTWRITEBYTECODE: "1",
};

/** Fresh, with one commit: nothing of the history, and of what a set-up left only what the language keeps by project. */
export function layProject(fix: Fix, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  layCommit(fix.folder, fix.commit, folder, { [fix.file]: fix.before });
}

/** A commit's files, some with another text, as the only commit; what a set-up left stays where the folder was laid before. */
export function layCommit(repository: string, commit: string, folder: string, texts: Texts): void {
  const run = (...parameters: string[]): void => {
    execFileSync("git", ["-C", folder, "-c", "user.name=b", "-c", "user.email=b@localhost", ...parameters]);
  };
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, ".git"))) {
    // Before the `.gitignore` goes: what a build generated into ignored files belongs to the set-up.
    run("clean", "-d", "--force", "--quiet");
    run("rm", "-r", "-f", "--quiet", "--ignore-unmatch", ".");
    rmSync(join(folder, ".git"), { recursive: true });
  }
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["-C", repository, "archive", commit], { maxBuffer: 1 << 30 });
  // Today's dates: Cargo builds nothing again that is older than what was built.
  execFileSync("tar", ["-x", "-m", "-C", folder], { input: archive });
  run("init", "--quiet");
  writeFileSync(join(folder, ".git/info/exclude"), `${ignored.join("\n")}\n`);
  writeTexts(folder, texts);
  run("add", "--all");
  run("commit", "--quiet", "--message", "before");
}

/** What an older project lacks, and a commit that is laid anew takes away. */
export function completeProject(folder: string, language: string): void {
  if (language === "go") runIn(folder, lacksModule, setUpMs);
}

/** Why it cannot be set up; undefined where it was. */
export function setUpProject(folder: string, language: string): string | undefined {
  const toolchain = toolchains[language];
  if (toolchain === undefined) return `no toolchain for ${language}`;
  for (const line of toolchain.setUp(folder)) {
    const isOptional = line.startsWith("-");
    const { ok, output } = runIn(folder, isOptional ? line.slice(1) : line, setUpMs);
    if (!ok && !isOptional) return `${line}: ${lastLines(output)}`;
  }
  return undefined;
}

export interface OwnRun {
  readonly passes: boolean;
  /** Lines that name failing tests, in the words of the project's runner. */
  readonly failures: ReadonlySet<string>;
  readonly output: string;
}

/** Some tests of old projects fail on today's machines whatever the code is: what fails beside these is the code's. */
export function failsMore({ passes, failures }: OwnRun, other: OwnRun): boolean {
  if (passes) return false;
  if (other.passes) return true;
  // Where neither names a failing test, nothing ran.
  if (failures.size === 0) return other.failures.size > 0;
  return [...failures].some((line) => !other.failures.has(line));
}

/** By path; undefined: there is no such file. */
export type Texts = Readonly<Record<string, string | undefined>>;

/** The project's own command with these texts; puts the files back. */
export function runOwnTests(
  folder: string,
  language: string,
  texts: Texts,
  command = toolchains[language]?.test ?? "false",
): OwnRun {
  const kept = Object.keys(texts).map((path) => {
    const file = join(folder, path);
    return [path, existsSync(file) ? readFileSync(file, "utf8") : undefined] as const;
  });
  try {
    writeTexts(folder, texts);
    const { ok, output } = runIn(folder, command, testMs);
    return { passes: ok, failures: failuresIn(output), output: lastLines(output) };
  } finally {
    writeTexts(folder, Object.fromEntries(kept));
  }
}

function writeTexts(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(folder, path);
    if (text === undefined) {
      rmSync(file, { force: true });
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const failure =
  /^(?:FAILED|ERROR|--- FAIL:|not ok|FAIL\b|✖|✗|✕|×|●|\d+\)|\[ERROR\] +[\w.$]+[.:]\w+|test .* FAILED$| {4}\S+::\S+$)/;

function failuresIn(output: string): ReadonlySet<string> {
  const lines = output.split("\n").filter((line) => failure.test(line) || failure.test(line.trim()));
  return new Set(
    lines.map((line) =>
      line.replaceAll(/\(?\d+(?:\.\d+)? ?m?s\b\)?| - .*$|:\d+.*$|^\s*\d+\)|\d+/g, "").trim(),
    ),
  );
}

function runIn(folder: string, line: string, timeout: number): { ok: boolean; output: string } {
  const ended = spawnSync("sh", ["-c", line], {
    cwd: folder,
    env: { ...environment, PATH: `${folder}/.venv/bin:${process.env.PATH}` },
    timeout,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { ok: ended.status === 0, output: `${ended.stdout ?? ""}\n${ended.stderr ?? ""}` };
}

/** What says most of why: Maven tells it first, others last. */
function lastLines(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => line.startsWith("[ERROR]"));
  return (errors.length > 0 ? errors.slice(0, 3) : lines.slice(-6)).join("\n").slice(0, 800);
}
