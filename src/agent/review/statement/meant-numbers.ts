/** Defines the numbers that words of a statement mean: "seven", "weeks", "leap years", "percent". Pure. */

const numeralRows = `
zero 0; one 1; two 2; three 3; four 4; five 5; six 6; seven 7; eight 8; nine 9; ten 10; eleven 11; twelve 12
thirteen 13; fourteen 14; fifteen 15; sixteen 16; seventeen 17; eighteen 18; nineteen 19; twenty 20; thirty 30
forty 40; fifty 50; sixty 60; seventy 70; eighty 80; ninety 90; dozen 12; hundred 100; thousand 1000; million 1000000
`;

/** Each row: a word in the singular, and the numbers with which code about it computes. */
const unitRows = `
half 0.5; quarter 0.25 3 4; percent 100; percentage 100; degree 90 180 360; angle 90 180 360
millisecond 1000; second 60 1000 3600; minute 60 3600; hour 24 60 3600; noon 12; midnight 12 24
day 24 86400; week 7 52; weekday 5 6 7; weekend 5 6 7; month 12 28 29 30 31; february 28 29
year 12 52 365 366; leap 4 29 100 366 400; decade 10; century 100
bit 8 16 32 64; byte 8 255 256 1024; kilobyte 1000 1024; megabyte 1000 1024; ascii 127 128
octal 8; decimal 10; hex 16; hexadecimal 16; alphabet 26; letter 26; port 65535; isbn 10 11 13
roman 4 5 9 10 40 50 90 100 400 500 900 1000
`;

const [numerals, units] = [numeralRows, unitRows].map((rows) =>
  rows
    .split(/[;\n]/)
    .map((row) => row.trim().split(" "))
    .map(([word = "", ...numbers]) => ({ word, numbers: numbers.map(Number) })),
);

/** True if a word of the text means the number. "The second" is a position, not a unit. */
export function isMeant(number: number, text: string): boolean {
  return [...(numerals ?? []), ...(units ?? [])].some(
    ({ word, numbers }) =>
      numbers.includes(number) &&
      new RegExp(`\\b(?<!\\bthe\\s(?=second\\b))${word}(?:e?s)?\\b`, "i").test(text),
  );
}

/** Returns the ways to write a number: its digits, and its numeral. */
export function numeralsOf(number: number): string[] {
  const words = (numerals ?? []).flatMap(({ word, numbers }) => (numbers.includes(number) ? [word] : []));
  return [String(number).replace(".", "\\."), ...words];
}
