/** Plans the recording of calls in Rust functions, and reduces the plan where the compiler refuses it. */

import { type Insertion, insertAll } from "../text-insertions.ts";
import type { TracedFunction, TracePlan, TracerRequest } from "../tracer.ts";
import { type Choice, type ChosenFunction, chooseRust, type RustFile } from "./choice.ts";
import { readRustErrors, rustBuildErrors } from "./errors.ts";
import { weaken } from "./heal.ts";
import { listLocking } from "./locks.ts";
import { shapeInsertion } from "./shapes.ts";
import { nameLine, type RustStep, traceInsertions } from "./text.ts";

export async function planRustTrace(request: TracerRequest): Promise<TracePlan> {
  return makePlan(request, await chooseRust(request));
}

function makePlan(request: TracerRequest, choice: Choice): TracePlan {
  const { root, runtime, scratch } = request.paths;
  return {
    changes: changesOf(choice),
    scratchFiles: new Map(),
    env: {
      RUSTC_WRAPPER: `${runtime}/rust-trace/rustc.sh`,
      RUSTDOC: `${runtime}/rust-trace/rustdoc.sh`,
      MILLWRIGHT_TRACE_ROOT: root,
      MILLWRIGHT_TRACE_BUILD: `${scratch}/rust-trace`,
      MILLWRIGHT_TRACE_FUNCTIONS: String(choice.functions.length),
      MILLWRIGHT_TRACE_LOCKS: listLocking(choice.locking),
    },
    functions: choice.functions.map(describe),
    unknown: choice.unknown,
    heal: async (output) => {
      const weaker = weaken(choice, readRustErrors(output), root);
      return weaker === undefined ? undefined : makePlan(request, weaker);
    },
    buildErrors: rustBuildErrors,
  };
}

function changesOf({ functions, types }: Choice): TracePlan["changes"][number][] {
  const byFile = new Map<RustFile, Insertion[]>();
  const add = (file: RustFile, insertions: readonly Insertion[]): void => {
    byFile.set(file, [...(byFile.get(file) ?? []), ...insertions]);
  };
  for (const chosen of functions) add(chosen.file, traceInsertions(chosen, chosen.step));
  for (const chosen of types) add(chosen.file, [shapeInsertion(chosen.file.tree, chosen)]);
  return [...byFile].flatMap(([{ path, tree }, insertions]) =>
    insertions.length === 0 ? [] : [{ path, content: insertAll(tree.text, fromRoot(tree.text, insertions)) }],
  );
}

/** Begins paths to our crate with `::` in a file with `no_implicit_prelude`, because crate names then need it. */
function fromRoot(text: string, insertions: readonly Insertion[]): readonly Insertion[] {
  if (!/#!?\[\s*no_implicit_prelude\b/.test(text)) return insertions;
  return insertions.map((each) => ({ ...each, text: each.text.replaceAll("millwright_trace::", "::$&") }));
}

const levels: Readonly<Record<RustStep, TracedFunction["level"]>> = {
  whole: "values",
  after: "values",
  all: "values",
  plain: "values",
  return: "return",
  calls: "calls",
  none: "none",
};

function describe({ file, one, id, step, reason }: ChosenFunction): TracedFunction {
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
