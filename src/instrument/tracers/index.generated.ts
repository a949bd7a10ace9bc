// Written by scripts/generate-indexes.ts; do not edit.
import go from "./go.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import python from "./python.ts";
import ruby from "./ruby.ts";
import rust from "./rust.ts";

export const tracers = [go, java, javascript, python, ruby, rust] as const;
