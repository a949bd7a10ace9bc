// Written by scripts/generate-indexes.ts; do not edit.
import go from "./go.ts";
import javascript from "./javascript.ts";
import rust from "./rust.ts";
import typescript from "./typescript.ts";

export const switches = [go, javascript, rust, typescript] as const;
