import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeWeakened } from "./weakened-code.ts";

const tell = async (path: string, before: string, after: string, statement = ""): Promise<string> =>
  (await judgeWeakened([compareTexts(path, before, after)], statement)).map(({ text }) => text).join(" ");

const url = (body: string): string =>
  `class Url:\n    def __init__(self, host):\n        self.host = host\n\n    def __eq__(self, other):\n        return ${body}\n`;
const rust = "#[derive(Debug, Clone, PartialEq)]\npub struct Url {\n    pub host: String,\n}\n";
const ownEq =
  "#[derive(Debug, Clone)]\npub struct Url {\n    pub host: String,\n}\n\nimpl PartialEq for Url {\n    fn eq(&self, other: &Self) -> bool {\n        self.host.eq_ignore_ascii_case(&other.host)\n    }\n}\n";
const java = (body: string): string =>
  `class Url {\n    String host;\n\n    public boolean equals(Object other) {\n        return ${body};\n    }\n}\n`;
const note = (rest: string): string =>
  `from dataclasses import dataclass, field\n\n\n@dataclass\nclass Note:\n    text: str\n    tags: list = field(default_factory=list${rest})\n`;

test.each([
  ["a.py", url("self.host == other.host"), url("self.host.lower() == other.host.lower()")],
  ["a.rs", rust, ownEq],
  ["A.java", java("host.equals(((Url) other).host)"), java("host.equalsIgnoreCase(((Url) other).host)")],
  ["a.py", note(""), note(", compare=False")],
])("in %s, a changed equality is one that the statement mentions", async (path, before, after) => {
  expect(await tell(path, before, after, "`normalize` leaves capitals in the host")).toContain(
    "changes the equality",
  );
  expect(await tell(path, before, after, "Two addresses are not equal if one has capitals")).toBe("");
});

test("a new class brings its own equality, and another change leaves an equality as it was", async () => {
  expect(await tell("a.py", "x = 1\n", `x = 1\n\n\n${url("self.host == other.host")}`)).toBe("");
  const lifetimes = ownEq
    .replace("&Self", "&&'a Url")
    .replace("impl PartialEq", "impl<'a> PartialEq<&'a Url>");
  expect(await tell("a.rs", lifetimes, lifetimes.replaceAll("'a ", "").replace("<'a>", ""))).toBe("");
  const same = url("self.host == other.host");
  expect(await tell("a.py", same, same.replace("= host", "= host.lower()"))).toBe("");
  expect(
    await tell("a.js", "export const eq = (a, b) => a == b;\n", "export const eq = (a, b) => a === b;\n"),
  ).toBe("");
});

const error = "class SettingsError(Exception):\n    pass\n\n\ndef read(text):\n    return int(text)\n";
test("a class that becomes a value accepts other errors", async () => {
  const value = error.replace(
    "class SettingsError(Exception):\n    pass\n",
    "SettingsError = (ValueError, KeyError)\n",
  );
  expect(await tell("a.py", error, value, "`read` must raise SettingsError")).toContain(
    "the class `SettingsError`",
  );
  expect(await tell("a.py", error, value, "`SettingsError` becomes an alias")).toBe("");
  expect(await tell("a.py", error, error.replace("int(text)", "int(text, 10)"))).toBe("");
});

const codecs = 'CODECS = {\n    "swap": (swap, swap),\n    "shift": (shift, shift),\n}\n';
const without = codecs.replace('    "shift": (shift, shift),\n', "");
test("an entry is only taken away if the statement asks for it", async () => {
  expect(await tell("a.py", codecs, without, "The round trip fails for one codec")).toContain(
    "removes entries",
  );
  expect(await tell("a.py", codecs, without, "Remove the codec `shift`")).toBe("");
  expect(await tell("a.py", codecs, codecs.replace("(shift, shift)", "(shift, unshift)"))).toBe("");
  expect(await tell("a.py", "print(1)\nx = 2\n", "x = 2\n", "It prints")).toBe("");
});

const goFee = (body: string, more = ""): string =>
  `package a\n\ntype Fee struct{ cents int }\n\nfunc (f Fee) Equal(o Fee) bool {\n\treturn ${body}\n}\n${more}`;
test("in Go, Equal and the Is of errors are equality methods", async () => {
  const before = goFee("f.cents == o.cents");
  const changed = goFee("f.cents/10 == o.cents/10");
  expect(await tell("a.go", before, changed, "Fees are too low")).toContain("changes the equality");
  expect(await tell("a.go", before, changed, "Fees that differ by a cent are equal")).toBe("");
  const is = goFee(
    "f.cents == o.cents",
    "\nfunc (f Fee) Is(target error) bool {\n\treturn target == ErrFee\n}\n",
  );
  expect(await tell("a.go", before, is, "Fees are too low")).toContain("changes the equality");
  expect(await tell("a.go", before, is, "The fee of heavy parcels is too low")).toContain(
    "changes the equality",
  );
  expect(await tell("a.go", before, is, "The error of a fee is lost")).toBe("");
  const flags = (body: string): string =>
    `package a\n\ntype Perm int\n\nfunc (p Perm) Is(o Perm) bool {\n\treturn ${body}\n}\n`;
  expect(await tell("a.go", flags("p == o"), flags("p&o == o"), "Permissions of groups get ignored")).toBe(
    "",
  );
  expect(await tell("a.go", before, before.replace("cents int", "cents int64"), "Fees are too low")).toBe("");
});
