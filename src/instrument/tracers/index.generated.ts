// Written by scripts/generate-indexes.ts; do not edit.
import javascript from "./javascript.ts";
import python from "./python.ts";
import rust from "./rust.ts";

export const tracers = [javascript, python, rust] as const;
