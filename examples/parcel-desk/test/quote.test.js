import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCatalogue } from "../src/catalogue.js";
import { parseMoment } from "../src/days.js";
import { quoteOrder } from "../src/quote.js";

const CATALOGUE = loadCatalogue();

const COLOGNE = {
  name: "Lea Sommer",
  street: "Lindenweg 4",
  postcode: "50667",
  city: "Köln",
  country: "DE",
};
const BERGEN = {
  name: "Fjord Boats",
  street: "Havnegata 3",
  postcode: "5003",
  city: "Bergen",
  country: "NO",
};

function quote({ placed = "2025-03-10 09:15", ...changes }) {
  return quoteOrder(CATALOGUE, {
    id: "7",
    placed: parseMoment(placed),
    customer: "Krug",
    vatId: "",
    address: COLOGNE,
    service: "standard",
    promotion: "",
    parcels: [{ weight: 1400, sides: [300, 200, 100] }],
    ...changes,
  });
}

const amounts = ({ lines }) => lines.map(({ code, amount }) => [code, amount]);

test("a plain order is carriage, fuel and VAT", () => {
  const plain = quote({});
  assert.deepEqual(amounts(plain), [
    ["carriage", 549],
    ["fuel", 44],
  ]);
  assert.equal(plain.net, 593);
  assert.equal(plain.tax, 113);
  assert.equal(plain.gross, 706);
  assert.deepEqual(plain.promise, { handover: "2025-03-10", due: "2025-03-12" });
});

test("several parcels are priced one by one", () => {
  const parcels = [
    { weight: 1400, sides: [300, 200, 100] },
    { weight: 7000, sides: [400, 300, 200] },
  ];
  const both = quote({ parcels });
  assert.equal(both.lines[0].label, "Standard, 2 parcels");
  assert.equal(both.lines[0].amount, 549 + 949);
});

test("an export carries customs papers and no VAT", () => {
  const abroad = quote({ address: BERGEN });
  assert.deepEqual(amounts(abroad), [
    ["carriage", 2949],
    ["fuel", 236],
    ["customs", 900],
  ]);
  assert.equal(abroad.gross, abroad.net);
});

test("a promotion comes off the whole net", () => {
  assert.deepEqual(amounts(quote({ promotion: "WELCOME" })), [
    ["carriage", 549],
    ["fuel", 44],
    ["promotion", -250],
  ]);
});

test("a promotion holds for the orders of its last day", () => {
  const late = quote({ placed: "2025-01-31 18:20", promotion: "WINTER10", address: BERGEN });
  assert.deepEqual(amounts(late).at(-1), ["promotion", -409]);
  assert.equal(late.net, 3676);
  assert.throws(
    () => quote({ placed: "2025-02-01 08:00", promotion: "WINTER10", address: BERGEN }),
    { name: "PromotionError", message: "Promotion WINTER10 ended on Fri 31 Jan 2025" },
  );
});

test("an unknown service or promotion is refused", () => {
  assert.throws(() => quote({ service: "pigeon" }), /There is no service "pigeon"/);
  assert.throws(() => quote({ promotion: "NOPE" }), /There is no promotion NOPE/);
});

test("a service without a price for the zone is refused", () => {
  assert.throws(
    () => quote({ service: "economy", address: BERGEN }),
    /No economy price for zone world/,
  );
});
