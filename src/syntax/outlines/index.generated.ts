// Written by scripts/generate-indexes.ts; do not edit.
import c from "./c.ts";
import cpp from "./cpp.ts";
import csharp from "./csharp.ts";
import go from "./go.ts";
import java from "./java.ts";
import javascript from "./javascript.ts";
import kotlin from "./kotlin.ts";
import lua from "./lua.ts";
import php from "./php.ts";
import python from "./python.ts";
import ruby from "./ruby.ts";
import rust from "./rust.ts";
import tsx from "./tsx.ts";
import typescript from "./typescript.ts";

export const outlines = [c, cpp, csharp, go, java, javascript, kotlin, lua, php, python, ruby, rust, tsx, typescript] as const;
