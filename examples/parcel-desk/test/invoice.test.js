import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCatalogue } from "../src/catalogue.js";
import { makeInvoice, makeInvoices, renderInvoice } from "../src/invoice.js";

const CATALOGUE = loadCatalogue();
const HEAD = { number: "2025-001", day: "2025-03-31", customer: "Krug" };

const AT_HOME = { kind: "standard", rate: 1900 };
const EXPORT = { kind: "export", rate: 0, note: "Export, exempt from VAT" };

function quote(net, { customer = "Krug", taxation = AT_HOME, id = "7" } = {}) {
  const address = { name: "Lea", street: "Weg 4", postcode: "50667", city: "Köln", country: "DE" };
  const order = { id, customer, address, placed: { day: "2025-03-10", minutes: 555 } };
  return { order, net, taxation, lines: [{ code: "carriage", label: "Standard", amount: net }] };
}

test("a small invoice has no volume discount", () => {
  const invoice = makeInvoice(CATALOGUE, HEAD, [quote(5000), quote(4999)]);
  assert.equal(invoice.rate, 0);
  assert.equal(invoice.net, 9999);
  assert.equal(invoice.tax, 950 + 950);
});

test("the volume discount is split over the orders without losing a cent", () => {
  const invoice = makeInvoice(CATALOGUE, HEAD, [quote(3367), quote(3367), quote(3367)]);
  assert.deepEqual(
    invoice.positions.map(({ discount }) => discount),
    [68, 67, 67],
  );
  assert.equal(invoice.net, 10_101 - 202);
});

test("orders keep their own taxation", () => {
  const invoice = makeInvoice(CATALOGUE, HEAD, [quote(1000), quote(1000, { taxation: EXPORT })]);
  assert.equal(invoice.tax, 190);
  assert.equal(invoice.gross, 2190);
});

test("each customer gets an invoice, numbered in order", () => {
  const invoices = makeInvoices(CATALOGUE, { prefix: "A", day: "2025-03-31" }, [
    quote(100),
    quote(200, { customer: "Brandt" }),
    quote(300),
  ]);
  assert.deepEqual(
    invoices.map(({ number, customer, net }) => [number, customer, net]),
    [
      ["A-001", "Krug", 400],
      ["A-002", "Brandt", 200],
    ],
  );
});

test("an invoice prints", () => {
  const invoice = makeInvoice(CATALOGUE, HEAD, [quote(12_000, { taxation: EXPORT })]);
  assert.equal(
    renderInvoice(CATALOGUE, invoice),
    `Parcel Desk Hafenstadt
Am Kai 12
26122 Hafenstadt

Invoice 2025-001                         Mon 31 Mar 2025
Customer Krug
--------------------------------------------------------
Order 7 of Mon 10 Mar 2025
  to Lea, Weg 4, 50667 Köln
  Standard                                        120.00
  Volume discount                                  -2.40
--------------------------------------------------------
Net                                               117.60
VAT                                                 0.00
Total EUR                                         117.60
Export, exempt from VAT
`,
  );
});
