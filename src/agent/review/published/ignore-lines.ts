/** Reads lists of paths in the syntax of `.gitignore`, which npm and Cargo use for the files of a package. Pure. */
import picomatch from "picomatch";

/** Tells whether the list matches a path. The last line that matches decides; `!` negates a line. */
export function matchIgnoreLines(lines: readonly string[]): (path: string) => boolean {
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const isNegated = line.startsWith("!");
      const pattern = isNegated ? line.slice(1) : line;
      return { isNegated, matches: matcherOf(pattern.replace(/^\.\//, "/")) };
    });
  return (path) => rules.findLast(({ matches }) => matches(path))?.isNegated === false;
}

/** A pattern with an inner or leading slash begins at the root; others match at any depth. */
function matcherOf(pattern: string): (path: string) => boolean {
  const name = pattern.replace(/^\/|\/$/g, "");
  const glob = /\/./.test(pattern) ? name : `**/${name}`;
  return picomatch(pattern.endsWith("/") ? `${glob}/**/*` : [glob, `${glob}/**`], {
    dot: true,
    nonegate: true,
  });
}
