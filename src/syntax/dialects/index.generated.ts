// Written by scripts/generate-indexes.ts; do not edit.
import go from "./go.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import php from "./php.ts";
import python from "./python.ts";
import ruby from "./ruby.ts";
import rust from "./rust.ts";
import typescript from "./typescript.ts";

export const dialects = [go, java, javascript, php, python, ruby, rust, typescript] as const;
