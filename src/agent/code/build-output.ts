/** Shortens what a build prints before a program that ran: its warnings are about code that nobody changed. Pure. */
import { countOf } from "../../base/count.ts";

/** Limits of the warnings about the program itself: how many, and lines of each. */
const most = { warnings: 3, lines: 2 };
const cargoStatus =
  /^ {2,}(?:Adding|Blocking|Checking|Compiling|Dirty|Downloaded|Downloading|Finished|Fresh|Locking|Running|Updating)\b/;
const rustStart = /^warning(?:\[[\w:-]+\])?: /;
const rustPlace = /^\s*--> (?<path>\S+?):\d+:\d+$/;
const rustTotal = /^warning: `.+` \(.+\) generated \d+ warnings?/;
const javaStart = /^(?<path>\S+\.java):\d+: warning: /;

/**
 * Leaves out a build's progress and its warnings, except the beginnings of those about the file `own`. Other text is
 * the program's own, and stays: also its lines that only look like warnings, without a place in code.
 */
export function withoutBuildWarnings(text: string, own: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  let [shown, left] = [0, 0];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const length = warningAt(lines, at);
    if (length === 0) {
      if (!cargoStatus.test(line)) kept.push(line);
      at += 1;
      continue;
    }
    const block = lines.slice(at, at + length);
    const isOwn = block.some((each) => isSame(pathIn(each), own));
    if (isOwn && shown < most.warnings) {
      kept.push(...block.slice(0, most.lines));
      shown += 1;
    } else if (!rustTotal.test(line)) left += 1;
    at += length;
  }
  const said = left === 0 ? [] : [`(${countOf(left, "warning")} of the build left out)`];
  return [kept.join("\n").trim(), ...said].filter((part) => part !== "").join("\n");
}

/** A compiler may print a longer or a shorter path. */
function isSame(path: string | undefined, own: string): boolean {
  return path !== undefined && (path === own || path.endsWith(`/${own}`) || own.endsWith(`/${path}`));
}

function pathIn(line: string): string | undefined {
  return (rustPlace.exec(line) ?? javaStart.exec(line))?.groups?.["path"];
}

/** The number of lines of the compiler's warning that begins there; 0 if none does. */
function warningAt(lines: readonly string[], at: number): number {
  const line = lines[at] ?? "";
  if (rustTotal.test(line)) return 1;
  if (javaStart.test(line)) {
    const caret = lines.slice(at, at + 4).findIndex((each) => /^\s*\^\s*$/.test(each));
    return caret < 0 ? 1 : caret + 1;
  }
  if (!rustStart.test(line)) return 0;
  const blank = lines.findIndex((each, index) => index > at && each.trim() === "");
  const end = blank < 0 ? lines.length : blank + 1;
  return lines.slice(at, end).some((each) => rustPlace.test(each)) ? end - at : 0;
}
