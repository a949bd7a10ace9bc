import { expect, test } from "vitest";
import { withoutBuildWarnings } from "./build-output.ts";

const warning = (path: string, name: string): string =>
  `warning: unused variable: \`${name}\`\n  --> ${path}:3:9\n   |\n3  |     let ${name} = 1;\n   |         ^ help: prefix it\n   |\n   = note: on by default\n\n`;

test("of a build only warnings about the program itself stay, in two lines each", () => {
  const text = `   Compiling clap v3.0.0 (/work/clap)
${warning("/work/clap/src/a.rs", "a")}${warning("/work/clap/src/b.rs", "b")}warning: \`clap\` (lib) generated 2 warnings
   Compiling probe v0.1.0
${warning("src/main.rs", "mine")}    Finished dev [unoptimized] target(s) in 3 s
     Running \`target/debug/probe\`
seen: 3
`;
  expect(withoutBuildWarnings(text, "probe/src/main.rs")).toBe(
    "warning: unused variable: `mine`\n  --> src/main.rs:3:9\nseen: 3\n(2 warnings of the build left out)",
  );
});

test("a program's own words stay, also if they look like a warning", () => {
  const text = "warning: the option is old\nplease use another\n\nerror: no such file\n";
  expect(withoutBuildWarnings(text, "src/main.rs")).toBe(text.trim());
});

test("warnings of Java's compiler end with their mark", () => {
  const text =
    "/x/A.java:3: warning: [removal] old() is deprecated\n    old();\n    ^\nseen: 3\n/x/Main.java:1: warning: [cast] redundant\n  f();\n  ^\n";
  expect(withoutBuildWarnings(text, "Main.java")).toBe(
    "seen: 3\n/x/Main.java:1: warning: [cast] redundant\n  f();\n(1 warning of the build left out)",
  );
});
