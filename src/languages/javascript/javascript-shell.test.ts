import { expect, it } from "vitest";
import { quoteWord } from "../../base/shell-word.ts";
import { parseShell } from "./javascript-shell.ts";

it("takes a line apart into commands, assignments and words", () => {
  const commands = parseShell(`A=1 B="x y" run 'a b' c\\ d "e\\"f" g* 2>/dev/null && two; three | four`);
  expect(commands?.map((command) => command.words.map((word) => word.text))).toEqual([
    ["run", "a b", "c d", 'e"f', "g*"],
    ["two"],
    ["three"],
    ["four"],
  ]);
  expect(commands?.[0]?.assignments.map((word) => word.text)).toEqual(["A=1", "B=x y"]);
  expect(commands?.map((command) => command.next)).toEqual(["&&", ";", "|", ""]);
  expect(commands?.[0]?.words[1]?.raw).toBe("'a b'");
});

it.each(["a $(b)", "a `b`", "(a; b)", "a < b", "a 'b"])("leaves %s to the shell", (line) => {
  expect(parseShell(line)).toBeUndefined();
});

it("quotes a text so that the shell gives it back", () => {
  for (const text of ["plain", "a b", "it's", "", "$HOME", "a\\b", "*"]) {
    expect(parseShell(`run ${quoteWord(text)}`)?.[0]?.words[1]?.text).toBe(text);
  }
});
