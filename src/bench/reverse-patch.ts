/** Reverses a unified diff: its additions become removals and vice versa. */

/**
 * Reverses a patch. Undefined if the text does not suffice: the patch has binary files or copies, or is not a unified
 * diff.
 */
export function reversePatch(patch: string): string | undefined {
  const lines = patch.replace(/\n$/, "").split("\n");
  const turned: string[] = [];
  let hasHunks = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const next = lines[at + 1] ?? "";
    const [, before, after, rest = ""] = /^@@ -(\S+) \+(\S+) @@(.*)$/.exec(line) ?? [];
    if (before !== undefined && after !== undefined) {
      const body = takeBody(lines, at + 1, countLines(before), countLines(after));
      if (body === undefined) return undefined;
      turned.push(`@@ -${after} +${before} @@${rest}`, ...turnBody(body));
      hasHunks = true;
      at += body.length;
    } else if (isPair(line, next)) {
      turned.push(...turnPair(line, next));
      at += 1;
    } else {
      const header = turnHeader(line);
      if (header === undefined) return undefined;
      turned.push(header);
    }
  }
  return hasHunks ? `${turned.join("\n")}\n` : undefined;
}

/** Returns the number of lines in a range: `12,3` means 3 lines, `12` means one. */
function countLines(range: string): number {
  return Number(range.split(",")[1] ?? "1");
}

/** Takes the lines that the header announces; undefined if the patch has fewer. */
function takeBody(
  lines: readonly string[],
  from: number,
  before: number,
  after: number,
): string[] | undefined {
  const left = { before, after };
  let end = from;
  for (; end < lines.length && (left.before > 0 || left.after > 0); end += 1) {
    const mark = lines[end]?.[0];
    if (mark !== "+" && mark !== "\\") left.before -= 1;
    if (mark !== "-" && mark !== "\\") left.after -= 1;
  }
  if (left.before !== 0 || left.after !== 0) return undefined;
  if (lines[end]?.startsWith("\\") === true) end += 1;
  return lines.slice(from, end);
}

/**
 * Reverses a hunk's lines. Removed lines come before added lines, as in git's output; `\ No newline at end of file`
 * stays with its line.
 */
function turnBody(body: readonly string[]): string[] {
  const turned: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  let last = turned;
  for (const line of body) {
    if (line.startsWith("+")) {
      removed.push(`-${line.slice(1)}`);
      last = removed;
    } else if (line.startsWith("-")) {
      added.push(`+${line.slice(1)}`);
      last = added;
    } else if (line.startsWith("\\")) {
      last.push(line);
    } else {
      turned.push(...removed, ...added, line);
      removed = [];
      added = [];
      last = turned;
    }
  }
  return [...turned, ...removed, ...added];
}

const pairs = [
  ["--- ", "+++ "],
  ["rename from ", "rename to "],
  ["old mode ", "new mode "],
] as const;

function isPair(line: string, next: string): boolean {
  return pairs.some(([from, to]) => line.startsWith(from) && next.startsWith(to));
}

function turnPair(line: string, next: string): [string, string] {
  const [from, to] = pairs.find(([start]) => line.startsWith(start)) ?? pairs[0];
  const swapped = [next.slice(to.length), line.slice(from.length)] as const;
  if (from !== "--- ") return [`${from}${swapped[0]}`, `${to}${swapped[1]}`];
  return [`${from}${onSide(swapped[0], "a")}`, `${to}${onSide(swapped[1], "b")}`];
}

/** Turns `b/x.py` into `a/x.py`; `/dev/null` has no side. */
function onSide(name: string, side: "a" | "b"): string {
  return name.replace(/^("?)[ab]\//, `$1${side}/`);
}

/** Reverses a line between `diff --git` and the first hunk. */
function turnHeader(line: string): string | undefined {
  if (/^(?:copy (?:from|to) |GIT binary patch|Binary files )/.test(line)) return undefined;
  const [, from, to] = /^diff --git ("?a\/.+) ("?b\/.+)$/.exec(line) ?? [];
  if (from !== undefined && to !== undefined) return `diff --git ${onSide(to, "a")} ${onSide(from, "b")}`;
  const [, old, made, mode = ""] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)( \d+)?$/.exec(line) ?? [];
  if (old !== undefined && made !== undefined) return `index ${made}..${old}${mode}`;
  if (line.startsWith("new file mode ")) return line.replace("new", "deleted");
  return line.replace(/^deleted file mode /, "new file mode ");
}
