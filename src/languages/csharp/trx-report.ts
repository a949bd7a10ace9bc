/** Reads TRX, the test result format that `dotnet test --logger trx` writes (schema: vstst.xsd). */

import { parseXml, type XmlDocument, XmlElement } from "@rgrove/parse-xml";
import { countOf } from "../../base/count.ts";
import type { StackFrame, TestFailure, TestOutcome, TestStatus } from "../../domain/test-outcome.ts";

export interface TrxRun {
  readonly outcomes: readonly TestOutcome[];
  /** The reason why the file cannot be trusted; otherwise undefined. */
  readonly problem: string | undefined;
}

const statuses: Readonly<Record<string, TestStatus>> = {
  Passed: "passed",
  PassedButRunAborted: "passed",
  Warning: "passed",
  Failed: "failed",
  Error: "failed",
  Timeout: "failed",
  Aborted: "failed",
  Disconnected: "failed",
  NotExecuted: "skipped",
  NotRunnable: "skipped",
  Inconclusive: "skipped",
  Pending: "not-run",
  InProgress: "not-run",
};

export function readTrx(text: string, root: string): TrxRun {
  let document: XmlDocument;
  try {
    document = parseXml(text.replace(/^\uFEFF/, ""), { ignoreUndefinedEntities: true });
  } catch (error) {
    return {
      outcomes: [],
      problem: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
    };
  }
  const run = document.root;
  if (run?.name !== "TestRun") return { outcomes: [], problem: "it has no TestRun" };
  const methods = new Map(
    childrenOf(childOf(run, "TestDefinitions")).map((test) => [test.attributes["id"] ?? "", test]),
  );
  const seen = new Map<string, number>();
  const outcomes = childrenOf(childOf(run, "Results")).flatMap((result) => {
    const made = readResult(result, methods.get(result.attributes["testId"] ?? ""), root);
    if (made === undefined) return [];
    const id = JSON.stringify(made.key);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return [count === 1 ? made : { ...made, key: { ...made.key, name: `${made.key.name} #${count}` } }];
  });
  return { outcomes, problem: findProblem(run, outcomes.length) };
}

function readResult(
  result: XmlElement,
  definition: XmlElement | undefined,
  root: string,
): TestOutcome | undefined {
  const method = childOf(definition, "TestMethod");
  const { testName = "", outcome = "Passed", duration = "" } = result.attributes;
  const className = (method?.attributes["className"] ?? "").replace(/,.*$/, "");
  const name =
    className !== "" && testName.startsWith(`${className}.`)
      ? testName.slice(className.length + 1)
      : testName;
  const storage = definition?.attributes["storage"] ?? method?.attributes["codeBase"] ?? "";
  const assembly = storage
    .replaceAll("\\", "/")
    .replace(/^.*\//, "")
    .replace(/\.(?:dll|exe)$/i, "");
  const status = statuses[outcome];
  if (testName === "" || status === undefined) return undefined;
  const base = {
    key: { package: assembly, target: className, name },
    status,
    durationMs: readDuration(duration),
  };
  return status === "failed" ? { ...base, failure: readFailure(result, outcome, root) } : base;
}

function readFailure(result: XmlElement, outcome: string, root: string): TestFailure {
  const info = childOf(childOf(result, "Output"), "ErrorInfo");
  const said = childOf(info, "Message")?.text.trim() ?? "";
  const stack = childOf(info, "StackTrace")?.text ?? "";
  const thrown =
    /^(?:Test method \S+ threw exception:\s*)?([\w.+`]*(?:Exception|Error))\s*:\s*([\s\S]*)$/.exec(said);
  const isAssertion =
    thrown === null ||
    /(?:Assert|Xunit|Expectation|Shouldly)\w*(?:\.\w*)?Exception$/.test((thrown[1] ?? "").slice(-300));
  const type =
    outcome === "Timeout"
      ? "TimeoutError"
      : isAssertion
        ? "AssertionError"
        : (thrown?.[1] ?? "Error").replace(/^.*[.+]/, "");
  return {
    type,
    message: (thrown?.[2] ?? said) || outcome,
    frames: readFrames(stack, root),
    text: `${said}\n${stack}`.slice(0, 4000),
  };
}

/**
 * Reads frames such as `at Space.Class.Method(Int32 a) in /path/File.cs:line 12`, which .NET prints innermost first.
 */
function readFrames(stack: string, root: string): StackFrame[] {
  const frames = [...stack.matchAll(/^[ \t]*at (.+?) in (.+):line (\d+)\s*$/gm)].map(
    ([, call = "", path = "", line = "1"]) => {
      const file = path.replaceAll("\\", "/");
      return {
        file: file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file,
        line: Number(line),
        function: call.replace(/\(.*$/, ""),
      };
    },
  );
  return frames.filter(({ line }) => line > 0).reverse();
}

/** Converts a duration such as `00:00:01.2345678` to milliseconds. */
function readDuration(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

function findProblem(run: XmlElement, count: number): string | undefined {
  const summary = childOf(run, "ResultSummary");
  const total = Number(childOf(summary, "Counters")?.attributes["total"] ?? count);
  if (summary?.attributes["outcome"] === "Aborted") {
    const [info] = childrenOf(childOf(summary, "RunInfos"));
    return `the run was aborted: ${childOf(info, "Text")?.text.trim() ?? "without a stated reason"}`;
  }
  return total === count ? undefined : `it announces ${countOf(total, "test")}, but has ${count}`;
}

function childrenOf(parent: XmlElement | undefined): XmlElement[] {
  return (parent?.children ?? []).filter((child) => child instanceof XmlElement);
}

function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenOf(parent).find((child) => child.name === name);
}
