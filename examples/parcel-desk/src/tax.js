import { share } from "./money.js";

/**
 * How an order is taxed.
 *
 * @typedef {object} Taxation
 * @property {"standard" | "reverse-charge" | "export"} kind
 * @property {number} rate basis points
 * @property {string} [note] what the invoice must say
 */

/** Letters of the country, then eight to twelve letters and digits. */
const VAT_ID = /^([A-Z]{2})[A-Z0-9]{8,12}$/;

/** Whether a VAT number has the right form and belongs to a country. */
export function isVatId(text, country) {
  const match = VAT_ID.exec(text.replace(/\s/g, "").toUpperCase());
  return match !== null && match[1] === country;
}

/**
 * Decides how an order is taxed.
 *
 * - out of the customs union: export, no tax;
 * - to a business in another member state, with its VAT number: the receiver
 *   pays the tax;
 * - everything else: the rate at home.
 *
 * @param {{home: string, rate: number}} rules
 * @param {{customs: boolean}} zone
 * @param {{country: string}} address
 * @param {string} vatId empty for a private person
 * @returns {Taxation}
 */
export function taxation(rules, zone, address, vatId) {
  if (zone.customs) {
    return { kind: "export", rate: 0, note: "Export, exempt from VAT" };
  }
  if (address.country !== rules.home && isVatId(vatId, address.country)) {
    return { kind: "reverse-charge", rate: 0, note: `Reverse charge, VAT number ${vatId}` };
  }
  return { kind: "standard", rate: rules.rate };
}

/** The tax on a net amount, in cents. */
export function taxOn(net, { rate }) {
  return share(net, rate);
}
