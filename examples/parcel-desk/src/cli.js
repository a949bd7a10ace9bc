import { parseArgs } from "node:util";
import { reasonOff } from "./calendar.js";
import { loadCatalogue } from "./catalogue.js";
import { formatDay, parseDay, parseMoment } from "./days.js";
import { formatPromise, promiseDelivery } from "./delivery.js";
import { DeskError } from "./errors.js";
import { makeInvoices, renderInvoice } from "./invoice.js";
import { formatMoney } from "./money.js";
import { parseOrders } from "./orders.js";
import { checkParcel } from "./parcel.js";
import { quoteOrder } from "./quote.js";
import { renderSummary, summarise } from "./summary.js";
import { renderTable } from "./table.js";
import { offers } from "./tariff.js";
import { parseSize, parseWeight } from "./units.js";
import { zoneOf } from "./zones.js";

const USAGE = `Usage:
  parcel-desk quote FILE              price the orders of a file
  parcel-desk invoice FILE --day DAY  print an invoice per customer
  parcel-desk summary FILE            turnover by zone and service
  parcel-desk promise SERVICE ZONE "DAY TIME"
                                      when a parcel would arrive
  parcel-desk offers COUNTRY WEIGHT SIZE
                                      what each service would charge, before
                                      surcharges
  parcel-desk open DAY                whether the depot works on a day

Options:
  --json       print quotes as JSON
  --prefix P   start of the invoice numbers (default: the year of the day)
  --help       this text
`;

const OPTIONS = {
  day: { type: "string" },
  json: { type: "boolean", default: false },
  prefix: { type: "string" },
  help: { type: "boolean", default: false },
};

const QUOTE_COLUMNS = [
  { title: "Order" },
  { title: "Customer" },
  { title: "Zone" },
  { title: "Service" },
  { title: "Net", align: "right" },
  { title: "VAT", align: "right" },
  { title: "Total", align: "right" },
  { title: "Arrives by" },
];

/** A call that does not fit the usage. */
class UsageError extends Error {}

function required(value, what) {
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

function quotesIn(catalogue, io, file) {
  return parseOrders(io.read(required(file, "FILE"))).map((order) => quoteOrder(catalogue, order));
}

function quoteRow({ order, zone, net, tax, gross, promise }) {
  return [
    order.id,
    order.customer,
    zone.label,
    order.service,
    formatMoney(net),
    formatMoney(tax),
    formatMoney(gross),
    formatDay(promise.due),
  ];
}

function quoteJson({ order, zone, lines, net, tax, gross, promise }) {
  return { order: order.id, zone: zone.id, lines, net, tax, gross, promise };
}

const COMMANDS = {
  quote(catalogue, io, [file], { json }) {
    const quotes = quotesIn(catalogue, io, file);
    if (json) return `${JSON.stringify(quotes.map(quoteJson), null, 2)}\n`;
    return renderTable(QUOTE_COLUMNS, quotes.map(quoteRow));
  },

  invoice(catalogue, io, [file], options) {
    const day = parseDay(required(options.day, "--day"));
    const prefix = options.prefix ?? day.slice(0, 4);
    const invoices = makeInvoices(catalogue, { prefix, day }, quotesIn(catalogue, io, file));
    return invoices.map((invoice) => renderInvoice(catalogue, invoice)).join("\n");
  },

  summary(catalogue, io, [file]) {
    return renderSummary(summarise(quotesIn(catalogue, io, file)));
  },

  promise(catalogue, _io, [id, zone, moment]) {
    const service = catalogue.services[required(id, "SERVICE")];
    if (service === undefined) throw new UsageError(`there is no service "${id}"`);
    const placed = parseMoment(required(moment, "DAY TIME"));
    const promise = promiseDelivery(catalogue.calendar, service, zone, placed);
    return `${formatPromise(promise)}\n`;
  },

  offers(catalogue, _io, [country, weight, size]) {
    const zone = zoneOf(catalogue.zones, { country: required(country, "COUNTRY").toUpperCase() });
    const parcel = checkParcel({
      weight: parseWeight(required(weight, "WEIGHT")),
      sides: parseSize(required(size, "SIZE")),
    });
    const found = offers(catalogue.tariff, zone.id, parcel);
    const rows = found.map(({ service, price }) => [service, formatMoney(price)]);
    return renderTable([{ title: "Service" }, { title: "Price", align: "right" }], rows);
  },

  open(catalogue, _io, [text]) {
    const day = parseDay(required(text, "DAY"));
    const reason = reasonOff(catalogue.calendar, day);
    return `${formatDay(day)}: ${reason === null ? "open" : `closed, ${reason}`}\n`;
  },
};

function run(argv, io) {
  const { values, positionals } = parseArgs({
    args: argv,
    options: OPTIONS,
    allowPositionals: true,
  });
  const [name, ...rest] = positionals;
  if (values.help) return USAGE;
  if (!Object.hasOwn(COMMANDS, required(name, "a command"))) {
    throw new UsageError(`there is no command "${name}"`);
  }
  return COMMANDS[name](loadCatalogue(), io, rest, values);
}

/**
 * Runs one command.
 *
 * @param {string[]} argv what follows the program's name
 * @param {{read: (path: string) => string, out: (text: string) => void, err: (text: string) => void}} io
 * @returns {number} exit code: 0 done, 1 refused, 2 wrong usage
 */
export function main(argv, io) {
  try {
    io.out(run(argv, io));
    return 0;
  } catch (error) {
    if (error instanceof DeskError || error.code === "ENOENT") {
      io.err(`parcel-desk: ${error.message}\n`);
      return 1;
    }
    if (error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS")) {
      io.err(`parcel-desk: ${error.message}\n\n${USAGE}`);
      return 2;
    }
    throw error;
  }
}
