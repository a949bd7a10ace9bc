import { promiseDelivery } from "./delivery.js";
import { findPromotion, promotionDiscount } from "./discounts.js";
import { TariffError } from "./errors.js";
import { sum } from "./money.js";
import { surcharges, total } from "./surcharges.js";
import { basePrice } from "./tariff.js";
import { taxation, taxOn } from "./tax.js";
import { zoneOf } from "./zones.js";

/**
 * What an order costs and when it arrives.
 *
 * @typedef {object} Quote
 * @property {import("./orders.js").Order} order
 * @property {import("./zones.js").Zone} zone
 * @property {import("./surcharges.js").Line[]} lines carriage, surcharges, discount
 * @property {number} net cents, the sum of the lines
 * @property {import("./tax.js").Taxation} taxation
 * @property {number} tax cents
 * @property {number} gross cents
 * @property {import("./delivery.js").DeliveryPromise} promise
 */

function carriageLine(catalogue, service, zone, parcels) {
  const prices = parcels.map((parcel) => basePrice(catalogue.tariff, service.id, zone.id, parcel));
  const count = parcels.length === 1 ? "" : `, ${parcels.length} parcels`;
  return { code: "carriage", label: `${service.name}${count}`, amount: sum(prices) };
}

function promotionLines(catalogue, order, net) {
  if (order.promotion === "") return [];
  const promotion = findPromotion(catalogue.promotions, order.promotion);
  const off = promotionDiscount(promotion, { day: order.placed.day, service: order.service, net });
  return [{ code: "promotion", label: `Promotion ${promotion.code}`, amount: -off }];
}

/**
 * Prices one order.
 *
 * @param {ReturnType<typeof import("./catalogue.js").loadCatalogue>} catalogue
 * @param {import("./orders.js").Order} order
 * @returns {Quote}
 */
export function quoteOrder(catalogue, order) {
  const { address, parcels, placed } = order;
  const service = catalogue.services[order.service];
  if (service === undefined) throw new TariffError(`There is no service "${order.service}"`);

  const zone = zoneOf(catalogue.zones, address);
  const carriage = carriageLine(catalogue, service, zone, parcels);
  const extras = surcharges(catalogue.surcharges, {
    day: placed.day,
    zone,
    address,
    parcels,
    base: carriage.amount,
  });
  const charged = [carriage, ...extras];
  const lines = [...charged, ...promotionLines(catalogue, order, total(charged))];

  const net = total(lines);
  const kind = taxation(catalogue.tax, zone, address, order.vatId);
  const tax = taxOn(net, kind);
  const promise = promiseDelivery(catalogue.calendar, service, zone.id, placed);
  return { order, zone, lines, net, taxation: kind, tax, gross: net + tax, promise };
}
