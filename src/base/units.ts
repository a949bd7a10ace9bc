/** Parses and formats durations and sizes as people write them. */

const durationUnits: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnits: Record<string, number> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/**
 * Parses `90s`, `30m`, `1h30m`, `250ms` or a plain number of seconds, and returns milliseconds; undefined for other
 * texts.
 */
export function parseDuration(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (durationUnits[unit ?? ""] ?? 0), 0);
}

/** Parses `512m`, `4g`, `4GiB` or a plain number of bytes, and returns bytes; undefined for other texts. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?$/i.exec(text);
  const factor = sizeUnits[match?.[2]?.toLowerCase() ?? ""];
  return match === null || factor === undefined ? undefined : Math.round(Number(match[1]) * factor);
}

/** Renders milliseconds, as in `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Renders bytes, as in `1.5 GiB`. */
export function formatSize(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Removes sizes in the form of `formatSize` from a text, so that two messages about the same problem are equal. */
export function withoutSizes(text: string): string {
  return text.replaceAll(/\b[\d.]+ (?:[KMGT]i)?B\b/g, "");
}
