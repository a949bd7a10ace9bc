/** The functions that a Rust trace records: the requested ones, and those that they call. */
import { namedChildren, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import type { TracePlan, TracerRequest } from "../tracer.ts";
import { fixedFiles } from "./fixed.ts";
import { findRustFunctions, type RustFunction } from "./functions.ts";
import { leavesByMacro, returningMacros } from "./leaving.ts";
import { findLockingTypes, type LockingTypes } from "./locks.ts";
import { isNamed, nearestNames } from "./names.ts";
import { findRustTypes, type ShapedType, shownTypes } from "./shapes.ts";
import type { RustStep } from "./text.ts";
import { parseRust } from "./wrapped.ts";

export interface RustFile {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly all: readonly RustFunction[];
  /** True if the file's text must stay unchanged. */
  readonly isFixed: boolean;
}

/** A function of the plan, with its current level of recording. */
export interface ChosenFunction {
  readonly file: RustFile;
  readonly one: RustFunction;
  readonly id: number;
  readonly leavesByMacro: boolean;
  readonly step: RustStep;
  readonly reason?: string;
}

export interface ChosenType extends ShapedType {
  readonly file: RustFile;
}

export interface Choice {
  readonly functions: readonly ChosenFunction[];
  readonly types: readonly ChosenType[];
  readonly locking: LockingTypes;
  readonly unknown: TracePlan["unknown"];
}

/** The files read so far, and whether each must stay unchanged. */
interface Reading {
  readonly request: TracerRequest;
  readonly files: Map<string, RustFile>;
  readonly whyFixed: (path: string) => Promise<string | undefined>;
}

export async function chooseRust(request: TracerRequest): Promise<Choice> {
  const files = new Map<string, RustFile>();
  const reading: Reading = { request, files, whyFixed: fixedFiles(request.sources) };
  const wanted = new Map<RustFile, Set<RustFunction>>();
  const unknown: TracePlan["unknown"][number][] = [];
  for (const { path, names } of request.specs) {
    const file = await readOnce(reading, path);
    if (file === undefined) continue;
    for (const name of names) {
      const found = file.all.filter((one) => isNamed(one, name));
      if (found.length === 0 && name !== "*")
        unknown.push({ path: file.path, name, ...nearestIn(file, name) });
      wanted.set(file, new Set([...(wanted.get(file) ?? []), ...found]));
    }
  }
  await addCallees(reading, wanted);
  const functions = [...wanted].flatMap(([file, chosen]) =>
    file.all.filter((one) => chosen.has(one)).map((one) => ({ file, one })),
  );
  const locking = await findLockingTypes(request.sources);
  const returning = returningMacros([...files.values()].map(({ tree }) => tree));
  return {
    functions: functions.map(({ file, one }, at) => ({
      file,
      one,
      id: at + 1,
      leavesByMacro: one.body !== undefined && leavesByMacro(file.tree, one.body, returning),
      step: one.body === undefined ? "none" : one.unseen === undefined ? "whole" : "calls",
      ...(one.unseen === undefined ? {} : { reason: one.unseen }),
    })),
    types: typesOf([...wanted.keys()], locking.own),
    locking,
    unknown,
  };
}

async function readOnce({ request, files, whyFixed }: Reading, path: string): Promise<RustFile | undefined> {
  const known = files.get(path);
  if (known !== undefined) return known;
  const text = await request.sources.read(path);
  if (text === undefined) return undefined;
  const tree = await parseRust(text);
  const found = findRustFunctions(tree, path);
  const reason = await whyFixed(path);
  const all = reason === undefined ? found : found.map((one) => leaveOut(one, reason));
  const file = { path, tree, all, isFixed: reason !== undefined };
  files.set(path, file);
  return file;
}

function leaveOut(one: RustFunction, reason: string): RustFunction {
  return { ...one, body: undefined, group: "left-out", reason: one.reason ?? reason };
}

function nearestIn(file: RustFile, name: string): { nearest: string[]; functions: number } {
  const names = file.all.filter((one) => one.reason !== "a closure").map((one) => one.name);
  return { nearest: nearestNames(name, names), functions: names.length };
}

/** The types of the files that Millwright may change, each with the trait to implement. */
function typesOf(files: readonly RustFile[], locking: ReadonlySet<string>): ChosenType[] {
  const shown = new Set(files.flatMap(({ tree }) => shownTypes(tree.text)));
  return files.flatMap((file) => (file.isFixed ? [] : typesIn(file, shown, locking)));
}

function typesIn(file: RustFile, shown: ReadonlySet<string>, locking: ReadonlySet<string>): ChosenType[] {
  return findRustTypes(file.tree).map((type): ChosenType => {
    const isLocking = locking.has(type.name);
    if (!isLocking && !type.isMaybe && !shown.has(type.name))
      return { file, type, trait: "Debug", isLocking };
    const trait = isLocking || type.isGeneric || !type.isDerived ? "Show" : undefined;
    return { file, type, trait, isLocking };
  });
}

/** Finds callees by name only: all functions in the repository with the name of a called function. */
async function addCallees(reading: Reading, wanted: Map<RustFile, Set<RustFunction>>): Promise<void> {
  const { request, files } = reading;
  let callers = [...wanted].flatMap(([file, chosen]) => [...chosen].map((one) => ({ file, one })));
  for (let step = 0; step < request.depth && callers.length > 0; step += 1) {
    const names = new Set(callers.flatMap(({ file, one }) => calledIn(file.tree, one.node)));
    callers = [];
    for (const path of request.sources.files.filter((each) => each.endsWith(".rs"))) {
      const text = files.get(path)?.tree.text ?? (await request.sources.read(path)) ?? "";
      if (![...text.matchAll(/\bfn\s+(\w+)/g)].some((match) => names.has(match[1] ?? ""))) continue;
      const file = await readOnce(reading, path);
      if (file === undefined) continue;
      const chosen = wanted.get(file) ?? new Set();
      for (const one of file.all) {
        if (!names.has(one.last) || chosen.has(one) || one.group !== "function") continue;
        chosen.add(one);
        callers.push({ file, one });
      }
      if (chosen.size > 0) wanted.set(file, chosen);
    }
  }
}

function calledIn(tree: SyntaxTree, node: SyntaxNode): string[] {
  const found: string[] = [];
  let earlier: SyntaxNode | undefined;
  for (const part of walk(node)) {
    // A name before a bracket is a call, also in a macro's text.
    if (/^(?:arguments|token_tree|type_arguments)$/.test(part.kind) && earlier !== undefined)
      found.push(textOf(tree, earlier));
    if (namedChildren(part).length === 0 && part.named) earlier = part;
  }
  return found;
}
