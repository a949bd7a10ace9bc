// Values of a program as text, without running any of its code: no getter, no proxy's trap, no `toJSON`, no `inspect` of its own.
// What is plain data becomes JSON, the rest a text for people in the manner of `util.inspect`; both end where their room ends.
"use strict";
const util = require("util");
const { className, errorName, functionName, ownData, typeOf } = require("./type-names.cjs");
const { types } = util;

const mostKeys = 40;
const mostElements = 100;
const mostDepth = 6;
const { getOwnPropertyDescriptor: describeProperty, getPrototypeOf, keys: keysOf } = Object;
const { isArray } = Array;

/** Cuts between characters, never within a pair of units. */
function cutText(text, length) {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

/** A traced value as JSON text; `room` in characters. `shallow`: of an object, only its own simple properties. */
function describeValue(value, room, shallow) {
  try {
    if (types.isProxy(value)) return '{"t":"Proxy"}';
    const simple = describeSimple(value, room);
    if (simple !== undefined) return simple;
    const data = { left: room, depth: shallow ? 1 : mostDepth, seen: [] };
    const json = writeJson(value, data);
    if (json !== undefined) return `{"j":${json}}`;
    const text = { left: room, depth: shallow ? 1 : mostDepth, seen: [], cut: 0 };
    return tell(writeText(value, text), room, text.cut);
  } catch (_) {
    return `{"t":${JSON.stringify(typeOf(value))}}`;
  }
}

function tell(text, room, more) {
  const whole = text.length + more;
  if (whole <= room) return `{"d":${JSON.stringify(text)}}`;
  return `{"d":${JSON.stringify(cutText(text, room))},"cut":${whole}}`;
}

function describeSimple(value, room) {
  switch (typeof value) {
    case "string":
      if (value.length <= room) return `{"j":${JSON.stringify(value)}}`;
      return `{"j":${JSON.stringify(cutText(value, room))},"cut":${value.length}}`;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? `{"j":${value}}`
        : `{"d":"${simpleText(value)}"}`;
    case "boolean":
      return `{"j":${value}}`;
    case "object":
    case "function":
      return value === null ? '{"j":null}' : undefined;
    default:
      return tell(simpleText(value), room, 0);
  }
}

function simpleText(value) {
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint" ? `${value}n` : String(value);
}

/** JSON text of plain data, or undefined for anything else and for what is larger than its room. */
function writeJson(value, state) {
  if (state.left < 0) return undefined;
  if (value === null || typeof value === "boolean") return take(String(value), state);
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0) ? take(String(value), state) : undefined;
  }
  if (typeof value === "string") {
    return value.length > state.left ? undefined : take(JSON.stringify(value), state);
  }
  if (typeof value !== "object" || types.isProxy(value) || state.seen.length >= state.depth) return undefined;
  if (state.seen.includes(value)) return undefined;
  state.seen.push(value);
  const text = isArray(value) ? writeJsonArray(value, state) : writeJsonObject(value, state);
  state.seen.pop();
  return text;
}

function take(text, state) {
  state.left -= text.length + 1;
  return state.left < 0 ? undefined : text;
}

function writeJsonArray(value, state) {
  if (!isPlain(value, "Array") || value.length > state.left) return undefined;
  const parts = [];
  for (let index = 0; index < value.length; index += 1) {
    const property = describeProperty(value, index);
    if (property === undefined || property.get || property.set) return undefined;
    const part = writeJson(property.value, state);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return `[${parts.join(",")}]`;
}

function writeJsonObject(value, state) {
  if (!isPlain(value, "Object") || Object.getOwnPropertySymbols(value).length > 0) return undefined;
  const parts = [];
  for (const key of keysOf(value)) {
    const property = describeProperty(value, key);
    if (!property || property.get || property.set || key.length > state.left) return undefined;
    const part = writeJson(property.value, state);
    if (part === undefined) return undefined;
    parts.push(`${take(JSON.stringify(key), state) || '""'}:${part}`);
  }
  return state.left < 0 ? undefined : `{${parts.join(",")}}`;
}

/** Of the language's own class, in whatever realm it was made; of an object, also one without any. */
function isPlain(value, name) {
  const prototype = getPrototypeOf(value);
  if (prototype === null) return name === "Object";
  if (types.isProxy(prototype) || className(prototype) !== name) return false;
  if (prototype === Object.prototype || prototype === Array.prototype) return true;
  const above = getPrototypeOf(prototype);
  return name === "Object"
    ? above === null
    : isArray(value) && above !== null && getPrototypeOf(above) === null;
}

/** What a thrown value says of itself: its type and message. */
function describeThrown(error, room) {
  try {
    if (types.isProxy(error)) return "Proxy";
    if (typeof error === "object" && error !== null) {
      const message = ownData(error, "message");
      if (message !== undefined) {
        const text = `${errorName(error)}: ${message}`;
        return text.length > room ? `${cutText(text, room)}…` : text;
      }
    }
    const told = JSON.parse(describeValue(error, room, false));
    return "d" in told ? told.d : "j" in told ? JSON.stringify(told.j) : told.t;
  } catch (_) {
    return typeOf(error);
  }
}

/** In the manner of `util.inspect`. Where the room is used up, what is left is told in `state.cut`, about. */
function writeText(value, state) {
  if (typeof value === "string") return writeString(value, state);
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return spend(simpleText(value), state);
  }
  if (types.isProxy(value)) return spend("Proxy {}", state);
  if (state.seen.includes(value)) return spend("[Circular]", state);
  const special = writeSpecial(value);
  if (special !== undefined) return spend(special, state);
  const name = typeof value === "function" ? functionName(value) : className(getPrototypeOf(value));
  if (state.seen.length >= state.depth)
    return spend(isArray(value) ? "[Array]" : `[${name || "Object"}]`, state);
  state.seen.push(value);
  const text = writeHolder(value, name, state);
  state.seen.pop();
  return text;
}

