import assert from "node:assert/strict";
import { test } from "node:test";
import { main } from "../src/cli.js";

const HEADER =
  "order,placed,customer,name,street,postcode,city,country,service,weight,size,promotion";

/** Runs the command line on an order file that exists in memory alone. */
function desk(argv, ...rows) {
  const printed = { out: "", err: "" };
  const code = main(argv, {
    read: () => [HEADER, ...rows].join("\n"),
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
  });
  return { code, ...printed };
}

const row = (id, placed, promotion = "") =>
  `${id},${placed},Krug,Lea Sommer,Lindenweg 4,50667,Kiel,DE,standard,1.4 kg,30x20x10 cm,${promotion}`;

test("quote prints a table", () => {
  const { code, out } = desk(["quote", "orders.csv"], row("7", "2025-03-10 09:15"));
  assert.equal(code, 0);
  assert.equal(
    out,
    `Order  Customer  Zone  Service    Net   VAT  Total  Arrives by
-----  --------  ----  --------  ----  ----  -----  ---------------
7      Krug      Home  standard  5.93  1.13   7.06  Wed 12 Mar 2025
`,
  );
});

test("quote charges the peak season to the eve of the winter break", () => {
  const { out } = desk(
    ["quote", "orders.csv", "--json"],
    row("7", "2025-11-21 09:15"),
    row("8", "2025-12-22 09:15"),
    row("9", "2025-12-23 09:15"),
  );
  assert.deepEqual(
    JSON.parse(out).map(({ order, net }) => [order, net]),
    [
      ["7", 601],
      ["8", 721],
      ["9", 721],
    ],
  );
});

test("invoice prints one invoice per customer", () => {
  const { code, out } = desk(
    ["invoice", "orders.csv", "--day", "2025-03-31"],
    row("7", "2025-03-10 09:15"),
    row("8", "2025-03-11 09:15").replace("Krug", "Brandt"),
  );
  assert.equal(code, 0);
  assert.deepEqual(out.match(/Invoice \S+/g), ["Invoice 2025-001", "Invoice 2025-002"]);
});

test("summary adds up a file", () => {
  const { out } = desk(
    ["summary", "orders.csv"],
    row("7", "2025-03-10 09:15"),
    row("8", "2025-03-10 09:15"),
  );
  assert.match(out, /^All +2 +2 +2\.8 kg +11\.86$/m);
});

test("promise tells when a parcel arrives", () => {
  const { out } = desk(["promise", "express", "home", "2025-03-14 17:31"]);
  assert.equal(out, "leaves Mon 17 Mar 2025, arrives by Tue 18 Mar 2025\n");
});

test("offers lists what each service would charge", () => {
  const { out } = desk(["offers", "no", "1.4 kg", "30x20x10 cm"]);
  assert.equal(out, "Service   Price\n--------  -----\nstandard  29.49\nexpress   54.90\n");
});

test("open tells why the depot is closed", () => {
  assert.equal(desk(["open", "2025-03-14"]).out, "Fri 14 Mar 2025: open\n");
  assert.equal(desk(["open", "2025-05-01"]).out, "Thu 1 May 2025: closed, Labour Day\n");
});

test("a refused order ends with 1 and its reason", () => {
  const { code, out, err } = desk(["quote", "orders.csv"], row("7", "2025-03-10 09:15", "NOPE"));
  assert.equal(code, 1);
  assert.equal(out, "");
  assert.equal(err, "parcel-desk: There is no promotion NOPE\n");
});

test("wrong usage ends with 2 and the usage", () => {
  for (const argv of [[], ["fly"], ["quote"], ["invoice", "orders.csv"], ["quote", "--fast"]]) {
    const { code, err } = desk(argv);
    assert.equal(code, 2);
    assert.match(err, /Usage:/);
  }
});

test("help is not an error", () => {
  const { code, out } = desk(["--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage:/);
});
