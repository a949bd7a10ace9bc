import { expect, test } from "vitest";
import { interpreterOf, withInsertion } from "./runs-program.ts";

test.each([
  ["python", "import os\n", "raise SystemExit(97)\nimport os\n"],
  [
    "javascript",
    "#!/usr/bin/env node\nrun();\n",
    '#!/usr/bin/env node\nthrow new Error("stopped");\nrun();\n',
  ],
  ["php", "<?php\nrun();\n", "<?php\nexit(97);\n\nrun();\n"],
  ["rust", "fn main() {\n    run();\n}\n", 'fn main() {\npanic!("stopped");\n\n    run();\n}\n'],
  ["go", "func main() { run() }\n", 'func main() {\npanic("stopped")\n run() }\n'],
])("stops a program of %s where it begins", (language, text, stopped) => {
  expect(withInsertion(language, text, "stop")).toBe(stopped);
});

test("a file that begins no program stays as it is", () => {
  expect(withInsertion("rust", "pub fn run() {}\n", "stop")).toBeUndefined();
  expect(withInsertion("csharp", "class A {}\n", "stop")).toBeUndefined();
  expect(withInsertion("python", "run()\n", "comment")).toBe("# checked\nrun()\n");
});

test("the first line of a script tells its language", () => {
  const texts = [
    "#!/usr/bin/env node\n",
    "#!/usr/bin/python3.11 -I\n",
    "#!/bin/bash -e\n",
    "run\n#!/bin/sh\n",
  ];
  expect(texts.map(interpreterOf)).toEqual(["javascript", "python", "shell", ""]);
});
