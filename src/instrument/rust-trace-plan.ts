/** A plan that makes Rust functions record their calls, and weaker ones where the compiler refuses. */
import type { SyntaxTree } from "../syntax/node.ts";
import { parseSyntax } from "../syntax/node.ts";
import { type RustError, readRustErrors, rustBuildErrors } from "./rust-trace-errors.ts";
import { findRustFunctions, type RustFunction } from "./rust-trace-functions.ts";
import { isNamed, nearestNames } from "./rust-trace-names.ts";
import { nameLine, type RustStep, rustSteps, traceInsertions } from "./rust-trace-text.ts";
import { insertAll } from "./text-insertions.ts";
import type { TracedFunction, TracePlan, TracerRequest } from "./tracer.ts";

const grammar = "tree-sitter-rust/tree-sitter-rust.wasm";

interface RustFile {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly all: readonly RustFunction[];
}

/** A function that the plan names, and how much of it is recorded at present. */
interface Chosen {
  readonly file: RustFile;
  readonly one: RustFunction;
  readonly id: number;
  readonly step: RustStep;
  readonly reason?: string;
}

export async function planRustTrace(request: TracerRequest): Promise<TracePlan> {
  const chosen: Chosen[] = [];
  const unknown: TracePlan["unknown"][number][] = [];
  for (const spec of request.specs) {
    const file = await readFile(request, spec.path);
    if (file === undefined) continue;
    for (const name of spec.names)
      if (!file.all.some((one) => isNamed(one, name)))
        unknown.push({ path: file.path, name, ...nearestIn(file, name) });
    for (const one of file.all)
      if (spec.names.some((name) => isNamed(one, name)))
        chosen.push({ file, one, id: chosen.length + 1, step: one.body === undefined ? "none" : "all" });
  }
  return makePlan(request, chosen, unknown);
}

async function readFile(request: TracerRequest, path: string): Promise<RustFile | undefined> {
  const text = await request.sources.read(path);
  if (text === undefined) return undefined;
  const tree = await parseSyntax(grammar, text);
  return { path, tree, all: findRustFunctions(tree, path) };
}

function nearestIn(file: RustFile, name: string): { nearest: string[]; functions: number } {
  const named = file.all.filter((one) => one.reason !== "a closure");
  return {
    nearest: nearestNames(
      name,
      named.map((one) => one.name),
    ),
    functions: named.length,
  };
}

function makePlan(
  request: TracerRequest,
  chosen: readonly Chosen[],
  unknown: TracePlan["unknown"],
): TracePlan {
  return {
    changes: changesOf(chosen),
    scratchFiles: new Map(),
    env: {
      RUSTC_WRAPPER: `${request.paths.runtime}/rust-trace/rustc.sh`,
      RUSTDOC: `${request.paths.runtime}/rust-trace/rustdoc.sh`,
      MILLWRIGHT_TRACE_ROOT: request.paths.root,
      MILLWRIGHT_TRACE_BUILD: `${request.paths.scratch}/rust-trace`,
      MILLWRIGHT_TRACE_FUNCTIONS: String(chosen.length),
    },
    functions: chosen.map(describe),
    unknown,
    heal: async (output) => {
      const weaker = weaken(request, chosen, readRustErrors(output));
      return weaker === undefined ? undefined : makePlan(request, weaker, unknown);
    },
    buildErrors: rustBuildErrors,
  };
}

function changesOf(chosen: readonly Chosen[]): TracePlan["changes"][number][] {
  const byFile = new Map<RustFile, Chosen[]>();
  for (const each of chosen) {
    const known = byFile.get(each.file);
    if (known === undefined) byFile.set(each.file, [each]);
    else known.push(each);
  }
  return [...byFile].flatMap(([{ path, tree }, functions]) => {
    const insertions = functions.flatMap(({ one, id, step }) => traceInsertions(tree, one, id, step));
    return insertions.length === 0 ? [] : [{ path, content: insertAll(tree.text, insertions) }];
  });
}

const levels: Readonly<Record<RustStep, TracedFunction["level"]>> = {
  all: "values",
  plain: "values",
  return: "return",
  calls: "calls",
  none: "none",
};

function describe({ file, one, id, step, reason }: Chosen): TracedFunction {
  const why = one.reason ?? reason;
  return {
    id,
    path: file.path,
    line: nameLine(one),
    endLine: one.node.endLine,
    name: one.name,
    level: levels[step],
    ...(why === undefined ? {} : { reason: why }),
    group: one.group,
  };
}

/** One step less for a function that each error is in, or refers to; undefined where there is none. */
function weaken(
  { paths }: TracerRequest,
  chosen: readonly Chosen[],
  errors: readonly RustError[],
): Chosen[] | undefined {
  const faulty = new Map<Chosen, string>();
  for (const { places, message } of errors) {
    const found = places.flatMap((place) =>
      chosen.filter((each) => each.step !== "none" && isIn(place, each, paths.root)),
    );
    // Of nested functions the inner one is the last.
    const first = found.filter((each) => each.file === found[0]?.file).at(0);
    const inner = found.findLast(
      (each) => first !== undefined && each.file === first.file && isWithin(each, first),
    );
    if (inner !== undefined && !faulty.has(inner)) faulty.set(inner, message);
  }
  if (faulty.size === 0) return undefined;
  return chosen.map((each) => {
    const reason = faulty.get(each);
    return reason === undefined ? each : { ...each, step: lessThan(each), reason };
  });
}

function isWithin(inner: Chosen, outer: Chosen): boolean {
  return outer.one.node.start <= inner.one.node.start && inner.one.node.end <= outer.one.node.end;
}

/** The next step that makes another text of the function. */
function lessThan({ file, one, id, step }: Chosen): RustStep {
  const textAt = (at: RustStep): string => JSON.stringify(traceInsertions(file.tree, one, id, at));
  const present = textAt(step);
  const left = rustSteps.slice(rustSteps.indexOf(step) + 1);
  return left.find((at) => textAt(at) !== present) ?? "none";
}

function isIn(place: RustErrorPlace, { file, one }: Chosen, root: string): boolean {
  const { node } = one;
  if (place.line < node.startLine || place.line > node.endLine) return false;
  const path = place.path.replaceAll("\\", "/");
  return path === `${root}/${file.path}` || file.path === path || file.path.endsWith(`/${path}`);
}
