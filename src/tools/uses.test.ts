/** Uncertain uses of the graph, checked by a server; the graph and the server are records with their answers. */
import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { succeed } from "../base/result.ts";
import type { CodeGraph, Entity } from "../graph/contract.ts";
import type { LspResult } from "../lsp/ask-at.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import { settle, type Use } from "./uses.ts";

const entity = { path: "a.py", name: "pick", language: "python", at: { line: 3, column: 4 } } as Entity;
const caller = { ...entity, path: "b.py", qualified: "use" } as Entity;
const graph = partOf<CodeGraph>({ entityAt: () => caller });
const { signal } = new AbortController();

function use(line: number, confidence: number, from: Entity = caller): Use {
  return { kind: "calls", path: from.path, line, column: 0, confidence, by: "graph", from };
}

function serversSaying(lines: readonly number[], more: object = {}): LanguageServers {
  const value = lines.map((line) => {
    const place = { line, column: 0 };
    return { path: "b.py", outside: false, range: { start: place, end: place } };
  });
  const references = async (): Promise<LspResult<typeof value>> =>
    succeed({ value, by: "a server", isWhole: true, ...more });
  return { ...absentServers(""), references };
}

const ask = (uses: readonly Use[], servers: LanguageServers) =>
  settle({ graph, servers, entity, uses, kind: "references", signal });
const linesOf = (uses: readonly Use[]) => uses.map(({ line, by }) => [line, by]);

test("unsure uses that the server knows are sure, others are left out, and what it knows more is added", async () => {
  const { uses, note } = await ask([use(1, 0.9), use(2, 0.2), use(5, 0.2)], serversSaying([1, 2, 9]));
  expect(linesOf(uses)).toEqual([
    [1, "server"],
    [2, "server"],
    [9, "server"],
  ]);
  expect(uses.every(({ confidence }) => confidence === 1)).toBe(true);
  expect(note).toBe("a server: 2 confirmed, 1 added, 1 less certain use left out");
});

test("its silence counts only for its own language, when it was ready, and knows something that is sure", async () => {
  const foreign = use(5, 0.2, { ...caller, path: "c.md", language: "markdown" } as Entity);
  expect(linesOf((await ask([foreign], serversSaying([]))).uses)).toEqual([[5, "graph"]]);
  const unready = await ask([use(5, 0.2)], serversSaying([], { isWhole: false }));
  expect(linesOf(unready.uses)).toEqual([[5, "graph"]]);
  const blind = await ask([use(1, 0.9), use(5, 0.2)], serversSaying([]));
  expect(linesOf(blind.uses)).toEqual([
    [1, "graph"],
    [5, "graph"],
  ]);
});

test("where it tells uses and no calls, they settle which calls are meant, and add none", async () => {
  const servers = serversSaying([1, 2, 9]);
  const { uses, note } = await settle({
    ...{ graph, servers, entity, signal },
    uses: [use(1, 0.9), use(2, 0.2), use(5, 0.2)],
    kind: "calls",
  });
  expect(linesOf(uses)).toEqual([
    [1, "server"],
    [2, "server"],
  ]);
  expect(note).toBe("a server: 2 confirmed, found as uses, not as calls, 1 less certain use left out");
});

test("where no server answers nothing is settled, and it is said why", async () => {
  const uses = [use(5, 0.2)];
  expect(await ask(uses, absentServers("It is not installed."))).toEqual({
    uses,
    note: "It is not installed.",
  });
  const instead = serversSaying([7], { insteadOf: "It crashed." });
  expect(await ask(uses, instead)).toEqual({ uses, note: "It crashed." });
});
