/**
 * Go: passes `-overlay` to the command through GOFLAGS. The overlay replaces files with copies that call our runtime,
 * and adds the runtime's package to the module. Changes no file of the tree, not even `go.mod`.
 */
import { posix } from "node:path";
import { findAsked } from "../asked-functions.ts";
import { defineTracer, type TracedFunction, type TracePlan, type TracerRequest } from "../tracer.ts";
import { type GoError, isAt, readGoErrors } from "./go-errors.ts";
import { type GoClosure, type GoFile, readGoFile } from "./go-functions.ts";
import { type ChosenFunction, insertGoCalls } from "./go-insertions.ts";
import { findGoModules, type GoModule, runtimeFiles, runtimeFolder, runtimeModule } from "./go-modules.ts";

const planName = "go-plan.txt";
const overlayName = "go-overlay.json";

interface PlannedFunction extends ChosenFunction {
  readonly path: string;
  readonly reason: string | undefined;
}

/** A closure, which the trace lists as left out. */
interface PlannedClosure {
  readonly path: string;
  readonly of: GoClosure;
}

interface Planned {
  readonly request: TracerRequest;
  /** With the module whose copy of our runtime each file uses. */
  readonly files: ReadonlyMap<string, { readonly file: GoFile; readonly module: GoModule | undefined }>;
  readonly functions: readonly PlannedFunction[];
  readonly closures: readonly PlannedClosure[];
  readonly unknown: TracePlan["unknown"];
}

export default defineTracer({
  languages: ["go"],
  async plan(request: TracerRequest): Promise<TracePlan> {
    return makePlan(await readFiles(request));
  },
});

async function readFiles(request: TracerRequest): Promise<Planned> {
  const { sources, specs, depth } = request;
  const modules = await findGoModules(sources);
  const wanted = new Map(specs.map(({ path, names }) => [path, names]));
  const callees =
    depth === 0 ? [] : sources.files.filter((path) => path.endsWith(".go") && !wanted.has(path));
  const files = new Map<string, { file: GoFile; module: GoModule | undefined }>();
  const functions: PlannedFunction[] = [];
  const closures: PlannedClosure[] = [];
  const unknown: TracePlan["unknown"][number][] = [];
  for (const path of [...wanted.keys(), ...callees]) {
    const file = await readGoFile(path, (await sources.read(path)) ?? "");
    const own = modules.find(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
    const module = own && runtimeModule(own, modules);
    const names = wanted.get(path) ?? [];
    const { asked, unknown: missing } = findAsked(path, names, file.functions);
    unknown.push(...missing);
    for (const of of file.closures) {
      if (of.within === undefined ? names.includes("*") : asked.has(of.within)) closures.push({ path, of });
    }
    const chosen = file.functions.filter(
      (each) => asked.has(each) || (depth > 0 && each.leftOut === undefined),
    );
    for (const of of chosen) {
      const reason = of.leftOut ?? (module === undefined ? "its file belongs to no module" : undefined);
      const level = reason === undefined ? "values" : "none";
      functions.push({ id: functions.length + 1, path, of, asked: asked.has(of), level, reason });
    }
    if (chosen.length > 0) files.set(path, { file, module });
  }
  return { request, files, functions, closures, unknown };
}

function makePlan(planned: Planned): TracePlan {
  const { request, files, functions, closures, unknown } = planned;
  const { root, scratch } = request.paths;
  const scratchFiles = new Map<string, string>();
  const replaced: Record<string, string> = {};
  const used = new Set<GoModule>();
  for (const [path, { file, module }] of files) {
    if (module === undefined) continue;
    const own = functions.filter((each) => each.path === path);
    const text = insertGoCalls(file, own, posix.join(module.path, runtimeFolder));
    if (text === undefined) continue;
    used.add(module);
    scratchFiles.set(posix.join("go", path), text);
    replaced[posix.join(root, path)] = posix.join(scratch, "go", path);
  }
  for (const module of used) Object.assign(replaced, runtimeFiles(module, request.paths));
  scratchFiles.set(overlayName, JSON.stringify({ Replace: replaced }));
  scratchFiles.set(planName, planText(planned));
  return {
    // The assembler enters the folder of its package, so the folder must exist.
    changes: [...used].map(({ folder }) => ({
      path: posix.join(folder, runtimeFolder, ".keep"),
      content: "",
    })),
    scratchFiles,
    env: {
      GOFLAGS: `-overlay=${posix.join(scratch, overlayName)}`,
      MILLWRIGHT_TRACE_GO: posix.join(scratch, planName),
    },
    starter: ["sh", posix.join(request.paths.runtime, "go-trace", "start.sh")],
    functions: [...functions.map(describe), ...closures.map(describeClosure(functions.length))],
    unknown,
    heal: (output) => Promise.resolve(heal(planned, readGoErrors(output))),
    buildErrors: (output) =>
      readGoErrors(output).map((error) => {
        // The compiler names the copy.
        const path = [...files.keys()].find((each) => isAt(error, each)) ?? error.path;
        return `${path}:${error.line}: ${error.message}`;
      }),
  };
}

function describe({ id, path, of, level, reason }: PlannedFunction): TracedFunction {
  const group = of.leftOut !== undefined ? "left-out" : of.isTest ? "test" : "function";
  const { name, line, endLine } = of;
  return { id, path, line, endLine, name, level, group, ...(reason === undefined ? {} : { reason }) };
}

/** `before`: the number of functions already numbered. */
function describeClosure(before: number) {
  return ({ path, of }: PlannedClosure, index: number): TracedFunction => ({
    id: before + index + 1,
    path,
    line: of.line,
    endLine: of.endLine,
    name: of.name,
    level: "none",
    group: "left-out",
    reason: "it is a closure",
  });
}

/** The plan as text. `settings.go` reads it and documents the format. */
function planText({ request, functions }: Planned): string {
  const lines = functions.map(
    ({ id, path, of }) => `${id} ${of.line} ${of.endLine} ${of.isMain ? 1 : 0} ${path}`,
  );
  return [request.paths.root, String(request.depth), ...lines].join("\n");
}

/**
 * Reduces the recording of each function that contains a compiler error. For an error outside all functions, reduces
 * the whole file. Undefined if our text causes no error.
 */
function heal(planned: Planned, errors: readonly GoError[]): TracePlan | undefined {
  let changed = false;
  const functions = planned.functions.map((each): PlannedFunction => {
    const own = each.level === "none" ? undefined : errors.find((error) => isOf(planned, error, each));
    if (own === undefined) return each;
    changed = true;
    return { ...each, level: weaker(each.level, own), reason: own.message };
  });
  return changed ? makePlan({ ...planned, functions }) : undefined;
}

function isOf({ functions }: Planned, error: GoError, each: PlannedFunction): boolean {
  const stands = ({ of, path }: PlannedFunction) =>
    isAt(error, path) && of.line <= error.line && error.line <= of.endLine;
  if (stands(each)) return true;
  return isAt(error, each.path) && /millwright/i.test(error.message) && !functions.some(stands);
}

function weaker(level: TracedFunction["level"], { message }: GoError): TracedFunction["level"] {
  // A complaint without our names is the program's own fault, which shows once all our text is gone. If our package's
  // name has another meaning there, no reduction would compile.
  if (!/millwright/i.test(message) || /\bmillwright(?:\.\w+ undefined|.*redeclared)/.test(message))
    return "none";
  return level === "values" ? "return" : level === "return" ? "calls" : "none";
}
