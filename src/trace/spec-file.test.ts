import { expect, test } from "vitest";
import { parseSpecFile } from "./spec-file.ts";

test("a spec is read as RustForger's agent writes it", () => {
  const text = `\`\`\`
function:trace
test_project:/w/test_proj
target_project: /w/clap/clap_builder
instrument:/w/clap/clap_builder/src/parser.rs:func_1,func_2
instrument: src/usage.rs:Usage::*
output:/w/trace.json
exec:cd /w/test_proj && cargo run -- "a: b" | cat
\`\`\`
`;
  expect(parseSpecFile(text)).toEqual({
    testProject: "/w/test_proj",
    targetProject: "/w/clap/clap_builder",
    instrument: ["/w/clap/clap_builder/src/parser.rs:func_1,func_2", "src/usage.rs:Usage::*"],
    output: "/w/trace.json",
    exec: 'cd /w/test_proj && cargo run -- "a: b" | cat',
  });
});

test("what is absent or empty is absent; another line is refused by its number", () => {
  expect(parseSpecFile("instrument:\noutput:\n")).toMatchObject({ instrument: [], output: undefined });
  expect(() => parseSpecFile("exec: true\ntarget: x\n")).toThrow(/Line 2 .*target: x/);
});
