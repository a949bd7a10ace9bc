import { expect, test } from "vitest";
import { withoutBuildWarnings } from "./build-output.ts";

const warning = (path: string, name: string): string =>
  `warning: unused variable: \`${name}\`\n  --> ${path}:3:9\n   |\n3  |     let ${name} = 1;\n   |         ^ help: prefix it\n   |\n   = note: on by default\n\n`;
const rust = { own: "probe/src/main.rs", files: new Set(["src/a.rs", "src/b.rs", "probe/src/main.rs"]) };

test("of a build only warnings about the program itself stay, in two lines each", () => {
  const text = `${warning("/home/me/clap/src/a.rs", "a")}${warning("/home/me/clap/src/b.rs", "b")}${warning("src/main.rs", "mine")}seen: 3
`;
  expect(withoutBuildWarnings(text, rust)).toBe(
    "warning: unused variable: `mine`\n  --> src/main.rs:3:9\nseen: 3\n(2 build warnings omitted)",
  );
});

test.each([
  ["a warning without a place", "warning: the option is old\nplease use another\n\nerror: no such file"],
  ["progress", "  Running 3 checks\n  Updating index\nok"],
  ["Cargo's progress, of a program that starts Cargo", "   Compiling clap v3.0.0\n     Running `a`\nok"],
  ["a linter's warning about another file", `${warning("input.rs", "a")}end`],
  ["a linter's warning after other text", `checks\n${warning("src/a.rs", "a")}end`],
  ["a warning without an end", warning("src/a.rs", "a").trimEnd()],
])("a program's own words stay: %s", (_, text) => {
  expect(withoutBuildWarnings(text, rust)).toBe(text);
});

test("a program in a language without such a compiler keeps all its words", () => {
  const text = `${warning("src/a.rs", "a")}/x/A.java:3: warning: old\n  ^\nok`;
  expect(withoutBuildWarnings(text, { own: "probe/main.py", files: rust.files })).toBe(text);
});

test("many lines that begin like warnings take no time", () => {
  const start = performance.now();
  const text = "warning: odd value\n".repeat(16_000).trim();
  expect(withoutBuildWarnings(text, rust)).toBe(text);
  expect(withoutBuildWarnings(warning("src/a.rs", "a").repeat(4_000), rust)).toContain("4000 build warnings");
  expect(performance.now() - start).toBeLessThan(4_000);
});

test("warnings of Java's compiler end with their mark, and with their number", () => {
  const text =
    "/x/A.java:3: warning: [removal] old() is deprecated\n    old();\n    ^\n/x/Main.java:1: warning: [cast] redundant\n  f();\n  ^\n2 warnings\nseen: 3\n/x/A.java:3: warning: of a program\n";
  expect(withoutBuildWarnings(text, { own: "Main.java", files: new Set(["A.java", "Main.java"]) })).toBe(
    "/x/Main.java:1: warning: [cast] redundant\n  f();\nseen: 3\n/x/A.java:3: warning: of a program\n(1 build warning omitted)",
  );
});
