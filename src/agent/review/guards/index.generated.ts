// Written by scripts/generate-indexes.ts; do not edit.
import cpp from "./cpp.ts";
import go from "./go.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import lua from "./lua.ts";
import perl from "./perl.ts";
import php from "./php.ts";
import python from "./python.ts";
import ruby from "./ruby.ts";
import rust from "./rust.ts";
import shell from "./shell.ts";

export const guards = [cpp, go, java, javascript, lua, perl, php, python, ruby, rust, shell] as const;
