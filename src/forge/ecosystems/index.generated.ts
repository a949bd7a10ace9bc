// Written by scripts/generate-indexes.ts; do not edit.
import cargo from "./cargo.ts";
import go from "./go.ts";
import maven from "./maven.ts";
import npm from "./npm.ts";
import python from "./python.ts";

export const forges = [cargo, go, maven, npm, python] as const;
