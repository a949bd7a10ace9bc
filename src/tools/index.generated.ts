// Written by scripts/generate-indexes.ts; do not edit.
import callers from "./callers.ts";
import definition from "./definition.ts";
import diagnostics from "./diagnostics.ts";
import map from "./map.ts";
import outline from "./outline.ts";
import references from "./references.ts";
import symbol from "./symbol.ts";

export const codeTools = [callers, definition, diagnostics, map, outline, references, symbol] as const;
