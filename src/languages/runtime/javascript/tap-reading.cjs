// Reads TAP 12 to 14 as it comes: nested subtests (`# Subtest: name` before indented lines, or braces after their point), test
// points with directives and diagnostics, plans and comments.
"use strict";

const timing = /\s*# time=([\d.]+)(ms|s)?$/;
const directive = /(^|[^\\])# *(SKIP|TODO)\b\S*(.*)$/i;

/** A test point's text without its indentation, or undefined. */
function readPoint(text) {
  const match = /^(not )?ok\b(?: +\d+)?(?: *(?:- )?(.*))?$/.exec(text);
  if (!match) return undefined;
  let said = match[2] || "";
  const opens = /(?:^|\s)\{$/.test(said);
  if (opens) said = said.slice(0, -1).trimEnd();
  const time = timing.exec(said);
  if (time) said = said.slice(0, time.index);
  const told = directive.exec(said);
  return {
    ok: !match[1],
    name: unescapeText(told ? said.slice(0, told.index) + told[1] : said),
    directive: told ? told[2].toUpperCase() : "",
    durationMs: time ? Number(time[1]) * (time[2] === "s" ? 1000 : 1) : 0,
    opens,
    hasSubtest: false,
    diagnostic: "",
  };
}

function unescapeText(text) {
  return text.replace(/\\([#\\])/g, "$1").trim();
}

/** Of a reading: the open subtests, the last point with its diagnostic until the next line, what is left of a line. */
function createState(on) {
  return { on, groups: [], point: undefined, pointPath: [], block: undefined, rest: "" };
}

function pathOf(state) {
  return state.groups.map((group) => group.name);
}

function release(state) {
  const { on, point, pointPath, block } = state;
  if (!point) return;
  const done = { ...point, diagnostic: block ? block.lines.join("\n") : "" };
  state.point = state.block = undefined;
  if (!done.opens) {
    on.point(pointPath, done);
    return;
  }
  state.groups.push({ name: done.name, indent: done.indent, closes: done.indent, point: done });
  on.subtest(pathOf(state));
}

/** A point that is indented no further than `closes` ends the group; the group's first line tells which style it is in. */
function settle(group, isContent) {
  if (group && group.closes === undefined) group.closes = isContent ? group.indent : group.indent - 1;
}

/** Ends the subtests that a point further out speaks of; true when the innermost of them is its own. */
function close({ groups }, indent, name) {
  while (groups.length > 0) {
    const group = groups[groups.length - 1];
    settle(group, indent > group.indent || name === group.name);
    if (indent > group.closes || group.point) return false;
    groups.pop();
    if (group.name === name) return true;
  }
  return false;
}

function readLine(state, line) {
  const text = line.trim();
  const indent = line.length - line.trimStart().length;
  const { block, point } = state;
  if (point && !block && text === "---") {
    state.block = { indent, lines: [], over: false };
  } else if (block && !block.over) {
    if (text === "..." && indent === block.indent) block.over = true;
    else block.lines.push(line.slice(block.indent));
  } else {
    release(state);
    if (text !== "") readText(state, indent, text);
  }
}

function readText(state, indent, text) {
  const { groups, on } = state;
  const inner = groups[groups.length - 1];
  const subtest = /^# Subtest(?:: (.*))?$/.exec(text);
  const found = readPoint(text);
  if (subtest) {
    settle(inner, inner && indent > inner.indent);
    groups.push({ name: unescapeText(subtest[1] || ""), indent, closes: undefined });
    on.subtest(pathOf(state));
  } else if (found) {
    const hasSubtest = close(state, indent, found.name);
    state.point = { ...found, indent, hasSubtest };
    state.pointPath = pathOf(state);
  } else if (text === "}" && inner && inner.point) {
    groups.pop();
    on.point(pathOf(state), { ...inner.point, hasSubtest: true });
  } else if (/^1\.\.\d+/.test(text)) {
    settle(inner, inner && indent > inner.indent);
    on.plan(pathOf(state));
  } else if (text.startsWith("#")) on.comment(pathOf(state), text.slice(1).trimStart());
}

/**
 * Calls `on.subtest(path)` where one begins, `on.point(path, point)`, `on.plan(path)` and `on.comment(path, text)`. A path holds
 * the names of the subtests around, outermost first; a point that closes a subtest comes after it, with `hasSubtest`.
 */
function createTapReader(on) {
  const state = createState(on);
  return {
    read(chunk) {
      const lines = (state.rest + chunk).split(/\r?\n/);
      state.rest = lines.pop();
      for (const line of lines) readLine(state, line);
    },
    end() {
      if (state.rest !== "") readLine(state, state.rest);
      release(state);
    },
  };
}

module.exports = { createTapReader };
