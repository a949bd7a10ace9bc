// Written by scripts/generate-indexes.ts; do not edit.
import javascript from "./javascript.ts";
import python from "./python.ts";
import tsx from "./tsx.ts";
import typescript from "./typescript.ts";

export const outlines = [javascript, python, tsx, typescript] as const;
