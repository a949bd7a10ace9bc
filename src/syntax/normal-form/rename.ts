/** Renames local variables to numbers in order of first appearance. */
import { outlineOf } from "../outlines/index.ts";
import type { Found } from "../symbols/found.ts";
import type { Nesting, Region } from "../symbols/regions.ts";
import { findLocals } from "./locals.ts";

/**
 * A function that gives the new name at an offset, or undefined to keep the name. `isParameter`: true for a function's
 * own parameter.
 */
export type Rename = (start: number, name: string, isParameter: boolean) => string | undefined;

export function renamedLocals(language: string, text: string, found: Found, nesting: Nesting): Rename {
  const locals = findLocals(text, found, nesting);
  const inStrings = language === "rust" ? namesInFormats(text) : new Set<string>();
  const numbers = new Map<Region, Map<string, string>>();
  let count = 0;
  return (start, name, isParameter) => {
    const home = locals.get(start);
    if (home === undefined || inStrings.has(name)) return undefined;
    let names = numbers.get(home);
    if (names === undefined) {
      names = new Map();
      numbers.set(home, names);
    }
    const known = names.get(name);
    if (known !== undefined) return known;
    const renamed = isParameter && outlineOf(language)?.namedArguments === true ? name : `$${++count}`;
    names.set(name, renamed);
    return renamed;
  };
}

/** The variables that Rust's format strings name: `total` in `"{total}"`. */
function namesInFormats(text: string): Set<string> {
  return new Set([...text.matchAll(/\{(\w+)[:}]/g)].map((found) => found[1] ?? ""));
}
