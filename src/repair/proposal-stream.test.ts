import { expect, it } from "vitest";
import { languageOfFixture as languages } from "../../tests/fixture-programs.ts";
import type { Proposal } from "./proposal.ts";
import { streamProposals } from "./proposal-stream.ts";
import { type FileProposals, openProposals, type Suspect } from "./propose-repairs.ts";

const file = "a.py";
const text = "def f(a, b):\n    c = a < b\n    d = b < a\n    return c\n";

function suspect(line: number, score = 1): Suspect {
  return { file, startLine: line, endLine: line, score };
}

/** Counts the requests for the file. */
async function openCounted(): Promise<{
  opened: FileProposals;
  asked: number[];
  checked: Proposal[];
  freed: number[];
}> {
  const inner = await openProposals({ file, text, language: languages(file) });
  if (inner === undefined) throw new Error("Python has a dialect");
  const asked: number[] = [];
  const checked: Proposal[] = [];
  const freed: number[] = [];
  const opened: FileProposals = {
    propose(one) {
      asked.push(one.startLine);
      return inner.propose(one);
    },
    accepts(proposal) {
      checked.push(proposal);
      return inner.accepts(proposal);
    },
    free() {
      freed.push(1);
      inner.free();
    },
  };
  return { opened, asked, checked, freed };
}

async function listAll(suspects: readonly Suspect[], isOver?: () => boolean): Promise<Proposal[]> {
  const { opened } = await openCounted();
  const stream = streamProposals({ suspects, open: async () => opened, ...(isOver && { isOver }) });
  const all: Proposal[] = [];
  for await (const proposal of stream) all.push(proposal);
  return all;
}

it("tries the more suspicious statement first, and does not starve the other", async () => {
  const proposals = await listAll([suspect(2, 1), suspect(3, 0.8)]);
  const lines = proposals.map(({ line }) => line);
  expect(lines[0]).toBe(2);
  expect(lines.slice(0, 6)).toContain(3);
});

it("checks a proposal when it is asked for, and looks at a statement when it could be next", async () => {
  const { opened, asked, checked, freed } = await openCounted();
  const stream = streamProposals({ suspects: [suspect(2, 1), suspect(3, 0.01)], open: async () => opened });
  await stream.next();
  expect(asked).toEqual([2]);
  expect(checked.length).toBeLessThan(5);
  await stream.return();
  expect(freed).toEqual([1]);
});

it("looks at fewer statements where no template's prior is high, and keeps the order", async () => {
  const likely = { file, start: 0, end: 1, replacement: "b", template: "t", description: "", likeness: 1 };
  const seen: { looks: number; lines: number[] }[] = [];
  for (const mostPrior of [1, 0.5]) {
    const asked: number[] = [];
    const opened: FileProposals = {
      propose({ startLine }) {
        asked.push(startLine);
        return [{ ...likely, line: startLine, statementLine: startLine, prior: 0.5 }];
      },
      accepts: () => true,
      free: () => {},
    };
    const suspects = [suspect(2, 1), suspect(3, 0.8), suspect(4, 0.4)];
    const stream = streamProposals({ suspects, open: async () => opened, mostPrior });
    const first = await stream.next();
    const looks = asked.length;
    const lines = first.done === true ? [] : [first.value.line];
    for await (const { line } of stream) lines.push(line);
    seen.push({ looks, lines });
  }
  expect(seen).toEqual([
    { looks: 2, lines: [2, 3, 4] },
    { looks: 1, lines: [2, 3, 4] },
  ]);
});

it("has the same order each time", async () => {
  const suspects = [suspect(2), suspect(3), suspect(4, 0.5)];
  expect(await listAll(suspects)).toEqual(await listAll(suspects));
});

it("ends where it is told to, and frees what it opened", async () => {
  const { opened, freed } = await openCounted();
  let count = 0;
  const stream = streamProposals({
    suspects: [suspect(2)],
    open: async () => opened,
    isOver: () => count >= 3,
  });
  for await (const _ of stream) count += 1;
  expect(count).toBe(3);
  expect(freed).toEqual([1]);
});

it("gives others of the process a turn", async () => {
  const slow: FileProposals = {
    propose: ({ startLine }) => {
      const until = performance.now() + 30;
      while (performance.now() < until);
      return [
        {
          file,
          start: 0,
          end: 0,
          replacement: "x",
          line: startLine,
          statementLine: startLine,
          template: "t",
          description: "",
          prior: 0.1,
          likeness: 1,
        },
      ];
    },
    accepts: () => true,
    free: () => {},
  };
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const suspects = [1, 2, 3, 4, 5].map((line) => suspect(line));
  for await (const _ of streamProposals({ suspects, open: async () => slow }));
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(3);
});
