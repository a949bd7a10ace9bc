/**
 * Expands names to the form that the signs' patterns match:
 * - `modules` after `from sys import modules`
 * - `r.Caller` after `import r "runtime"`
 * - `env` after `const { env } = process`
 * - `getattr(sys, "modules")`
 * - `process?.argv`
 *
 * Works line by line, without regard to scopes. Pure.
 */
import type { ReadLine } from "../guards/contract.ts";
import { guardsOf } from "../guards/find-guards.ts";

/** Replaces short names in the lines with their whole names, such as `modules` with `sys.modules`. */
export function spellOut<Each extends ReadLine>(language: string, written: readonly Each[]): Each[] {
  const lines = written.map(withoutOptional);
  const { aliases, members } = guardsOf(language) ?? {};
  const names =
    aliases?.(lines.flatMap((line) => cutLine(line.code).map((code) => ({ ...line, code })))) ?? new Map();
  if (names.size === 0 && members === undefined) return [...lines];
  const pattern =
    names.size === 0
      ? undefined
      : new RegExp(`(?<![\\w$.])(?:${[...names.keys()].map(escapePattern).join("|")})(?![\\w$])`, "g");
  return lines.map((line) => {
    const whole =
      pattern === undefined || isImport.test(line.code)
        ? line.code
        : line.code.replaceAll(pattern, (name) => names.get(name) ?? name);
    const more =
      members === undefined
        ? ""
        : cutLine(whole)
            .map((code) => readMembers(members, { ...line, code }))
            .join("");
    return more === "" && whole === line.code ? line : { ...line, code: whole + more };
  });
}

/** Replaces `a?.b`, `a?.[0]`, `$a?->b` and `a&.b` with `a.b`, `a[0]`, `$a->b` and `a.b`, respectively. */
function withoutOptional<Each extends ReadLine>(line: Each): Each {
  const code = line.code
    .replaceAll(/\?\.(?=\s*[[(])/g, "")
    .replaceAll(/(?:\?|(?<=\w)&)\.(?=\s*[A-Za-z_$#])/g, ".")
    .replaceAll("?->", "->");
  return code === line.code ? line : { ...line, code };
}

/** In characters. Patterns may need time that grows with the square of a line's length. */
const longest = 2_000;
/** Number of characters. No sign is longer than this. */
const overlap = 200;

/** Returns the line itself, or overlapping pieces of a long line, such as the single line of a minified program. */
export function cutLine(line: string): string[] {
  if (line.length <= longest) return [line];
  const count = Math.ceil((line.length - overlap) / (longest - overlap));
  return Array.from({ length: count }, (_, at) => line.slice(at * (longest - overlap)).slice(0, longest));
}

/** A line that defines an alias. Millwright leaves it unchanged. */
const isImport = /^\s*(?:(?:import|from|use|pub use)\b|export\b.*\bfrom\b)|\brequire\s*\(/;

/** Members accessed by a string: `getattr(sys, "modules")`, `vars(sys)["argv"]`, `process["env"]`. */
function readMembers(pattern: RegExp, { code, strings, folded }: ReadLine): string {
  const object = pattern
    .exec(code)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (object === undefined) return "";
  const members = [...strings, ...folded].filter((each) => /^[A-Za-z_]\w*$/.test(each));
  return members.map((member) => ` ;${object}.${member}`).join("");
}

function escapePattern(text: string): string {
  return text.replaceAll("$", "\\$");
}
