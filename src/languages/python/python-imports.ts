/** Finds the files that a Python file may load, by the text of its imports. */
import { posix } from "node:path";

const pythonImport =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))/gm;

export function pythonStems(path: string, text: string): string[] {
  const folder = posix.dirname(path);
  return [...text.matchAll(pythonImport)].flatMap(([, from, names = "", modules = ""]) => {
    if (from === undefined)
      return modules.split(",").map((each) => (each.trim().split(/\s+/)[0] ?? "").replaceAll(".", "/"));
    const dots = /^\.*/.exec(from)?.[0].length ?? 0;
    const below = from.slice(dots).replaceAll(".", "/");
    const start = dots === 0 ? below : posix.join(folder, "../".repeat(dots - 1), below);
    const each = names
      .replaceAll(/[()]/g, "")
      .split(",")
      .map((name) => name.trim().split(/\s+/)[0] ?? "");
    return [start, ...each.filter((name) => name !== "").map((name) => posix.join(start, name))];
  });
}
