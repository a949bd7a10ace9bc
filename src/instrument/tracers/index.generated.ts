// Written by scripts/generate-indexes.ts; do not edit.

export const tracers = [] as const;
