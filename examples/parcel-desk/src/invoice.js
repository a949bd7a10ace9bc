import { labelLines } from "./address.js";
import { formatDay } from "./days.js";
import { volumeRate } from "./discounts.js";
import { allocate, formatMoney, share, sum } from "./money.js";
import { leader } from "./table.js";
import { taxOn } from "./tax.js";

const WIDTH = 56;
const RULE = "-".repeat(WIDTH);

/**
 * One order on an invoice, after the customer's volume discount.
 *
 * @typedef {object} Position
 * @property {import("./quote.js").Quote} quote
 * @property {number} discount cents off this order
 * @property {number} net
 * @property {number} tax
 */

/**
 * @typedef {object} Invoice
 * @property {string} number
 * @property {string} customer
 * @property {string} day
 * @property {number} rate of the volume discount, basis points
 * @property {Position[]} positions
 * @property {number} net
 * @property {number} tax
 * @property {number} gross
 */

/**
 * Bills the quotes of one customer together. The volume discount is worked
 * out on the whole and then split, because orders may be taxed differently.
 *
 * @param {object} catalogue
 * @param {{number: string, day: string, customer: string}} head
 * @param {import("./quote.js").Quote[]} quotes at least one
 * @returns {Invoice}
 */
export function makeInvoice(catalogue, head, quotes) {
  const nets = quotes.map(({ net }) => net);
  const turnover = sum(nets);
  const rate = volumeRate(catalogue.volume, turnover);
  const shares = rate === 0 ? nets.map(() => 0) : allocate(share(turnover, rate), nets);

  const positions = quotes.map((quote, index) => {
    const net = quote.net - shares[index];
    return { quote, discount: shares[index], net, tax: taxOn(net, quote.taxation) };
  });
  const net = sum(positions.map((position) => position.net));
  const tax = sum(positions.map((position) => position.tax));
  return { ...head, rate, positions, net, tax, gross: net + tax };
}

/**
 * Gathers quotes by customer and bills each, with numbers that count up.
 *
 * @param {object} catalogue
 * @param {{prefix: string, day: string}} head
 * @param {import("./quote.js").Quote[]} quotes
 * @returns {Invoice[]} in the order in which customers first appear
 */
export function makeInvoices(catalogue, { prefix, day }, quotes) {
  const byCustomer = new Map();
  for (const quote of quotes) {
    const { customer } = quote.order;
    byCustomer.set(customer, [...(byCustomer.get(customer) ?? []), quote]);
  }
  return [...byCustomer].map(([customer, theirs], index) => {
    const number = `${prefix}-${String(index + 1).padStart(3, "0")}`;
    return makeInvoice(catalogue, { number, day, customer }, theirs);
  });
}

function positionLines({ quote, discount }, home) {
  const { order, lines } = quote;
  const receiver = labelLines(order.address, home).join(", ");
  const amount = (label, cents) => leader(`  ${label}`, formatMoney(cents), WIDTH);
  return [
    `Order ${order.id} of ${formatDay(order.placed.day)}`,
    `  to ${receiver}`,
    ...lines.map((line) => amount(line.label, line.amount)),
    ...(discount === 0 ? [] : [amount("Volume discount", -discount)]),
  ];
}

/**
 * Prints an invoice.
 *
 * @param {object} catalogue
 * @param {Invoice} invoice
 * @returns {string} lines, each ended by a line break
 */
export function renderInvoice(catalogue, invoice) {
  const { sender, tax } = catalogue;
  const notes = new Set(invoice.positions.map(({ quote }) => quote.taxation.note));
  notes.delete(undefined);
  const lines = [
    ...labelLines(sender, tax.home),
    "",
    leader(`Invoice ${invoice.number}`, formatDay(invoice.day), WIDTH),
    `Customer ${invoice.customer}`,
    RULE,
    ...invoice.positions.flatMap((position) => positionLines(position, tax.home)),
    RULE,
    leader("Net", formatMoney(invoice.net), WIDTH),
    leader("VAT", formatMoney(invoice.tax), WIDTH),
    leader("Total EUR", formatMoney(invoice.gross), WIDTH),
    ...notes,
  ];
  return `${lines.join("\n")}\n`;
}
