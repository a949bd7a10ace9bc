// Written by scripts/generate-indexes.ts; do not edit.
import javascript from "./javascript.ts";
import python from "./python.ts";
import typescript from "./typescript.ts";

export const dialects = [javascript, python, typescript] as const;
