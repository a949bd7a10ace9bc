// Calls with literal arguments in the texts of tests, and arguments like these.
"use strict";
const { existsSync, readFileSync } = require("fs");
const { inspect } = require("util");

const mostArguments = 2000;
const title = /\b(?:it|test|specify)(?:\.\w+)*\s*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/g;
const call = /([A-Za-z_$][\w$]*)\s*\(/g;

/** Of a file: `{ name, text, origin }`, the arguments as they are written. */
function readCalls(path, failing) {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const titles = [...text.matchAll(title)].map((match) => ({ at: match.index, name: match[2] }));
  const found = [];
  for (const match of text.matchAll(call)) {
    const start = match.index + match[0].length;
    const end = closingOf(text, start);
    if (end === undefined || end - start > mostArguments) continue;
    const own = titles.findLast(({ at }) => at < match.index);
    const isFailing = own !== undefined && failing.some((name) => name.endsWith(own.name));
    found.push({ name: match[1], text: text.slice(start, end), origin: isFailing ? "failing" : "passing" });
  }
  return found;
}

/** Where the bracket that is open at `start` is closed. */
function closingOf(text, start) {
  let depth = 1;
  let quote = "";
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quote !== "") {
      if (sign === "\\") at += 1;
      else if (sign === quote) quote = "";
    } else if (/["'`]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign)) depth += 1;
    else if (/[)\]}]/.test(sign)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

/** The arguments; undefined where they name anything but literals and globals. Each time anew, for who is called may change them. */
function evaluate(text) {
  try {
    return new Function(`"use strict"; return [${text}];`)();
  } catch {
    return undefined;
  }
}

/** Values like this one, the nearest first. */
function like(value, depth = 0) {
  if (typeof value === "number")
    return [value + 1, value - 1, 0, -value, value / 2].filter((one) => one !== value);
  if (typeof value === "string")
    return ["", `${value} `, value.slice(1), `${value}${value}`].filter((one) => one !== value);
  if (typeof value === "boolean") return [!value];
  if (value === null || typeof value !== "object" || depth > 1) return [];
  if (Array.isArray(value)) {
    const inner = value.slice(0, 2).flatMap((one, at) =>
      like(one, depth + 1)
        .slice(0, 2)
        .map((other) => (value.with ? value.with(at, other) : Object.assign([...value], { [at]: other }))),
    );
    return value.length === 0
      ? [[undefined]]
      : [[], value.slice(1), [...value, value[0]], [...value].reverse(), ...inner];
  }
  return Object.keys(value)
    .slice(0, 4)
    .flatMap((key) =>
      like(value[key], depth + 1)
        .slice(0, 2)
        .map((other) => ({ ...value, [key]: other })),
    );
}

/** The arguments with one of them changed, and with one fewer; then with a second change. Each once. */
function vary(args) {
  const once = change(args);
  const seen = new Set([inspect(args)]);
  return [...once, ...once.flatMap(change)].filter((each) => {
    const text = inspect(each);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

function change(args) {
  const changed = args.flatMap((value, at) =>
    like(value).map((other) => [...args.slice(0, at), other, ...args.slice(at + 1)]),
  );
  return args.length === 0 ? changed : [...changed, args.slice(0, -1)];
}

module.exports = { readCalls, evaluate, vary };
