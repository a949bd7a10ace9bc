import { formatDay } from "./days.js";
import { PromotionError } from "./errors.js";
import { formatMoney, share } from "./money.js";
import { covers } from "./period.js";

/**
 * A code that customers quote to get something off.
 *
 * @typedef {object} Promotion
 * @property {string} code
 * @property {import("./period.js").Period} period
 * @property {number} [rate] basis points off
 * @property {number} [amount] cents off
 * @property {number} minimum cents that an order must reach
 * @property {string[]} [services] where it holds; everywhere if absent
 */

/**
 * Finds a promotion; customers type codes in any case.
 *
 * @param {Promotion[]} promotions
 * @param {string} code
 * @returns {Promotion}
 */
export function findPromotion(promotions, code) {
  const wanted = code.trim().toUpperCase();
  const promotion = promotions.find((entry) => entry.code === wanted);
  if (promotion === undefined) throw new PromotionError(`There is no promotion ${wanted}`);
  return promotion;
}

/**
 * Refuses a promotion that does not hold for an order, saying why.
 *
 * @param {Promotion} promotion
 * @param {{day: string, service: string, net: number}} order
 */
export function checkPromotion(promotion, { day, service, net }) {
  const { code, period, minimum, services } = promotion;
  if (!covers(period, day)) {
    const when =
      day < period.from
        ? `starts on ${formatDay(period.from)}`
        : `ended on ${formatDay(period.to)}`;
    throw new PromotionError(`Promotion ${code} ${when}`);
  }
  if (services !== undefined && !services.includes(service)) {
    throw new PromotionError(`Promotion ${code} does not hold for ${service}`);
  }
  if (net < minimum) {
    throw new PromotionError(`Promotion ${code} needs an order of ${formatMoney(minimum)} or more`);
  }
}

/**
 * What a promotion takes off an order; never more than the order costs.
 *
 * @param {Promotion} promotion
 * @param {{day: string, service: string, net: number}} order
 * @returns {number} cents, not negative
 */
export function promotionDiscount(promotion, order) {
  checkPromotion(promotion, order);
  const off = (promotion.amount ?? 0) + share(order.net, promotion.rate ?? 0);
  return Math.min(off, order.net);
}

/**
 * The rate that a customer's turnover on one invoice has earned.
 *
 * @param {{from: number, rate: number}[]} tiers cents and basis points, in any order
 * @param {number} turnover cents
 * @returns {number} basis points
 */
export function volumeRate(tiers, turnover) {
  const reached = tiers.filter((tier) => turnover >= tier.from);
  return Math.max(0, ...reached.map((tier) => tier.rate));
}
