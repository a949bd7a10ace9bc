// What things are called, read without running any code of the program: from properties that hold data only.
"use strict";
const { types } = require("util");

const { getOwnPropertyDescriptor: describeProperty, getPrototypeOf } = Object;

/** The name of the class that a prototype belongs to. */
function className(prototype) {
  for (let one = prototype; one !== null && !types.isProxy(one); one = getPrototypeOf(one)) {
    const made = describeProperty(one, "constructor");
    if (made && typeof made.value === "function" && !types.isProxy(made.value)) {
      const name = describeProperty(made.value, "name");
      if (name && typeof name.value === "string" && name.value !== "") return name.value;
    }
  }
  return undefined;
}

function typeOf(value) {
  try {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return typeof value;
    if (types.isProxy(value)) return "Proxy";
    if (typeof value === "function") return "function";
    return className(getPrototypeOf(value)) || "object";
  } catch (_) {
    return typeof value;
  }
}

function ownData(value, name) {
  const property = describeProperty(value, name);
  return property && typeof property.value === "string" ? property.value : undefined;
}

/** `name` of an error, on it or on its class. */
function errorName(error) {
  for (let one = error; one !== null && !types.isProxy(one); one = getPrototypeOf(one)) {
    const name = ownData(one, "name");
    if (name !== undefined) {
      const own = className(getPrototypeOf(error));
      return name === "Error" && own !== undefined ? own : name;
    }
  }
  return typeOf(error);
}

function functionName(value) {
  const name = ownData(value, "name");
  const isClass = /^class\b/.test(Function.prototype.toString.call(value).slice(0, 6));
  return isClass ? `[class ${name || "(anonymous)"}]` : `[Function${name ? `: ${name}` : " (anonymous)"}]`;
}

module.exports = { className, errorName, functionName, ownData, typeOf };
