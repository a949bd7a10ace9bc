/**
 * Counters for Rust. Each counter writes its lines to the file in `MILLWRIGHT_COUNTERS` when a process first reaches
 * it; `src/languages/runtime/rust/coverage.rs` reads that file. The inserted code is safe and needs nothing from its
 * source file. It therefore works without the standard library, and in every edition.
 */
import { hashText } from "../base/hash.ts";
import type { SyntaxTree } from "../syntax/node.ts";
import { endOfItems, findPlaces, type Place, pathToFile, quoteRust, startOf } from "./rust-places.ts";
import type { Insertion } from "./text-insertions.ts";

/** Returns the insertions that make a file count its executed lines; empty for a file without executable code. */
export function placeRustCounters(tree: SyntaxTree, path: string): Insertion[] {
  const places = findPlaces(tree);
  if (places.length === 0) return [];
  const name = `mw_${hashText(path).slice(0, 8)}`;
  const insertions = places.flatMap((place, slot) =>
    insertionsOf(place, `${pathToFile(place.node)}${name}::h(${slot});`),
  );
  const counting = makeCounting(name, path, places);
  return [...insertions, { at: endOfItems(tree), text: ` ${counting}`, side: "close", order: -1 }];
}

function insertionsOf({ kind, node, order }: Place, hit: string): Insertion[] {
  switch (kind) {
    case "before":
      return [{ at: startOf(node), text: hit, side: "open", order }];
    case "entry":
      return [{ at: node.start + 1, text: hit, side: "open", order }];
    case "wrap":
      return [
        { at: node.start, text: `{${hit}`, side: "open", order },
        { at: node.end, text: "}", side: "close", order },
      ];
  }
}

function makeCounting(name: string, path: string, places: readonly Place[]): string {
  const lines = places.map((place) => quoteRust(encodeLines(place.lines))).join(",");
  const atomic = "self::std::sync::atomic";
  return [
    `#[allow(warnings)]mod ${name}{extern crate std;`,
    `const Z:${atomic}::AtomicBool=${atomic}::AtomicBool::new(false);`,
    `static S:[${atomic}::AtomicBool;${places.length}]=[Z;${places.length}];`,
    `static L:[&'static str;${places.length}]=[${lines}];`,
    `pub fn h(i:usize){let o=${atomic}::Ordering::Relaxed;if !S[i].load(o)&& !S[i].swap(true,o){w(i)}}`,
    `fn w(i:usize){if let self::std::option::Option::Some(f)=self::std::env::var_os("MILLWRIGHT_COUNTERS"){`,
    `if let self::std::result::Result::Ok(mut o)=self::std::fs::OpenOptions::new().create(true).append(true).open(f){`,
    `let mut t=self::std::string::String::from(${quoteRust(`${path}\t`)});t.push_str(L[i]);t.push('\\n');`,
    `let _=self::std::io::Write::write_all(&mut o,t.as_bytes());}}}}`,
  ].join("");
}

/** Numbers and ranges in the form of reports: `3-9,12`. */
function encodeLines(lines: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else parts.push([line, line]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
