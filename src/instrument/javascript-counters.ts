/** Counters for JavaScript and TypeScript: `src/languages/runtime/javascript/tracker.cjs` collects what they count. */
import { hashText } from "../base/hash.ts";
import type { SyntaxNode, SyntaxTree } from "../syntax/node.ts";
import { findPlaces, isSuperCall, type Place } from "./javascript-places.ts";
import { isDirective } from "./javascript-statements.ts";
import type { Insertion } from "./text-insertions.ts";

/** The insertions that make a file count its lines; none for a file without anything to execute. */
export function placeCounters(tree: SyntaxTree, path: string, typescript: boolean): Insertion[] {
  const places = findPlaces(tree.root, typescript);
  if (places.length === 0) return [];
  const name = `mw_${hashText(path).slice(0, 8)}`;
  const insertions = places.flatMap((place, slot) => insertionsOf(place, hitOf(name, slot), tree));
  const prefix = makePrefix(name, path, places, typescript);
  return [placePrefix(tree.root, prefix), ...insertions];
}

/** A call only the first time: what is left of it afterwards is one look into an array. */
function hitOf(name: string, slot: number): string {
  return `${name}&&${name}[${slot}]||${name}h(${slot})`;
}

function insertionsOf(place: Place, hit: string, tree: SyntaxTree): Insertion[] {
  const { kind, node, order } = place;
  const open = (at: number, text: string): Insertion => ({ at, text, side: "open", order });
  const close = (at: number, text: string): Insertion => ({ at, text, side: "close", order });
  switch (kind) {
    case "before":
      return [open(node.start, `${hit};`)];
    case "wrap":
      return [open(node.start, `{${hit};`), close(node.end, "}")];
    case "expression":
      return [open(node.start, `(${hit},`), close(node.end, ")")];
    case "entry":
      return [open(afterDirectives(node), `;${hit};`)];
    case "after":
      return [close(superEnd(node, tree), `;${hit};`)];
  }
}

function superEnd(node: SyntaxNode, tree: SyntaxTree): number {
  return node.parent?.children.find(isSuperCall)?.end ?? tree.text.length;
}

/** In a function's body: behind the brace and the directives. */
function afterDirectives(block: SyntaxNode): number {
  const last = block.children.findLast(isDirective);
  return last?.end ?? block.start + 1;
}

/** On the line of the first statement: comments before it may steer tools, and directives have to stay the first. */
function placePrefix(root: SyntaxNode, prefix: string): Insertion {
  const directive = root.children.findLast(isDirective);
  if (directive !== undefined) return { at: directive.end, text: `;${prefix}`, side: "open", order: -1 };
  const first = root.children.find((child) => child.kind !== "comment" && child.kind !== "hash_bang_line");
  return { at: first?.start ?? root.end, text: prefix, side: "open", order: -1 };
}

/**
 * Names nothing that the file could name; hoisted, for functions can be called before the file's first line has run (imports
 * in a circle); reaches the realm's registry by a symbol, which no check for leaked globals sees.
 */
function makePrefix(name: string, path: string, places: readonly Place[], typescript: boolean): string {
  const lines = places.map((place) => encodeLines(place.lines)).join(",");
  const any = typescript ? ":any" : "";
  const realm = typescript ? "(globalThis as any)" : "globalThis";
  const file = JSON.stringify(path).replace(/[\u2028\u2029]/g, "");
  return [
    `var ${name}${any},${name}f${any};`,
    `function ${name}h(i${any})${any}{if(!${name}){`,
    `var g${any}=${realm},k${any}=g.Symbol.for("millwright.counters"),r${any}=g[k];`,
    `if(!r)g.Object.defineProperty(g,k,{value:r=g.Object.create(null),configurable:true});`,
    `${name}f=r[${file}]||(r[${file}]={lines:[${lines}],seen:new g.Uint8Array(${places.length}),hits:[]});`,
    `${name}=${name}f.seen}`,
    `if(!${name}[i]){${name}[i]=1;${name}f.hits.push(i)}return 1}`,
  ].join("");
}

/** One line as a number, else pairs of first and last. */
function encodeLines(lines: readonly number[]): string {
  if (lines.length === 1) return String(lines[0]);
  const pairs: number[] = [];
  for (const line of lines) {
    if (pairs.at(-1) === line - 1) pairs[pairs.length - 1] = line;
    else pairs.push(line, line);
  }
  return `[${pairs.join(",")}]`;
}
