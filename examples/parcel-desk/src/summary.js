import { formatMoney, sum } from "./money.js";
import { chargeableWeight } from "./parcel.js";
import { renderTable } from "./table.js";
import { formatWeight } from "./units.js";

/**
 * Turnover of one service in one zone.
 *
 * @typedef {object} Row
 * @property {string} zone label
 * @property {string} service
 * @property {number} orders
 * @property {number} parcels
 * @property {number} weight chargeable grams
 * @property {number} net cents
 */

/**
 * Adds up quotes by zone and service.
 *
 * @param {import("./quote.js").Quote[]} quotes
 * @returns {Row[]} highest turnover first
 */
export function summarise(quotes) {
  const rows = new Map();
  for (const { order, zone, net } of quotes) {
    const key = `${zone.id}/${order.service}`;
    const row = rows.get(key) ?? {
      zone: zone.label,
      service: order.service,
      orders: 0,
      parcels: 0,
      weight: 0,
      net: 0,
    };
    row.orders += 1;
    row.parcels += order.parcels.length;
    row.weight += sum(order.parcels.map(chargeableWeight));
    row.net += net;
    rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => b.net - a.net);
}

const COLUMNS = [
  { title: "Zone" },
  { title: "Service" },
  { title: "Orders", align: "right" },
  { title: "Parcels", align: "right" },
  { title: "Weight", align: "right" },
  { title: "Net", align: "right" },
];

/** Prints the rows with a line that adds them up. */
export function renderSummary(rows) {
  const whole = (field) => sum(rows.map((row) => row[field]));
  const cells = ({ zone, service, orders, parcels, weight, net }) => [
    zone,
    service,
    String(orders),
    String(parcels),
    formatWeight(weight),
    formatMoney(net),
  ];
  const last = {
    zone: "All",
    service: "",
    orders: whole("orders"),
    parcels: whole("parcels"),
    weight: whole("weight"),
    net: whole("net"),
  };
  return renderTable(COLUMNS, [...rows, last].map(cells));
}
