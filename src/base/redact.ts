/**
 * The one place that knows what must not be written: keys of the user's environment by their value, and anybody's by their form.
 * Whatever leaves the process as a log, an event, a recording, a report or an error goes through here.
 */

import { mapStrings } from "./map-strings.ts";

export interface Redactor {
  /** The text with each secret replaced by `[redacted]`. Applying it twice changes nothing more. */
  text(text: string): string;
  /** The same for every string of JSON data, keys of objects included. */
  data<T>(data: T): T;
  /** The user's own keys alone, and no plain words among them: for what must stay what it is, such as a patch or a test's name. */
  known(text: string): string;
}

/** Stands where a secret stood. */
export const redactedMark = "[redacted]";

/** Variables whose values are secrets. `KEY` alone is: `MONKEY` is not. */
const secretName = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)($|_)/i;
/** Shorter values are words that would tear holes into every text. */
const leastLength = 8;
/** A password such as `postgres` is in names of files and tests too, which have to stay what they are. */
const plainWord = /^[A-Za-z]{1,15}$/;

/** Forms of keys that are told from other text with certainty. What may be repeated is bounded: texts may be hostile. */
const forms: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g, // OpenAI, Anthropic, OpenRouter and many others
  /\bAIza[A-Za-z0-9_-]{30,}/g, // Google
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, // AWS
  /\bxox[abposr]-[A-Za-z0-9-]{10,}/g, // Slack
  /\bhf_[A-Za-z0-9]{20,}/g, // Hugging Face
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, // JSON web tokens
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
];

/** Names that lead to nobody (RFC 2606, RFC 6761), and this machine. */
const nobody =
  "(?:[\\w-]{1,63}\\.){0,9}(?:example(?:\\.(?:com|net|org))?|test|invalid|localhost)(?![\\w.-])|127\\.\\d";
/**
 * The password of an address. One that every documentation has and one for nobody's host stay: tests are full of them, and whoever
 * mends how addresses are read has to see what became of theirs.
 */
const ofAddress = new RegExp(
  `(://[^\\s/:@]{0,200}:)(?!(?:pass|password|passwd|pw|secret)@)[^\\s/@]{1,500}(?=@(?!${nobody}))`,
  "gi",
);

/** Secrets that are told by what stands before them, which stays. */
const placed: readonly RegExp[] = [
  /(\bauthorization["']?\s{0,9}[:=]\s{0,9}["']?(?:(?:bearer|basic|token)\s{1,9})?)(?!(?:bearer|basic|token)\s)[A-Za-z0-9._~+/=-]{8,}/gi,
  /(\bbearer\s{1,9})[A-Za-z0-9._~+/=-]{16,}/gi,
  /(\bx-(?:api|goog-api)-key["']?\s{0,9}[:=]\s{0,9}["']?)[A-Za-z0-9._~+/=-]{8,}/gi,
  ofAddress,
];

export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = [
    ...new Set(secrets.filter((secret) => secret.length >= leastLength).flatMap(spellings)),
  ].sort((a, b) => b.length - a.length);
  const unlikely = known.filter((secret) => !plainWord.test(secret));
  const without = (original: string, those: readonly string[]): string => {
    let clean = original;
    for (const secret of those) if (clean.includes(secret)) clean = clean.replaceAll(secret, redactedMark);
    return clean;
  };
  const text = (original: string): string => {
    let clean = without(original, known);
    for (const form of forms) clean = clean.replace(form, redactedMark);
    for (const form of placed) clean = clean.replace(form, `$1${redactedMark}`);
    return clean;
  };
  return {
    text,
    data: (data) => mapStrings(data, text),
    known: (original) => without(original, unlikely),
  };
}

/** The values of an environment that are secrets by their variable's name. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) ? [value.trim()] : [],
  );
}

/** As it is, and as it looks in JSON, in an address, and in a header of basic authentication. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64];
}
