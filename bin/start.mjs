/**
 * Where the program begins: plain JavaScript, for the types of what comes before the cache would have to be stripped at each
 * start. What Node compiles of our modules is kept, since that is half of a start: a checkout's with its packages, an
 * installed program's in the user's cache. Where that cannot be written, or NODE_DISABLE_COMPILE_CACHE is set, nothing is.
 */
import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = dirname(import.meta.dirname);
const sources = join(root, "src", "cli", "main.ts");
const isCheckout = existsSync(sources);
const { XDG_CACHE_HOME, HOME = homedir() } = process.env;
const kept = isCheckout ? join(root, "node_modules", ".cache") : XDG_CACHE_HOME || join(HOME, ".cache");
const folder = join(kept, "millwright", "compiled");
// Without a home the folder would be one of wherever the program is called.
if (isAbsolute(folder) && isMade(folder)) enableCompileCache(folder);
const program = isCheckout ? sources : join(root, "dist", "cli", "main.js");
if (existsSync(program)) await import(pathToFileURL(program).href);
else {
  console.error(
    `millwright: ${program} is missing: the package was packed without its build. Install it again.`,
  );
  process.exitCode = 2;
}

/** One after another: what Node makes with all above it never comes back from folders that cannot be made (below /proc). */
function isMade(path) {
  try {
    for (const each of [dirname(dirname(path)), dirname(path), path]) if (!existsSync(each)) mkdirSync(each);
    return true;
  } catch {
    return false;
  }
}
