/**
 * Java: inserts calls of our runtime as text. Each file gets its own small class that finds the runtime. So no build
 * file, class path, module or JVM option changes. The command compiles the runtime first, with the `javac` of JAVA_HOME
 * or PATH.
 */
import { posix } from "node:path";
import { skippedChecks } from "../../languages/java/maven-arguments.ts";
import { defineTracer, type TracedFunction, type TracePlan, type TracerRequest } from "../tracer.ts";
import { type ChosenJava, chooseJava, type JavaChoice, shownName } from "./java-choice.ts";
import { isAt, type JavaError, readJavaErrors } from "./java-errors.ts";
import { insertJavaCalls, recordedNames } from "./java-text.ts";

interface Planned extends JavaChoice {
  readonly request: TracerRequest;
}

export default defineTracer({
  languages: ["java"],
  async plan(request: TracerRequest): Promise<TracePlan> {
    return makePlan({ request, ...(await chooseJava(request)) });
  },
});

function makePlan(planned: Planned): TracePlan {
  const { request, files, functions, unknown } = planned;
  const { runtime, scratch } = request.paths;
  const changes = [...files.values()].flatMap((file) => {
    const content = insertJavaCalls(
      file,
      functions.filter(({ path }) => path === file.path),
    );
    return content === undefined ? [] : [{ path: file.path, content }];
  });
  return {
    changes,
    scratchFiles: new Map([["plan.txt", planText(planned)]]),
    env: { MILLWRIGHT_TRACE_JAVA: scratch },
    starter: ["sh", posix.join(runtime, "java-trace", "start.sh"), skippedChecks.join(" ")],
    functions: functions.map((each) => describe(each, planned)),
    unknown,
    heal: (output) => Promise.resolve(heal(planned, readJavaErrors(output))),
    buildErrors: (output) =>
      readJavaErrors(output).map((error) => {
        const path = request.sources.files.find((each) => isAt(error, each)) ?? error.path;
        return `${path}:${error.line}: ${error.message}`;
      }),
  };
}

function describe({ id, path, of, level, reason }: ChosenJava, { files }: Planned): TracedFunction {
  const group = of.leftOut !== undefined ? "left-out" : of.isTest ? "test" : "function";
  const file = files.get(path);
  const name = file === undefined ? of.name : shownName(of, file);
  const { line, endLine } = of;
  return { id, path, line, endLine, name, level, group, ...(reason === undefined ? {} : { reason }) };
}

/** The plan as text. `Plan.java` reads it and documents the format. */
function planText({ request, functions }: Planned): string {
  const lines = functions
    .filter(({ level }) => level !== "none")
    .map((each) => {
      const names = each.level === "values" ? recordedNames(each).join(",") : "-";
      return `${each.id} ${each.asked ? 1 : 0} ${names}`;
    });
  const paths = request.sources.files.filter((path) => path.endsWith(".java"));
  return [request.depth, ...lines, "", ...paths].join("\n");
}

/**
 * Reduces the recording of the innermost function that contains a compiler error. For an error outside all functions,
 * reduces the whole file. Undefined if our text causes no error.
 */
function heal(planned: Planned, errors: readonly JavaError[]): TracePlan | undefined {
  const reasons = new Map<ChosenJava, JavaError>();
  for (const error of errors) {
    const own = planned.functions.filter(({ path }) => isAt(error, path));
    const inner = own.findLast(({ of }) => of.node.startLine <= error.line && error.line <= of.endLine);
    const faulty = inner !== undefined ? [inner] : /\bmw_/.test(error.message) ? own : [];
    for (const each of faulty) if (each.level !== "none" && !reasons.has(each)) reasons.set(each, error);
  }
  if (reasons.size === 0) return undefined;
  const functions = planned.functions.map((each): ChosenJava => {
    const error = reasons.get(each);
    return error === undefined ? each : { ...each, level: weaker(each, error), reason: error.message };
  });
  return makePlan({ ...planned, functions });
}

/**
 * The next lower level for a function with this compiler error. If removing all our text does not end the error, the
 * program itself causes it.
 */
function weaker({ level, of }: ChosenJava, { message }: JavaError): TracedFunction["level"] {
  const isOfArguments = /\bmw_/.test(message) && !/\bmw_r\b|code too large/.test(message);
  if (level === "values" && of.parameters.length > 0 && isOfArguments) return "return";
  return level === "calls" || (of.returned === undefined && !of.makes) ? "none" : "calls";
}
