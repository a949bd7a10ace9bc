/**
 * How postcodes are written, per country: a pattern on the compact form
 * (upper case, no spaces or hyphens), and how that form is printed.
 */
const FORMATS = {
  AT: { pattern: /^\d{4}$/ },
  BE: { pattern: /^\d{4}$/ },
  CH: { pattern: /^\d{4}$/ },
  CZ: { pattern: /^\d{5}$/, print: (code) => `${code.slice(0, 3)} ${code.slice(3)}` },
  DE: { pattern: /^\d{5}$/ },
  DK: { pattern: /^\d{4}$/ },
  ES: { pattern: /^\d{5}$/ },
  FR: { pattern: /^\d{5}$/ },
  GB: {
    pattern: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
    print: (code) => `${code.slice(0, -3)} ${code.slice(-3)}`,
  },
  IT: { pattern: /^\d{5}$/ },
  LU: { pattern: /^\d{4}$/ },
  NL: { pattern: /^[1-9]\d{3}[A-Z]{2}$/, print: (code) => `${code.slice(0, 4)} ${code.slice(4)}` },
  NO: { pattern: /^\d{4}$/ },
  PL: { pattern: /^\d{5}$/, print: (code) => `${code.slice(0, 2)}-${code.slice(2)}` },
  SE: { pattern: /^\d{5}$/, print: (code) => `${code.slice(0, 3)} ${code.slice(3)}` },
};

/** Whether parcels go to a country at all. */
export function isServed(country) {
  return Object.hasOwn(FORMATS, country);
}

/** The form in which postcodes are compared: no spaces, hyphens or small letters. */
export function compactPostcode(text) {
  return text.replace(/[\s-]/g, "").toUpperCase();
}

/**
 * Brings a postcode into the form that its country prints on a label.
 *
 * @param {string} country two letters, one that is served
 * @param {string} text
 * @returns {string | null} null where the country has no such postcode
 */
export function normalisePostcode(country, text) {
  const { pattern, print = (code) => code } = FORMATS[country];
  const compact = compactPostcode(text);
  return pattern.test(compact) ? print(compact) : null;
}
