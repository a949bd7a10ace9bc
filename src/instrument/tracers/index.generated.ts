// Written by scripts/generate-indexes.ts; do not edit.
import go from "./go.ts";
import javascript from "./javascript.ts";
import python from "./python.ts";
import rust from "./rust.ts";

export const tracers = [go, javascript, python, rust] as const;
