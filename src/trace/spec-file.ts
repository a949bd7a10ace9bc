/**
 * Reads a trace request in the form that RustForger's agent writes: lines of `key: value`. The key `instrument` may
 * occur several times. The line `function:trace` and the fence around the request may be missing.
 */
import { MillwrightError } from "../base/errors.ts";

export interface SpecFile {
  /** The working folder of the command. */
  readonly testProject: string | undefined;
  readonly targetProject: string | undefined;
  /** The functions to trace, each as `PATH:NAME,NAME`. */
  readonly instrument: readonly string[];
  readonly output: string | undefined;
  /** The command, as text for a shell. */
  readonly exec: string | undefined;
}

const keys = ["test_project", "target_project", "output", "exec", "instrument"];
const line = new RegExp(`^(${keys.join("|")})\\s*:(.*)$`);
const passed = /^(?:function\s*:\s*trace|```\w*|#.*)?$/;

/**
 * Parses a file of specs. Skips empty lines, comments that begin with `#`, `function:trace` and fences. Throws
 * MillwrightError("usage") for another line that does not have the form `key: value` with a known key.
 */
export function parseSpecFile(text: string): SpecFile {
  const found = new Map<string, string>();
  const instrument: string[] = [];
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    const stated = each.trim();
    const [, key = "", rest = ""] = line.exec(stated) ?? [];
    const value = rest.trim();
    if (key === "instrument") {
      if (value !== "") instrument.push(value);
    } else if (key !== "") found.set(key, value);
    else if (!passed.test(stated)) {
      throw new MillwrightError("usage", `Line ${index + 1} of the spec is not valid: ${stated}`, {
        hint: `Lines of a spec begin with ${keys.map((name) => `${name}:`).join(", ")}`,
      });
    }
  }
  const textOf = (key: string): string | undefined => found.get(key) || undefined;
  return {
    testProject: textOf("test_project"),
    targetProject: textOf("target_project"),
    instrument,
    output: textOf("output"),
    exec: textOf("exec"),
  };
}
