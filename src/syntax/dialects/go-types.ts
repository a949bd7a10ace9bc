/** What Go's types say without a type checker. */

const numbers = /^(?:u?int(?:8|16|32|64|ptr)?|byte|rune|float(?:32|64))$/;

/** The value that a variable of a type starts with; undefined where it has no short spelling, or the type may be anything. */
export function goZeroValue(type: string): string | undefined {
  if (numbers.test(type)) return "0";
  if (type === "string") return '""';
  if (type === "bool") return "false";
  if (
    /^(?:\*|\[\]|map\[|chan\b|<-chan\b|func\b|interface\b)/.test(type) ||
    type === "error" ||
    type === "any"
  )
    return "nil";
  return undefined;
}
