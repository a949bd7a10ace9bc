/** Which sources load a file, as far as the text of imports tells: Python, JavaScript and TypeScript, Lua. */
import { posix } from "node:path";

const specifier = /(?:\bfrom|\brequire\s*\(?|\bimport\s*\(|\bimport)\s*["']([^"'\n]+)["']/g;
const pythonImport =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([^\n#]+))/gm;

/** Paths without ending that the text may import: those of JavaScript from the root, those of modules by their last parts. */
export function importedStems(path: string, text: string): string[] {
  if (/\.pyi?$/.test(path)) return pythonStems(path, text);
  return [...text.matchAll(specifier)].flatMap(([, name = ""]) => {
    if (path.endsWith(".lua")) return [name.replaceAll(".", "/")];
    return name.startsWith(".") ? [stemOf(posix.join(posix.dirname(path), name))] : [];
  });
}

/** The stems by which other files may name this one. */
export function stemsOf(path: string): string[] {
  const stem = stemOf(path).replace(/\/(?:index|__init__|init)$/, "");
  if (!/\.(?:pyi?|lua)$/.test(path)) return [stem];
  const parts = stem.split("/");
  // The last part alone is the name of many.
  return parts.slice(0, Math.max(1, parts.length - 1)).map((_, index) => parts.slice(index).join("/"));
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|pyi?|lua|json)$/, "");
}

function pythonStems(path: string, text: string): string[] {
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
