// Written by scripts/generate-indexes.ts; do not edit.
import callers from "./callers.ts";
import definition from "./definition.ts";
import diagnostics from "./diagnostics.ts";
import edit from "./edit.ts";
import find from "./find.ts";
import map from "./map.ts";
import outline from "./outline.ts";
import references from "./references.ts";
import relatedTests from "./related-tests.ts";
import symbol from "./symbol.ts";

export const codeTools = [callers, definition, diagnostics, edit, find, map, outline, references, relatedTests, symbol] as const;
