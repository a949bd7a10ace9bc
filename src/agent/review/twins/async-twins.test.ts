import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { findAsyncTwins } from "./async-twins.ts";

const regions = { isWhole: () => false };
const plain = "        return self.send(path)\n";
const again =
  "        try:\n            return self.send(path)\n        except Busy:\n            return self.send(path)\n";
const client = (body: string, words = "Sends a request; tries once more."): string =>
  `class Client:\n    def get(self, path):\n        """${words}"""\n${body}`;
const asyncClient = (body: string): string =>
  `class AsyncClient:\n    async def get(self, path):\n        """Sends a request; tries once more."""\n${body.replaceAll("self.send", "await self.send")}`;
const find = (before: string, after: string, path = "client.py") =>
  findAsyncTwins([compareTexts(path, before, after)], regions);

test("the half of a pair that stays is found, in both directions", async () => {
  const both = `${client(plain)}\n\n${asyncClient(plain)}`;
  expect(await find(both, `${client(again)}\n\n${asyncClient(plain)}`)).toEqual([
    { path: "client.py", startLine: 11, endLine: 13, of: "client.py:2" },
  ]);
  expect(await find(both, `${client(plain)}\n\n${asyncClient(again)}`)).toMatchObject([{ startLine: 2 }]);
  expect(await find(both, `${client(again)}\n\n${asyncClient(again)}`)).toEqual([]);
});

test("a pair in one file of JavaScript", async () => {
  const one = (word: string, body: string): string =>
    `export ${word === "" ? "" : "async "}function read${word}(path, options) {\n  ${body}\n  return parse(text, options);\n}\n`;
  const [sync, late] = ["const text = load(path);", "const text = await load(path);"];
  const fixed = "const text = load(path) ?? empty;";
  expect(
    await find(one("", sync) + one("Async", late), one("", fixed) + one("Async", late), "read.js"),
  ).toMatchObject([{ startLine: 5 }]);
});

test("other functions are no twins: with other words or code, short, or both without await", async () => {
  const other = `${client(plain, "Asks once.")}\n\n${asyncClient(plain)}`;
  expect(await find(other, `${client(again, "Asks once.")}\n\n${asyncClient(plain)}`)).toEqual([]);
  const short = "def get(a):\n    return a\n\n\nasync def aget(a):\n    return a\n";
  expect(await find(short, short.replace("return a", "return b"))).toEqual([]);
  const same = `${client(plain)}\n\n${client(plain).replace("Client", "Other")}`;
  expect(await find(same, same.replace(plain, again))).toEqual([]);
});
