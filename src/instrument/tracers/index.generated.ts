// Written by scripts/generate-indexes.ts; do not edit.
import python from "./python.ts";

export const tracers = [python] as const;
