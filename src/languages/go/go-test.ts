import { deflateSync } from "node:zlib";
import {
  type BatchRequest,
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type Selection,
} from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { parseGoBatch } from "./go-batch.ts";
import { goCanary } from "./go-canary.ts";
import { readGoCommand } from "./go-command.ts";
import { goExamples } from "./go-examples.ts";
import { goJudging } from "./go-judging.ts";
import { coversSeveral, detectGo, makeCommand } from "./go-modules.ts";

/**
 * Characters of one environment variable. Linux limits one environment string to 128 KiB, and all strings plus
 * arguments to 2 MiB.
 */
const partLength = 100_000;
const requestLength = 1_500_000;

interface GoRequest {
  readonly selection: Selection;
  readonly coverage: boolean;
  readonly candidates: readonly number[];
  readonly parallel: number;
}

/** Starts the driver (`runtime/go/main.go`), which starts `go test`. */
function start(request: Omit<InvocationRequest, "coverage" | "selection">, asked: GoRequest): Invocation {
  let encoded = encode(request, asked);
  if (encoded.length > requestLength && asked.selection.kind === "tests") {
    // If the selection does not fit: whole files, whose outcomes include the requested ones.
    const files = [...new Set(asked.selection.tests.map((test) => test.target))];
    encoded = encode(request, { ...asked, selection: { kind: "files", files } });
  }
  const parts: [string, string][] = [];
  for (let at = 0; at < encoded.length; at += partLength) {
    parts.push([`MILLWRIGHT_REQUEST_${parts.length}`, encoded.slice(at, at + partLength)]);
  }
  const run = ["/bin/sh", `${request.paths.runtime}/go/start.sh`];
  return { run, env: Object.fromEntries(parts), programs: ["go"] };
}

function encode(
  {
    command,
    project,
    paths,
    testTimeoutMs,
    stopAtFirstFailure,
    varied,
  }: Omit<InvocationRequest, "coverage" | "selection">,
  { selection, coverage, candidates, parallel }: GoRequest,
): string {
  const shuffle = varied === true ? ["-shuffle=4711"] : [];
  const calls = readGoCommand(command.command, project, command.directory).map((call) => ({
    ...call,
    flags: [...call.flags, ...shuffle],
  }));
  const content = {
    root: paths.root,
    report: paths.report,
    channel: paths.channel,
    coverage,
    testTimeoutMs,
    stopAtFirstFailure,
    several: coversSeveral(project, calls),
    calls,
    candidates,
    parallel,
    selection:
      selection.kind === "tests"
        ? { kind: "tests", tests: selection.tests.map((test) => [test.target, test.name]) }
        : selection,
  };
  return deflateSync(JSON.stringify(content)).toString("base64");
}

export default defineTestFramework({
  name: "go-test",
  language: "go",
  description: "go test, Go 1.18 and later, with the project's own toolchain and build cache",
  coverage: "tracer",
  judging: goJudging,
  builds: true,
  joins: true,
  detect: detectGo,
  recognise(command, project) {
    const calls = readGoCommand(command, project);
    return calls.length === 0 ? undefined : makeCommand(calls, "--test-command", 1);
  },
  varies: "in shuffled order",
  canary: goCanary,
  examples: goExamples,
  invoke: (request) => start(request, { ...request, candidates: [], parallel: 1 }),
  parse: parseReportLines,
  batch: {
    kind: "schema",
    // Compiling and linking take a second or more; starting the test binary takes about ten milliseconds.
    size: 300,
    invoke: (request: BatchRequest) =>
      start(request, {
        selection: { kind: "tests", tests: request.tests },
        coverage: false,
        candidates: request.candidates.map(({ id }) => id),
        parallel: request.parallel,
      }),
    parse: parseGoBatch,
  },
});
