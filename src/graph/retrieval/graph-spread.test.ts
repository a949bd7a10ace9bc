import { expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { findPlaces } from "./find.ts";
import { type OpenSearcher, openSearcher } from "./open-searcher.ts";

const program = {
  "src/builder.rs":
    "pub struct Order {\n    pub urgent: bool,\n    pub note: String,\n}\n\nimpl Order {\n    /// Overnight delivery.\n    pub fn overnight(mut self) -> Self {\n        self.urgent = true;\n        self\n    }\n}\n",
  "src/lib.rs": "pub mod builder;\npub mod courier;\npub mod archive;\n",
  "src/courier.rs":
    "use crate::builder::Order;\n\npub fn choose(order: &Order) -> u32 {\n    if order.urgent { 2 } else { 7 }\n}\n",
  "src/archive.rs": "pub fn shelve(pages: u32) -> u32 {\n    pages / 2\n}\n",
};

async function openProgram(): Promise<OpenSearcher> {
  const playground = makePlayground(program);
  const graph = playground.open();
  await graph.refresh();
  return openSearcher({ graph, repository: playground.repository });
}

it("leads from what the text names over a field that it sets to who reads the field", async () => {
  const searcher = await openProgram();
  const { index } = searcher;
  const { evidence, pieces } = findPlaces(searcher, "overnight has no effect");
  const named = (name: string): number => pieces.findIndex(({ piece }) => index.piece(piece).name === name);
  expect(named("overnight")).toBe(0);
  const received = (name: string): number => evidence.graph.pieces[pieces[named(name)]?.piece ?? -1] ?? 0;
  expect(received("choose")).toBeGreaterThan(0);
  expect(received("shelve")).toBe(0);
  expect(named("choose")).toBeLessThan(named("shelve"));
});

it("does without while a first build has not come to the references", async () => {
  const playground = makePlayground(program);
  const graph = playground.open();
  await graph.refresh();
  graph.store.database.exec("DROP INDEX edges_target");
  const searcher = openSearcher({ graph, repository: playground.repository });
  const { evidence, files } = findPlaces(searcher, "overnight has no effect");
  expect(evidence.graph.files.every((score) => score === 0)).toBe(true);
  expect(searcher.index.files[files[0]?.file ?? -1]?.path).toBe("src/builder.rs");
});
