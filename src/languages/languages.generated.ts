// Written by scripts/generate-indexes.ts; do not edit.
import cpp from "./cpp/cpp.ts";
import csharp from "./csharp/csharp.ts";
import go from "./go/go.ts";
import java from "./java/java.ts";
import javascript from "./javascript/javascript.ts";
import typescript from "./javascript/typescript.ts";
import lua from "./lua/lua.ts";
import php from "./php/php.ts";
import python from "./python/python.ts";
import ruby from "./ruby/ruby.ts";
import rust from "./rust/rust.ts";

export const languages = [cpp, csharp, go, java, javascript, lua, php, python, ruby, rust, typescript] as const;
