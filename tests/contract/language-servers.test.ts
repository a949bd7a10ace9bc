/** What every language server that this machine has must tell of one and the same small program, in its language. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeDiagnostic, CodeSymbol } from "../../src/domain/code-intelligence.ts";
import type { LanguageServer } from "../../src/lsp/language-server.ts";
import { languageServers } from "../../src/lsp/servers/index.generated.ts";
import { type Expectation, expectations } from "./language-servers-expectations.ts";
import {
  openServers,
  reasonItIsMissing,
  type ServersFixture,
  sandboxForServers,
} from "./language-servers-fixture.ts";

const members = await Promise.all(
  languageServers.map(async (record: LanguageServer) => ({
    record,
    wanted: expectations[record.name] as Expectation,
    missing: await reasonItIsMissing(record),
  })),
);

test("every server of ours is held to the same table", () => {
  expect(Object.keys(expectations).toSorted()).toEqual(languageServers.map(({ name }) => name).toSorted());
});

for (const { record, wanted, missing } of members) {
  const title = `${record.name}${missing === undefined ? "" : ` (skipped: ${missing})`}`;
  describe.skipIf(missing !== undefined)(title, () => {
    let fixture: ServersFixture;
    const { use, callee, standard, mistake } = wanted;
    beforeAll(async () => {
      fixture = await openServers(sandboxForServers(), [patient(record)], wanted.repository);
      await wanted.prepare?.(fixture.folder);
    });
    afterAll(() => fixture.remove());

    test("finds a definition in another file", async () => {
      const answer = await answerOf(fixture.servers.definition(use));
      expect(answer.position).toMatchObject({ ...use, origin: "exact" });
      expect(answer.isWhole).toBe(true);
      expect(
        answer.value.map(({ path, range, outside }) => [path, range.start.line, outside]),
      ).toContainEqual([wanted.definition.path, wanted.definition.line, false]);
      const there = answer.value.find(({ path }) => path === wanted.definition.path);
      expect(there?.text).toContain(use.name);
    });

    test.skipIf(standard.isHere?.() === false)(
      "finds a definition outside the repository, and shows its text",
      async () => {
        const { value } = await answerOf(fixture.servers.definition(standard.use));
        expect(value.filter(({ outside }) => outside)).toEqual(value);
        expect(value.map(({ path }) => path).join("\n")).toMatch(standard.path);
        expect(value.map(({ text }) => text).join("\n")).toContain(standard.use.name);
      },
    );

    test("finds the uses in all files, without the definition", async () => {
      const { value } = await answerOf(fixture.servers.references(callee));
      const places = value.map(({ path, range }) => `${path}:${range.start.line}`);
      expect(places).toContain(`${use.path}:${wanted.calleeUsedAt}`);
      expect(places).not.toContain(`${callee.path}:${callee.line}`);
    });

    test("tells the documentation", async () => {
      const { value } = await answerOf(fixture.servers.hover(callee));
      expect(value).toContain(callee.name);
      expect(value).toMatch(/area of a circle/i);
    });

    test("tells the symbols of a file", async () => {
      const { value } = await answerOf(fixture.servers.symbols(callee.path));
      const names = flatten(value).map(({ name }) => name.replace(/\(.*/, "").split(/[.:]/).at(-1));
      expect(names).toEqual(expect.arrayContaining([...wanted.symbols]));
    });

    test("takes a line without a name for an identifier on it, and says so", async () => {
      const answer = await answerOf(fixture.servers.definition({ path: use.path, line: use.line }));
      expect(answer.position).toMatchObject({ path: use.path, line: use.line, origin: "line" });
    });

    test("takes a name on a wrong line for the nearest", async () => {
      const answer = await answerOf(fixture.servers.definition({ ...use, line: use.line - 1 }));
      expect(answer.position).toMatchObject({ line: use.line, name: use.name, origin: "near" });
    });

    test("finds a name of which no file is told in those that were opened before", async () => {
      const answer = await answerOf(fixture.servers.definition({ name: use.name }));
      expect(answer.position).toMatchObject({ name: use.name, origin: "opened" });
      expect(await fixture.servers.definition({ name: "nobody_knows_it" })).toMatchObject({
        ok: false,
        kind: "no-position",
      });
    });

    test("sees a mistake in a text that is not on disk, and no more when it is gone", async () => {
      const { servers, folder } = fixture;
      const text = await readFile(join(folder, mistake.path), "utf8");
      const wrong = text.replace(mistake.right, mistake.wrong);
      expect(wrong).not.toBe(text);
      const before = await servers.diagnose([{ path: mistake.path }]);
      const known = errorsOf(before);
      // Where the server says that it lacks something, it may report errors that are none; else there is none.
      expect(before.ok && before.value.caution === undefined ? known : []).toEqual([]);
      const after = errorsOf(await servers.diagnose([{ path: mistake.path, text: wrong }]));
      const fresh = after.filter(({ message }) => known.every((old) => old.message !== message));
      expect(fresh.map(({ message }) => message).join("\n")).toMatch(mistake.message);
      expect(fresh[0]?.range.start.line).toBe(mistake.line);
      expect(errorsOf(await servers.diagnose([{ path: mistake.path }]))).toEqual(known);
      expect(await readFile(join(folder, mistake.path), "utf8")).toBe(text);
    });

    test.skipIf(wanted.calls === undefined)("tells who calls a function", async () => {
      const { value } = await answerOf(fixture.servers.callers(callee));
      expect(value.map(({ symbol }) => symbol.name).join()).toContain("total");
      expect(value.flatMap(({ places }) => places.map(({ start }) => start.line))).toContain(
        wanted.calleeUsedAt,
      );
    });

    test.skipIf(wanted.calls !== "both")("tells whom a function calls", async () => {
      const { value } = await answerOf(fixture.servers.callees(wanted.caller));
      expect(value.map(({ symbol }) => symbol.name).join()).toContain(callee.name);
    });

    test.skipIf(wanted.types === undefined)("tells super- and subtypes", async () => {
      const { value } = await answerOf(fixture.servers.types(wanted.types ?? use));
      expect([...value.supertypes, ...value.subtypes].map(({ name }) => name)).toContain("Shape");
    });

    test("renames in all files, as edits that nobody has made yet", async () => {
      const { value } = await answerOf(fixture.servers.rename(callee, "RoundArea"));
      expect(value.map(({ path }) => path)).toEqual(expect.arrayContaining([callee.path, use.path]));
      for (const { edits } of value) expect(edits.every(({ text }) => text.includes("RoundArea"))).toBe(true);
      expect(await readFile(join(fixture.folder, callee.path), "utf8")).not.toContain("RoundArea");
    });

    test("follows a file that changes on disk", async () => {
      const { servers, folder } = fixture;
      const text = await readFile(join(folder, use.path), "utf8");
      await writeFile(join(folder, use.path), `\n\n${text}`);
      try {
        await servers.filesChanged([{ path: use.path, change: "changed" }]);
        const { position, value } = await answerOf(servers.definition({ ...use, line: use.line + 2 }));
        expect(position).toMatchObject({ line: use.line + 2, origin: "exact" });
        expect(value.map(({ path }) => path)).toContain(wanted.definition.path);
      } finally {
        await writeFile(join(folder, use.path), text);
        await servers.filesChanged([{ path: use.path, change: "changed" }]);
      }
    });
  });
}

/** Machines that run tests are busy. */
function patient(record: LanguageServer): LanguageServer {
  return { ...record, requestLimitMs: 100_000 };
}

/** The answer; a failure's message fails the test. */
async function answerOf<T>(
  asked: Promise<{ ok: true; value: T } | { ok: false; message: string }>,
): Promise<T> {
  const answer = await asked;
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}

function errorsOf(answer: Awaited<ReturnType<ServersFixture["servers"]["diagnose"]>>): CodeDiagnostic[] {
  if (!answer.ok) throw new Error(answer.message);
  return answer.value.value.filter(({ severity }) => severity === "error");
}

function flatten(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flatten(symbol.children ?? [])]);
}
