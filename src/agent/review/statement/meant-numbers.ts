/** Knows the numbers that words of a statement mean: "seven", "weeks", "leap years", "percent". Pure. */

const counted =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
const tens = "thirty forty fifty sixty seventy eighty ninety";

/** In the singular. Code about these things computes with these numbers. */
const meant: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(counted.split(" ").map((word, at) => [word, [at]])),
  ...Object.fromEntries(tens.split(" ").map((word, at) => [word, [30 + 10 * at]])),
  ...{
    dozen: [12],
    hundred: [100],
    thousand: [1000],
    million: [1_000_000],
    half: [0.5],
    quarter: [0.25, 3, 4],
  },
  ...{ millisecond: [1000], second: [60, 1000, 3600], minute: [60, 3600], hour: [24, 60, 3600] },
  ...{ day: [24, 86_400], week: [7, 52], weekday: [5, 6, 7], weekend: [5, 6, 7] },
  ...{
    month: [12, 28, 29, 30, 31],
    february: [28, 29],
    year: [12, 52, 365, 366],
    leap: [4, 29, 100, 366, 400],
  },
  ...{ noon: [12], midnight: [12, 24], century: [100], decade: [10] },
  ...{ percent: [100], percentage: [100], degree: [90, 180, 360], angle: [90, 180, 360] },
  ...{ bit: [8, 16, 32, 64], byte: [8, 255, 256, 1024], kilobyte: [1000, 1024], megabyte: [1000, 1024] },
  ...{
    ascii: [127, 128],
    octal: [8],
    hex: [16],
    hexadecimal: [16],
    decimal: [10],
    alphabet: [26],
    letter: [26],
  },
  ...{ roman: [4, 5, 9, 10, 40, 50, 90, 100, 400, 500, 900, 1000], isbn: [10, 11, 13], port: [65_535] },
};

/** True if a word of the text means the number. */
export function isMeant(number: number, text: string): boolean {
  return Object.entries(meant).some(
    ([word, numbers]) => numbers.includes(number) && new RegExp(`\\b${word}(?:e?s)?\\b`, "i").test(text),
  );
}
