/**
 * Where the program begins. What Node compiles of our modules is kept between starts, since reading and compiling them takes
 * half of a start: a checkout's with its packages, an installed program's in the user's cache. Where that cannot be written,
 * or NODE_DISABLE_COMPILE_CACHE is set, nothing is kept.
 */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolderOf } from "../base/cache-folder.ts";

const packages = join(import.meta.dirname, "..", "..", "node_modules");
const folder = existsSync(packages) ? join(packages, ".cache", "millwright") : cacheFolderOf(process.env);
enableCompileCache(join(folder, "compiled"));
await import("./main.ts");
