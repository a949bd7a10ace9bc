/** Reads compiler errors from a Java build's output, and determines which tests they prevent. */
import {
  formatTestKey,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { BuildComplaint } from "../contract.ts";
import { type BuildRun, moduleOf, outputOf } from "./java-run.ts";

/** `[ERROR] /path/Shelf.java:[12,8] cannot find symbol` (Maven), `/path/Shelf.java:12: error: …` (javac, Gradle). */
const mavenError =
  /^(?:\[ERROR\] )?(\/\S.*?\.(?:java|kt|groovy|scala)):\[?(\d+)[,\d\]]*:? (?:error: )?(.*)$/gm;

/** Reads compiler errors in files below `root`, one per place, with up to three details from the following lines. */
export function readComplaints(output: string, root: string): BuildComplaint[] {
  const found = new Map<string, BuildComplaint>();
  for (const match of output.matchAll(mavenError)) {
    const [whole, path = "", line = "", text = ""] = match;
    if (!path.startsWith(`${root}/`) || /^warning/i.test(text)) continue;
    const rest = output.slice(match.index + whole.length, match.index + whole.length + 600);
    const more = [...rest.matchAll(/^(?:\[ERROR\])?\s+(symbol|location|required|found|reason):\s+(.*)$/gm)];
    const details = more.slice(0, 3).map((one) => `${one[1]}: ${one[2]}`);
    const file = path.slice(root.length + 1);
    const message = [text.trim(), ...details].join("; ");
    if (!found.has(`${file}:${line}`)) found.set(`${file}:${line}`, { file, line: Number(line), message });
  }
  return [...found.values()];
}

/**
 * Makes outcomes for tests that a compiler error prevented and that have no outcome yet. Requested tests get `failed`.
 * If the run did not request individual tests, every test class gets `errored`. Empty if the build did not end with a
 * compiler error.
 */
export function describeBrokenBuild(
  run: BuildRun,
  outcomes: ReadonlyMap<string, TestOutcome>,
): TestOutcome[] {
  const output = outputOf(run);
  if (run.exitCode === 0 || !/COMPILATION ERROR|Compilation failure|Compilation failed/.test(output))
    return [];
  const complaints = readComplaints(output, run.root);
  const failed = new Map<string, TestFailure>();
  for (const complaint of complaints) {
    const module = moduleOf(run, complaint.file);
    if (!failed.has(module)) failed.set(module, describe(complaint, complaints));
  }
  const { selection } = run.asked;
  const keys = selection.kind === "tests" ? selection.tests : testClasses(run);
  return keys.flatMap((key): TestOutcome[] => {
    // A module that was not built because one it needs does not compile.
    const failure = failed.get(key.package) ?? [...failed.values()][0];
    if (failure === undefined || outcomes.has(formatTestKey(key)) || hasRun(outcomes, key)) return [];
    return [{ key, status: key.name === "" ? "errored" : "failed", durationMs: 0, failure }];
  });
}

function hasRun(outcomes: ReadonlyMap<string, TestOutcome>, { package: module, target }: TestKey): boolean {
  return [...outcomes.values()].some(
    ({ key, status }) => key.package === module && key.target === target && status !== "not-run",
  );
}

function testClasses(run: BuildRun): TestKey[] {
  return run.sources.flatMap((file) => {
    const match =
      /(?:^|\/)src\/test\/\w+\/(.*?)(\w*Tests?|\w*TestCase|Test\w*)\.(?:java|kt|groovy|scala)$/.exec(file);
    if (match === null) return [];
    const target = `${(match[1] ?? "").replaceAll("/", ".")}${match[2] ?? ""}`;
    return [{ package: moduleOf(run, file), target, name: "" }];
  });
}

function describe(complaint: BuildComplaint, all: readonly BuildComplaint[]): TestFailure {
  const { file, line, message } = complaint;
  const text = all
    .slice(0, 20)
    .map((one) => `${one.file}:${one.line}: ${one.message}`)
    .join("\n");
  return { type: "CompilationError", message, frames: [{ file, line }], text: text.slice(0, 4000) };
}
