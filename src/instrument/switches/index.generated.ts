// Written by scripts/generate-indexes.ts; do not edit.
import javascript from "./javascript.ts";
import typescript from "./typescript.ts";

export const switches = [javascript, typescript] as const;
