/** Counts the values in the lines of traced processes: the real values, and the types that are only named. */

export interface CountedValues {
  readonly calls: number;
  readonly values: { readonly real: number; readonly all: number };
  /** Of values that are only named, the types with how often. */
  readonly named: ReadonlyMap<string, number>;
}

export function countValues(texts: readonly string[]): CountedValues {
  let [calls, real, all] = [0, 0, 0];
  const named = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    all += 1;
    if ("t" in value) named.set(String(value.t), (named.get(String(value.t)) ?? 0) + 1);
    else real += 1;
  };
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    if (line.startsWith('{"k":"in"')) {
      calls += 1;
      for (const [, value] of parse(line).args ?? []) count(value);
    } else if (line.startsWith('{"k":"out"')) count(parse(line).value);
  }
  return { calls, values: { real, all }, named };
}

function parse(line: string): {
  readonly args?: readonly (readonly [string, unknown])[];
  readonly value?: unknown;
} {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // the last line of a process that was killed
  }
}
