import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { keepVariables } from "./keep-variables.ts";

const values = {
  ...{ PYTHONPATH: "/our/own", GOFLAGS: "-overlay=/x.json", OTHER: "1" },
  NODE_OPTIONS: "--require /x.cjs",
};

/** The variables that a program sees when started in this way. */
function seen(...command: readonly string[]): string {
  const kept = keepVariables([...command], values);
  const [program = "", ...words] = kept.command;
  const env = { PATH: process.env["PATH"] ?? "", ...values };
  return spawnSync(program, words, { env, encoding: "utf8" }).stdout.trim();
}
const show = 'printf "%s|%s" "$PYTHONPATH" "$GOFLAGS"';

test.each([
  ["a text without them", show, "/our/own|-overlay=/x.json"],
  ["one that is set for a program", `PYTHONPATH=src sh -c '${show}'`, "/our/own:src|-overlay=/x.json"],
  ["in quotes", `PYTHONPATH="a b" sh -c '${show}'`, "/our/own:a b|-overlay=/x.json"],
  [
    "an exported one, with what it was",
    `export PYTHONPATH="src:$PYTHONPATH"; ${show}`,
    "/our/own:src:/our/own|-overlay=/x.json",
  ],
  ["none", `PYTHONPATH= sh -c '${show}'`, "/our/own|-overlay=/x.json"],
  ["flags", `cd / && GOFLAGS=-mod=mod sh -c '${show}'`, "/our/own|-overlay=/x.json -mod=mod"],
  [
    "a name with an underscore",
    'NODE_OPTIONS=--no-warnings sh -c "env | grep ^NODE_OPTIONS"',
    "NODE_OPTIONS=--require /x.cjs --no-warnings",
  ],
  ["in a shell's shell", `sh -c "PYTHONPATH=lib env" | grep ^PYTHONPATH`, "PYTHONPATH=/our/own:lib"],
  ["another name's end", `XPYTHONPATH=src; echo "$XPYTHONPATH"`, "src"],
])("%s", (_name, text, expected) => {
  expect(seen("sh", "-c", text)).toBe(expected);
});

test("words before a program are assignments, those behind it are its own", () => {
  expect(seen("env", "-u", "HOME", "PYTHONPATH=src", "sh", "-c", show, "PYTHONPATH=x")).toBe(
    "/our/own:src|-overlay=/x.json",
  );
  expect(seen("env", "PYTHONPATH=", "echo", "PYTHONPATH=src")).toBe("PYTHONPATH=src");
  expect(keepVariables(["echo", "PYTHONPATH=src"], values)).toEqual({
    command: ["echo", "PYTHONPATH=src"],
    joined: [],
  });
  expect(keepVariables(["env", "OTHER=2", "GOFLAGS=-v", "go"], values).joined).toEqual(["GOFLAGS"]);
});
