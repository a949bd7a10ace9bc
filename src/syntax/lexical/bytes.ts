/** The bytes that the scanner recognises, and the kind of each byte. The kind shows which token the byte can begin. */

function byteOf(character: string): number {
  return character.charCodeAt(0);
}

export const newline = byteOf("\n");
export const backslash = byteOf("\\");
export const quote = byteOf('"');
export const tick = byteOf("'");
export const back = byteOf("`");
export const slash = byteOf("/");
export const star = byteOf("*");
export const hash = byteOf("#");
export const dash = byteOf("-");
export const dot = byteOf(".");
export const at64 = byteOf("@");
export const dollar = byteOf("$");
export const equals = byteOf("=");
export const openBrace = byteOf("{");
export const closeBrace = byteOf("}");
export const openSquare = byteOf("[");
export const closeSquare = byteOf("]");
export const openRound = byteOf("(");
export const closeRound = byteOf(")");
/** The letters of string prefixes, as bytes: `b"…"`, `r"…"`, `R"(…)"`. */
export const letterB = byteOf("b");
export const letterR = byteOf("r");
export const capitalR = byteOf("R");
/** The last byte of ASCII. Bytes above it belong to multi-byte characters. */
export const lastOfAscii = 127;

export const kinds = {
  other: 0,
  space: 1,
  newline: 2,
  letter: 3,
  digit: 4,
  quote: 5,
  tick: 6,
  back: 7,
  slash: 8,
  hash: 9,
  dash: 10,
  bracket: 11,
} as const;

/** Maps each byte to its kind, a value of `kinds`. */
export const kindOf = new Uint8Array(256);
/** Maps each byte to 1 if it can continue a name, otherwise to 0. */
export const isName = new Uint8Array(256);

for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCharCode(byte);
  const isLetter = /[A-Za-z_$]/.test(character) || byte > lastOfAscii;
  const isDigit = /[0-9]/.test(character);
  const others = byte <= byteOf(" ") ? kinds.space : kinds.other;
  kindOf[byte] = isLetter ? kinds.letter : isDigit ? kinds.digit : others;
  isName[byte] = isLetter || isDigit ? 1 : 0;
}
kindOf[newline] = kinds.newline;
kindOf[quote] = kinds.quote;
kindOf[tick] = kinds.tick;
kindOf[back] = kinds.back;
kindOf[slash] = kinds.slash;
kindOf[hash] = kinds.hash;
kindOf[dash] = kinds.dash;
kindOf[openSquare] = kinds.bracket;
