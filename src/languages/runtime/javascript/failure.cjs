// What a thrown value says of itself, in the report's form: type, message, frames (outermost first), shortened text.
"use strict";
const path = require("path");
const { plainPath, relativePath, withoutRoot } = require("./paths.cjs");

const longestText = 4000;
const longestMessage = 2000;
const mostFrames = 50;

function stripColours(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of terminals begin with one
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "");
}

function shorten(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit - 2)} …`;
}

/** The frames of a V8 stack that lie in the project's own files; the innermost, raising one comes last. */
function readFrames(stack) {
  const frames = [];
  const lines = stripColours(String(stack)).split("\n");
  // A syntax error's stack begins with its place.
  const place = /^((?:file:\/\/)?\/.*):(\d+)$/.exec(lines[0]);
  if (place) frames.push(...[makeFrame(place[1], Number(place[2]), "")].filter(Boolean));
  for (const line of lines) {
    const frame = readFrame(line);
    if (frame) frames.push(frame);
    if (frames.length === mostFrames) break;
  }
  return frames.reverse();
}

function readFrame(line) {
  const match =
    /^\s*(?:at|❯) (?:(.*?) ?\()?((?:file:\/\/|\/|[A-Za-z]:[\\/]|webpack:)?[^()]*?):(\d+)(?::\d+)?\)?$/.exec(
      line,
    );
  if (!match) return undefined;
  const name = (match[1] || "")
    .replace(/^async /, "")
    .replace(/^new /, "")
    .trim();
  return makeFrame(match[2].replace(/^async /, ""), Number(match[3]), name);
}

/** A frame of the report, or undefined for one that is not of the project. */
function makeFrame(rawFile, line, name) {
  if (!rawFile || /^(node:|internal\/|<anonymous>|native|evalmachine|webpack:)/.test(rawFile))
    return undefined;
  const file = plainPath(rawFile);
  if (!/[\\/.]/.test(file) || !(line > 0)) return undefined;
  const parts = file.split(/[\\/]/);
  if (parts.includes("node_modules") || file.startsWith(__dirname + path.sep)) return undefined;
  const called = name === "" || name.endsWith("<anonymous>") || name.startsWith("eval at") ? undefined : name;
  return { file: relativePath(file), line, ...(called && { function: called }) };
}

/** The error's class, as its text or its fields tell it. */
function typeOf(error) {
  if (error === null || typeof error !== "object")
    return typeof error === "undefined" ? "undefined" : "Error";
  if (error.code === "ERR_ASSERTION" || error.matcherResult) return "AssertionError";
  if (error.code === "ERR_MOCHA_TIMEOUT") return "TimeoutError";
  if (/\btimed out\b|\bexceeded timeout\b|^Timeout of \d+ms exceeded/i.test(String(error.message)))
    return "TimeoutError";
  const own = typeof error.name === "string" && error.name !== "" ? error.name : undefined;
  const constructed =
    error.constructor && typeof error.constructor.name === "string" && error.constructor.name;
  const name = own && own !== "Error" ? own : constructed && constructed !== "Object" ? constructed : own;
  return (name || "Error").replace(/ \[.*\]$/, "");
}

function messageOf(error) {
  if (error !== null && typeof error === "object" && typeof error.message === "string") return error.message;
  try {
    return String(error);
  } catch {
    return "a value without a text was thrown";
  }
}

/** `given` overrides parts of what the value itself says. */
function describeFailure(error, given = {}) {
  const message = stripColours(given.message === undefined ? messageOf(error) : given.message);
  const stack = given.stack === undefined ? stackOf(error) : given.stack;
  const type = given.type || typeOf(error);
  const text = stack.includes(message.split("\n")[0]) ? stack : `${type}: ${message}\n${stack}`;
  return {
    type,
    message: shorten(withoutRoot(message), longestMessage),
    frames: given.frames || readFrames(stack),
    text: shorten(withoutRoot(stripColours(text)).trim(), longestText),
  };
}

function stackOf(error) {
  return error !== null && typeof error === "object" && typeof error.stack === "string" ? error.stack : "";
}

/** What a process that died of an error printed of it. */
function readCrash(stderr, how) {
  const text = stripColours(stderr).trim();
  const head = /^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception))(?: \[\w+\])?: (.*)$/m.exec(text);
  const stack = head ? text.slice(head.index) : text;
  const place = head && /^((?:file:\/\/)?\/.*:\d+)$/m.exec(text.slice(0, head.index));
  const type = head ? head[1] : "Error";
  const frames = readFrames(place ? `${place[1]}\n${stack}` : stack);
  return describeFailure(undefined, { type, message: head ? head[2] : how, stack: stack || how, frames });
}

module.exports = { describeFailure, makeFrame, readCrash, readFrames, stripColours };