function spend(text, state) {
  state.left -= text.length;
  return text;
}

function writeString(value, state) {
  const room = Math.max(state.left, 0);
  if (value.length <= room) return spend(`'${value.replace(/\n/g, "\\n")}'`, state);
  state.cut += value.length - room;
  return spend(`'${cutText(value, room)}`, state);
}

const plainTexts = [
  [types.isDate, (one) => dateText(one)],
  [types.isRegExp, (one) => RegExp.prototype.toString.call(one)],
  [types.isPromise, (one) => util.inspect(one, { depth: 0, customInspect: false, breakLength: Infinity })],
  [types.isBoxedPrimitive, (one) => util.inspect(one, { depth: 0, customInspect: false })],
  [types.isWeakMap, () => "WeakMap {}"],
  [types.isWeakSet, () => "WeakSet {}"],
  [types.isGeneratorObject, () => "Object [Generator] {}"],
  [types.isAnyArrayBuffer, (one) => `ArrayBuffer { byteLength: ${one.byteLength} }`],
];

function dateText(date) {
  const time = Date.prototype.getTime.call(date);
  return Number.isNaN(time) ? "Invalid Date" : Date.prototype.toISOString.call(date);
}

function writeSpecial(value) {
  if (types.isNativeError(value)) return `[${describeThrown(value, 1000)}]`;
  for (const [fits, write] of plainTexts) if (fits(value)) return write(value);
  if (typeof value === "function" && keysOf(value).length === 0) return functionName(value);
  return undefined;
}

function writeHolder(value, name, state) {
  if (isArray(value) || types.isTypedArray(value)) return writeList(value, name, state);
  if (types.isMap(value)) return writeEntries(value, state);
  if (types.isSet(value)) return writeMembers(value, state);
  const parts = [];
  const keys = keysOf(value);
  for (const key of keys) {
    if (parts.length >= mostKeys || state.left <= 0) break;
    const shown = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    parts.push(`${spend(shown, state)}: ${writeProperty(describeProperty(value, key), state)}`);
  }
  const head = name === undefined ? "[Object: null prototype] " : name === "Object" ? "" : `${name} `;
  return frame(`${head}{`, parts, keys.length, "}", state);
}

function writeProperty(property, state) {
  if (property === undefined) return "?";
  if (property.get) return spend(property.set ? "[Getter/Setter]" : "[Getter]", state);
  if (property.set) return spend("[Setter]", state);
  return writeText(property.value, state);
}

/** Elements are looked at one by one and only while there is room. */
function writeList(value, name, state) {
  const parts = [];
  const length = types.isTypedArray(value) ? typedLength(value) : value.length;
  for (let index = 0; index < length && index < mostElements && state.left > 0; index += 1) {
    const property = describeProperty(value, index);
    parts.push(property === undefined ? spend("<empty>", state) : writeProperty(property, state));
  }
  const head = name === "Array" ? "" : `${name || "Array"}(${length}) `;
  return frame(`${head}[`, parts, length, "]", state);
}

const typedLength = Function.prototype.call.bind(
  describeProperty(getPrototypeOf(Uint8Array.prototype), "length").get,
);

function writeEntries(value, state) {
  const parts = [];
  const entries = Map.prototype.entries.call(value);
  for (let next = entries.next(); !next.done; next = entries.next()) {
    if (parts.length >= mostKeys || state.left <= 0) break;
    parts.push(`${writeText(next.value[0], state)} => ${writeText(next.value[1], state)}`);
  }
  return frame(`Map(${mapSize(value)}) {`, parts, mapSize(value), "}", state);
}

function writeMembers(value, state) {
  const parts = [];
  const values = Set.prototype.values.call(value);
  for (let next = values.next(); !next.done; next = values.next()) {
    if (parts.length >= mostKeys || state.left <= 0) break;
    parts.push(writeText(next.value, state));
  }
  return frame(`Set(${setSize(value)}) {`, parts, setSize(value), "}", state);
}

const mapSize = Function.prototype.call.bind(describeProperty(Map.prototype, "size").get);
const setSize = Function.prototype.call.bind(describeProperty(Set.prototype, "size").get);

function frame(head, parts, count, foot, state) {
  spend(`${head}${foot}`, state);
  const left = count - parts.length;
  if (left > 0) parts.push(`… ${left} more`);
  if (parts.length === 0) return `${head}${foot}`;
  return foot === "]" ? `${head}${parts.join(", ")}${foot}` : `${head} ${parts.join(", ")} ${foot}`;
}

module.exports = { describeValue, describeThrown };
