/** Shared parts of Python's test frameworks: everything except how their commands are found and started. */

import type {
  Batch,
  BatchRequest,
  InvocationRequest,
  ProjectView,
  TestCommand,
  TestFramework,
} from "../contract.ts";
import { parseForkedBatch } from "../forked-batch.ts";
import { formatPythonCommand, type PythonCommand, readPythonCommand } from "./python-command.ts";
import { parsePythonComparison } from "./python-comparison.ts";
import { invokePython, parsePythonReport } from "./python-invocation.ts";
import { pythonJudging } from "./python-judging.ts";

export interface PythonFramework
  extends Pick<TestFramework, "name" | "description" | "detect" | "canary" | "examples" | "collects"> {
  /** The command line that runs `start ARGS` with our runtime in it. */
  readonly argvOf: (start: readonly string[], args: readonly string[]) => readonly string[];
  /** True for the framework's own repository: there, a batch has to begin before the framework is loaded. */
  readonly isOwn?: (project: ProjectView) => boolean;
}

/** A start takes about as long as ten candidates. A larger batch delays the result of its best candidate. */
const size = 100;

/** Describes a framework that is started as `python -m NAME`. */
export function describePythonFramework(
  framework: PythonFramework,
): TestFramework & Required<Pick<TestFramework, "batch" | "comparison">> {
  const { name, description, detect, argvOf } = framework;

  function read(command: string, project: ProjectView, directory: string): PythonCommand | undefined {
    const found = readPythonCommand(command, project, directory);
    return found?.runner === name ? found : undefined;
  }

  function start({ command, project }: Pick<InvocationRequest, "command" | "project">) {
    const found = read(command.command, project, command.directory);
    const { start, args, env } = found ?? { start: ["python3", "-m", name], args: [], env: {} };
    return { argv: argvOf(start, args), env };
  }

  function batchOf<Report>(compare: boolean, parse: Batch<Report>["parse"]): Batch<Report> {
    return {
      kind: "swap",
      size,
      invoke(request: BatchRequest) {
        const { candidates, parallel } = request;
        const selection = { kind: "tests", tests: request.tests } as const;
        const one = { ...request, selection, coverage: false };
        const { argv, env } = start(request);
        const isFirst = framework.isOwn?.(request.project) === true;
        const command = { argv: isFirst ? beginFirst(argv, request.paths.runtime) : argv, env };
        return invokePython(one, command, { candidates, parallel, compare });
      },
      parse,
    };
  }

  return {
    name,
    language: "python",
    description,
    coverage: "tracer",
    divides: true,
    varies: "in reversed order and with another hash seed",
    ...(framework.canary === undefined ? {} : { canary: framework.canary }),
    ...(framework.examples === undefined ? {} : { examples: framework.examples }),
    judging: pythonJudging,
    ...(framework.collects === undefined ? {} : { collects: framework.collects }),
    detect,
    recognise(command: string, project: ProjectView): TestCommand | undefined {
      const found = read(command, project, "");
      if (found === undefined) return undefined;
      return describeCommand(name, found.directory, formatPythonCommand(found), "--test-command", 1);
    },
    invoke: (request: InvocationRequest) => invokePython(request, start(request)),
    parse: parsePythonReport,
    batch: batchOf(false, parseForkedBatch),
    comparison: batchOf(true, parsePythonComparison),
  };
}

/** Makes `python -m NAME …` load our part before NAME. Leaves other command lines unchanged. */
function beginFirst(argv: readonly string[], runtime: string): readonly string[] {
  const at = argv.indexOf("-m");
  const first = `${runtime}/python/millwright_first.py`;
  return at === -1 ? argv : [...argv.slice(0, at), first, ...argv.slice(at + 1)];
}

export function describeCommand(
  framework: string,
  directory: string,
  command: string,
  foundBy: string,
  likelihood: number,
): TestCommand {
  return { framework, directory, command, foundBy, likelihood };
}
