import assert from "node:assert/strict";
import { test } from "node:test";
import { renderSummary, summarise } from "../src/summary.js";
import { leader, renderTable } from "../src/table.js";

const HOME = { id: "home", label: "Home" };
const WORLD = { id: "world", label: "World" };

function quote(zone, service, net, ...weights) {
  const parcels = weights.map((weight) => ({ weight, sides: [100, 100, 100] }));
  return { zone, net, order: { service, parcels } };
}

test("quotes are added up by zone and service", () => {
  const rows = summarise([
    quote(HOME, "standard", 500, 1000),
    quote(WORLD, "express", 9000, 4000),
    quote(HOME, "standard", 700, 250, 1000),
  ]);
  assert.deepEqual(rows, [
    { zone: "World", service: "express", orders: 1, parcels: 1, weight: 4000, net: 9000 },
    { zone: "Home", service: "standard", orders: 2, parcels: 3, weight: 2250, net: 1200 },
  ]);
});

test("a summary ends with the whole", () => {
  const rows = summarise([quote(HOME, "standard", 500, 1000), quote(WORLD, "express", 9000, 4000)]);
  assert.equal(
    renderSummary(rows),
    `Zone   Service   Orders  Parcels  Weight    Net
-----  --------  ------  -------  ------  -----
World  express        1        1    4 kg  90.00
Home   standard       1        1    1 kg   5.00
All                   2        2    5 kg  95.00
`,
  );
});

test("a table is as wide as its widest cells", () => {
  const columns = [{ title: "A" }, { title: "Amount", align: "right" }];
  assert.equal(renderTable(columns, [["long", "1"]]), "A     Amount\n----  ------\nlong       1\n");
  assert.equal(renderTable(columns, []), "A  Amount\n-  ------\n");
});

test("a leader fills the line, and a long label pushes the value out", () => {
  assert.equal(leader("Net", "1.00", 10), "Net   1.00");
  assert.equal(leader("A long label", "1.00", 10), "A long label 1.00");
});
