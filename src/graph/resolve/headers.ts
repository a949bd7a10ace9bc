import type { Resolved } from "./resolve-name.ts";
import type { Def } from "./symbol-table.ts";
import { isCallable } from "./traits.ts";
import type { World } from "./world.ts";

/**
 * Adds the definitions in source files to the found declarations in C and C++ headers. Adds none if more than three fit
 * a declaration. Each declaration and its definition get the same confidence, because a use refers to both.
 */
export function withDefinitions(world: World, found: Resolved): Resolved {
  const defs = new Set(found.defs);
  for (const def of found.defs) {
    if (!isCallable(def.kind) || !isHeader(world, def)) continue;
    const same = world.symbols
      .named(def.name)
      .all.filter((one) => one.qualified === def.qualified && one.isPublic && isCallable(one.kind));
    const near = same.filter(
      (one) => one !== def && world.files.byNumber(one.file)?.family === "c" && !isHeader(world, one),
    );
    if (near.length <= 3) for (const one of near) defs.add(one);
  }
  const names = new Set([...defs].map((def) => def.qualified)).size;
  return { ...found, defs: [...defs], confidence: (found.confidence * defs.size) / Math.max(1, names) };
}

function isHeader(world: World, def: Def): boolean {
  return /\.(?:h|hh|hpp|hxx|inl|ipp)$/.test(world.files.byNumber(def.file)?.path ?? "");
}
