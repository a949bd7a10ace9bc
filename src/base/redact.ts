/**
 * Replaces secrets in texts. Recognises the user's own keys by their values, and other keys by their form. Every log,
 * event, recording, report or error that leaves the process passes through this module.
 */

import { mapStrings } from "./map-strings.ts";

export interface Redactor {
  /** Replaces each secret with `[redacted]`. A second application changes nothing. */
  text(text: string): string;
  /** Replaces secrets in every string of JSON data, including the keys of objects. */
  data<T>(data: T): T;
  /**
   * Replaces only the user's own keys, except keys that are plain words. For texts that must otherwise stay unchanged,
   * such as a patch or a test's name.
   */
  known(text: string): string;
}

/** The text that replaces a secret. */
export const redactedMark = "[redacted]";

/**
 * Names of variables whose values are secrets. Short words count only as words of their own: `MONKEY`, `PATH` and `PWD`
 * (the current folder) do not match. Longer ones also count at the end of a word: `PGPASSWORD`, `npm_config__authToken`.
 */
const secretName =
  /(?:^|_)(?:KEY|CREDENTIAL|CRED|AUTH)S?(?:$|_)|_(?:PASS|PWD|PAT|DSN)(?:$|_)|(?:API_?KEY|PRIVATE_?KEY|SECRET_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)S?(?:$|_)/i;
/**
 * Minimum length of a secret, in characters. Shorter values are common words: replacing them would damage every text.
 */
const leastLength = 8;
/** A password such as `postgres` also occurs in names of files and tests, which must not change. */
const plainWord = /^[A-Za-z]{1,15}$/;

/** Forms of keys that cannot be mistaken for other text. Repetitions are bounded, because texts may be hostile. */
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

/** Host names that are reserved (RFC 2606, RFC 6761), and this machine. */
const nobody =
  "(?:[\\w-]{1,63}\\.){0,9}(?:example(?:\\.(?:com|net|org))?|test|invalid|localhost)(?![\\w.-])|127\\.\\d";
/**
 * The password of a URL. Excludes common examples of documentation, and passwords for reserved hosts: tests are full of
 * them, and fixing a URL parser requires seeing them.
 */
const ofAddress = new RegExp(
  `(://[^\\s/:@]{0,200}:)(?!(?:pass|password|passwd|pw|secret)@)[^\\s/@]{1,500}(?=@(?!${nobody}))`,
  "gi",
);

/** Secrets recognised by the text before them. Redaction keeps this text. */
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

/** Returns the values of the environment variables whose names mark a secret, such as `OPENAI_API_KEY`. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) ? [value.trim()] : [],
  );
}

/** Returns the secret itself, and its forms in JSON, in a URL, in hexadecimal digits, and in base64 within any text. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
    ...[hex, hex.toUpperCase(), bytes.toString("base64").replace(/=+$/, "")],
    ...[0, 1, 2].flatMap((offset) => [within(bytes, "base64", offset), within(bytes, "base64url", offset)]),
  ];
}

/** Returns the characters that the bytes alone decide if `offset` bytes of another text come before them. */
function within(bytes: Buffer, form: "base64" | "base64url", offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString(form);
  const first = Math.ceil((offset * 8) / 6);
  return text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6));
}
