import { expect, test } from "vitest";
import { madeCall, madeProcess } from "../../../tests/trace-calls.ts";
import type { Trace } from "../trace-file.ts";
import { renderPage } from "./page.ts";

const hostile = "</script><img src=x onerror=alert(1)><!--";

function pageOf(value: string): string {
  const trace: Trace = {
    head: {
      k: "trace",
      schema: "millwright.trace-file/1",
      target: "/t",
      command: ["run", value],
      startedAt: "2026-01-01T00:00:00.000Z",
      functions: [],
    },
    command: { k: "command", end: "exited", exitCode: 1, milliseconds: 5 },
    processes: [
      madeProcess([
        madeCall("main", {
          children: [madeCall("f", { how: "throw", message: value, args: [["x", { j: value }]] })],
        }),
      ]),
    ],
  };
  return renderPage(trace);
}

test("a page needs nothing beside itself, and no value becomes markup", () => {
  const page = pageOf(hostile);
  expect(page).not.toContain("<img");
  expect(page).not.toContain("<!--");
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toMatch(/(src|href)\s*=\s*"/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
});

test("its data has every call with values as they were", () => {
  const [, data = ""] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(pageOf(hostile)) ?? [];
  const { processes, functions } = JSON.parse(data);
  expect(functions.map(({ name }: { name: string }) => name)).toEqual(["main", "f"]);
  expect(processes[0].calls[0].c[0]).toMatchObject({ x: 1, a: [["x", JSON.stringify(hostile)]] });
});

test("its script is a program", () => {
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(pageOf("x")) ?? [];
  expect(() => new Function(script)).not.toThrow();
});
