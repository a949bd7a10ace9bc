// Written by scripts/generate-indexes.ts; do not edit.
import go from "./go.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import rust from "./rust.ts";
import typescript from "./typescript.ts";

export const selectors = [go, java, javascript, rust, typescript] as const;
