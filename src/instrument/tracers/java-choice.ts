/** The functions that a Java trace records: the requested ones, and those that they call. */
import { nearestNames } from "../../base/nearest-names.ts";
import { childOf, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { findAsked } from "../asked-functions.ts";
import type { TracedFunction, TracePlan, TracerRequest } from "../tracer.ts";
import { type JavaFile, type JavaFunction, plainTypes, readJavaFile } from "./java-functions.ts";

export interface ChosenJava {
  readonly id: number;
  readonly path: string;
  readonly of: JavaFunction;
  /** False if the trace records the function only during calls of a requested function. */
  readonly asked: boolean;
  readonly level: TracedFunction["level"];
  readonly reason: string | undefined;
}

export interface JavaChoice {
  readonly files: ReadonlyMap<string, JavaFile>;
  readonly functions: readonly ChosenJava[];
  readonly unknown: TracePlan["unknown"];
}

export async function chooseJava(request: TracerRequest): Promise<JavaChoice> {
  const { sources, specs, depth } = request;
  const files = new Map<string, JavaFile>();
  const asked = new Set<JavaFunction>();
  const unknown: TracePlan["unknown"][number][] = [];
  for (const { path, names } of specs) {
    const file = files.get(path) ?? (await readJavaFile(path, (await sources.read(path)) ?? ""));
    files.set(path, file);
    for (const name of names) {
      const found = findNamed(file, name);
      for (const each of found.asked) asked.add(each);
      unknown.push(...found.unknown);
    }
  }
  const called = await addCallees(request, files, asked);
  const functions: ChosenJava[] = [];
  for (const [path, file] of files) {
    for (const of of file.functions) {
      if (!asked.has(of) && !called.has(of)) continue;
      const level = of.leftOut === undefined ? "values" : "none";
      functions.push({
        id: functions.length + 1,
        path,
        of,
        asked: depth === 0 || asked.has(of),
        level,
        reason: of.leftOut,
      });
    }
  }
  return { files, functions, unknown };
}

/** Returns the shown name of a function. Includes the parameters if other functions of the file have the same name. */
export function shownName(of: JavaFunction, file: JavaFile): string {
  const isOverloaded = file.functions.some(
    (each) => each !== of && each.name === of.name && each.signature !== of.signature,
  );
  return isOverloaded ? of.name + of.signature : of.name;
}

function findNamed(file: JavaFile, wanted: string): ReturnType<typeof findAsked<JavaFunction>> {
  const [base = "", list] = wanted.split(/(?=\()/);
  // A constructor's name in the virtual machine and in the source.
  const name = base.replace(/<init>$/, "new").replace(/\b(\w+)(::|\.)\1$/, "$1$2new");
  const isLike = ({ signature }: JavaFunction): boolean =>
    list === undefined || signature === plainTypes(list);
  const named = file.functions.filter(({ leftOut }) => name === "*" || leftOut !== "a lambda");
  const { asked, unknown } = findAsked(file.path, [name], named.filter(isLike));
  if (unknown.length === 0) return { asked, unknown };
  const names = named.map((each) => each.name);
  const nearest = nearestNames(name.replaceAll("::", "."), names, 5).flatMap((near) =>
    named.filter((each) => each.name === near).map((each) => shownName(each, file)),
  );
  const some = [...new Set(nearest)].slice(0, 5);
  return { asked, unknown: [{ path: file.path, name: wanted, nearest: some, functions: named.length }] };
}

/**
 * Finds callees by name only: all functions in the repository with the name of a called function. The runtime counts
 * the depth.
 */
async function addCallees(
  { sources, depth }: TracerRequest,
  files: Map<string, JavaFile>,
  asked: ReadonlySet<JavaFunction>,
): Promise<ReadonlySet<JavaFunction>> {
  const found = new Set<JavaFunction>();
  const texts = new Map<string, string>();
  const paths = depth === 0 ? [] : sources.files.filter((path) => path.endsWith(".java"));
  for (const path of paths) texts.set(path, (await sources.read(path)) ?? "");
  let callers = [...files.values()].flatMap((file) =>
    file.functions.filter((each) => asked.has(each)).map((each) => ({ file, each })),
  );
  for (let step = 0; step < depth && callers.length > 0; step += 1) {
    const names = new Set(callers.flatMap(({ file, each }) => calledIn(file.tree, each)));
    callers = [];
    for (const path of paths) {
      const text = texts.get(path) ?? "";
      const known = files.get(path);
      if (
        known === undefined &&
        ![...text.matchAll(/(\w+)\s*[({]/g)].some((match) => names.has(match[1] ?? ""))
      )
        continue;
      const file = known ?? (await readJavaFile(path, text));
      for (const each of file.functions) {
        if (each.leftOut !== undefined || asked.has(each) || found.has(each)) continue;
        if (!names.has(calledName(each))) continue;
        found.add(each);
        files.set(path, file);
        callers.push({ file, each });
      }
    }
  }
  return found;
}

/** The name in calls: for a constructor, its type's name. */
function calledName({ name }: JavaFunction): string {
  const parts = name.split(".");
  const last = parts.at(-1) ?? "";
  return /^(?:new|<static>|<instance>)$/.test(last) ? (parts.at(-2) ?? "") : last;
}

function calledIn(tree: SyntaxTree, { body }: JavaFunction): string[] {
  const found: string[] = [];
  for (const node of body === undefined ? [] : walk(body)) {
    if (node.kind === "method_invocation") found.push(textOf(tree, childOf(node, "name") ?? node));
    else if (node.kind === "object_creation_expression")
      found.push(plainTypes(textOf(tree, childOf(node, "type") ?? node)));
    else if (node.kind === "method_reference") found.push(textOf(tree, node).replace(/^.*[:.\s]/s, ""));
  }
  return found;
}
