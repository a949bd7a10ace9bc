import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOrders } from "../src/orders.js";

const HEADER =
  "order,placed,customer,vat_id,name,street,postcode,city,country,service,weight,size,promotion";

const file = (...rows) => [HEADER, ...rows].join("\n");

const row = (changes) =>
  Object.values({
    order: "7",
    placed: "2025-03-10 09:15",
    customer: "Krug",
    vat_id: "",
    name: "Lea Sommer",
    street: "Lindenweg 4",
    postcode: "50667",
    city: "Kiel",
    country: "DE",
    service: "Standard",
    weight: "1.4 kg",
    size: "30x20x10 cm",
    promotion: "",
    ...changes,
  }).join(",");

test("a row becomes an order", () => {
  const [order] = parseOrders(file(row({ promotion: "welcome" })));
  assert.equal(order.id, "7");
  assert.deepEqual(order.placed, { day: "2025-03-10", minutes: 555 });
  assert.equal(order.service, "standard");
  assert.equal(order.promotion, "WELCOME");
  assert.deepEqual(order.parcels, [{ weight: 1400, sides: [300, 200, 100] }]);
});

test("rows with one number become parcels of one order", () => {
  const orders = parseOrders(file(row({}), row({ order: "8" }), row({ weight: "300 g" })));
  assert.deepEqual(
    orders.map(({ id, parcels }) => [id, parcels.map(({ weight }) => weight)]),
    [
      ["7", [1400, 300]],
      ["8", [1400]],
    ],
  );
});

test("rows of one order must agree", () => {
  assert.throws(
    () => parseOrders(file(row({}), row({ service: "express" }))),
    /line 3: order 7 has two values for service/,
  );
});

test("an error names its line", () => {
  assert.throws(() => parseOrders(file(row({}), row({ order: "8", weight: "much" }))), {
    name: "OrderError",
    message: 'line 3: "much" is not a weight',
    line: 3,
  });
  assert.throws(() => parseOrders(file(row({ order: "" }))), /line 2: the order has no number/);
});

test("a missing column is named", () => {
  assert.throws(
    () => parseOrders("order,placed\n7,2025-03-10 09:15\n"),
    /no column customer, name/,
  );
});

test("an empty file has no orders", () => {
  assert.deepEqual(parseOrders(""), []);
  assert.deepEqual(parseOrders(`${HEADER}\n`), []);
});
