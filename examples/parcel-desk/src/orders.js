import { normaliseAddress } from "./address.js";
import { parseCsv } from "./csv.js";
import { parseMoment } from "./days.js";
import { DeskError, OrderError } from "./errors.js";
import { checkParcel } from "./parcel.js";
import { parseSize, parseWeight } from "./units.js";

/**
 * @typedef {object} Order
 * @property {string} id
 * @property {{day: string, minutes: number}} placed
 * @property {string} customer
 * @property {string} vatId empty for a private person
 * @property {import("./address.js").Address} address
 * @property {string} service
 * @property {string} promotion a code, empty for none
 * @property {import("./parcel.js").Parcel[]} parcels
 */

const REQUIRED = [
  "order",
  "placed",
  "customer",
  "name",
  "street",
  "postcode",
  "city",
  "country",
  "service",
  "weight",
  "size",
];

/** What every row of one order must agree on. */
const SHARED = ["placed", "customer", "postcode", "country", "service"];

function requireColumns(values) {
  const missing = REQUIRED.filter((column) => !(column in values));
  if (missing.length > 0) {
    throw new OrderError(`The order file has no column ${missing.join(", ")}`);
  }
}

function toParcel(values) {
  return checkParcel({ weight: parseWeight(values.weight), sides: parseSize(values.size) });
}

function toOrder(values) {
  return {
    id: values.order,
    placed: parseMoment(values.placed),
    customer: values.customer,
    vatId: values.vat_id ?? "",
    address: normaliseAddress(values),
    service: values.service.toLowerCase(),
    promotion: (values.promotion ?? "").toUpperCase(),
    parcels: [],
  };
}

function requireAgreement(first, values) {
  for (const column of SHARED) {
    if (first[column] !== values[column]) {
      throw new OrderError(`order ${values.order} has two values for ${column}`);
    }
  }
}

/** Runs `read`, and names the line in whatever it complains about. */
function onLine(line, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof DeskError) throw new OrderError(error.message, line);
    throw error;
  }
}

/**
 * Reads an order file: one row per parcel; rows with the same number belong
 * to one order.
 *
 * @param {string} text comma-separated, with a header
 * @returns {Order[]} in the order of the file
 */
export function parseOrders(text) {
  const rows = parseCsv(text);
  if (rows.length > 0) requireColumns(rows[0].values);

  const found = new Map();
  for (const { line, values } of rows) {
    onLine(line, () => {
      if (values.order === "") throw new OrderError("the order has no number");
      const known = found.get(values.order);
      if (known !== undefined) requireAgreement(known.values, values);
      const order = known?.order ?? toOrder(values);
      order.parcels.push(toParcel(values));
      found.set(values.order, known ?? { values, order });
    });
  }
  return [...found.values()].map(({ order }) => order);
}
