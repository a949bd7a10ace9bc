/** A change of a number that the documentation of its function names: the test that asks for it may be what is wrong. By lines. Pure. */

interface ChangedLine {
  readonly before: string;
  readonly after: string;
}

const words =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const header =
  /^\s*(?:@?\w[\w<>[\], ]*\s+)?(?:def|func|fn|function|class|public|private|protected|static|export|const|let|int|void|double|long|bool|boolean|String)\b.*[({:]/;
const comment = /^\s*(?:#|\/\/|\/?\*)/;
const mostLines = 80;

/** `at`: where the change begins in the text. */
export function contradictsDocumentation(text: string, at: number, line: ChangedLine): boolean {
  const changed = changedNumber(line);
  if (changed === undefined) return false;
  const told = documentationAbove(text, at);
  return names(told, changed.from) && !names(told, changed.to);
}

/** The single token that differs, where it is a number on both sides; 0 and 1 are in most sentences. */
function changedNumber({ before, after }: ChangedLine): { from: number; to: number } | undefined {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const at = old.flatMap((token, index) => (token === now[index] ? [] : [index]));
  const [first] = at;
  if (old.length !== now.length || at.length !== 1 || first === undefined) return undefined;
  const [from, to] = [Number(old[first]), Number(now[first])];
  return Number.isNaN(from) || Number.isNaN(to) || Math.abs(from) < 2 ? undefined : { from, to };
}

function tokensOf(line: string): string[] {
  return line.match(/"[^"]*"|'[^']*'|`[^`]*`|\d[\w.]*|[A-Za-z_$][\w$]*|\S/g) ?? [];
}

/** The comment above the function that the place stands in, and the text that its body begins with. */
function documentationAbove(text: string, at: number): string {
  const lines = text.split("\n");
  const own = text.slice(0, at).split("\n").length - 1;
  let start = own;
  while (start > Math.max(0, own - mostLines) && !header.test(lines[start] ?? "")) start -= 1;
  let above = start - 1;
  while (above >= 0 && (comment.test(lines[above] ?? "") || /^\s*@/.test(lines[above] ?? ""))) above -= 1;
  const inside = lines.slice(start + 1, own).join("\n");
  const [, documented = ""] = /^\s*[rR]?(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(inside) ?? [];
  return [...lines.slice(above + 1, start), documented].join("\n");
}

function names(text: string, value: number): boolean {
  const spelled = [String(value), ...(Number.isInteger(value) && words[value] ? [words[value]] : [])];
  return spelled.some((each) =>
    new RegExp(`(?<![\\w.])${each.replaceAll(".", "\\.")}(?!\\.?\\w)`, "i").test(text),
  );
}
