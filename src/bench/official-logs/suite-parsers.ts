/**
 * SWE-bench's parsers that keep a state between lines, such as the current suite or command. They behave like
 * `swebench` 5.0.2 (`harness/log_parsers`).
 */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { z } from "zod";
import { indentOf, type LogParser, type StatusMap, strip, withoutEscapes } from "./contract.ts";
import { filesParser } from "./line-parsers.ts";

const passed = "PASSED";
const failed = "FAILED";

/** Expects one Maven run for each test. Takes the names from the commands and the results from Maven, both in order. */
const maven: LogParser = (log) => {
  const found: StatusMap = new Map();
  const names: string[] = [];
  const early: string[] = [];
  for (const line of log.split("\n").map(strip)) {
    const named = /^[^\n]*-Dtest=(\S+)[^\n]*$/.exec(line)?.[1];
    if (named !== undefined) names.push(named);
    const result = /^[^\n]*BUILD (SUCCESS|FAILURE)$/.exec(line)?.[1];
    if (result === undefined) continue;
    const name = names.shift();
    if (name === undefined) early.push(result);
    else found.set(name, result === "SUCCESS" ? passed : failed);
  }
  for (const [at, result] of early.slice(0, names.length).entries()) {
    found.set(names[at] ?? "", result === "SUCCESS" ? passed : failed);
  }
  return found;
};

/** Reads `CLASS > TEST PASSED`. Other processes may print between the name and the status. */
const gradle: LogParser = (log) => {
  const found: StatusMap = new Map();
  let pending: string | undefined;
  for (const line of log.split("\n").map(strip)) {
    const [, name, status] = /^([^>][^\n]+)\s+(PASSED|FAILED)$/.exec(line) ?? [];
    const begun = /^([^>]\S*\s+>\s+\S+)$/.exec(line)?.[1];
    if (name !== undefined && status !== undefined) {
      found.set(name, status);
      pending = undefined;
    } else if (begun !== undefined) pending = begun;
    else if (pending !== undefined && (line === passed || line === failed)) {
      found.set(pending, line);
      pending = undefined;
    }
  }
  return found;
};

/** Reads doctest's XML. A subcase passes if all its expressions pass. */
const doctest: LogParser = (log) => {
  const found: StatusMap = new Map();
  const start = log.indexOf("<doctest");
  const end = start === -1 ? -1 : log.indexOf("</doctest>", start);
  if (end === -1) return found;
  const document = parseXml(log.slice(start, end + "</doctest>".length));
  for (const test of elementsOf(document.root, "TestCase")) {
    for (const part of elementsOf(test, "SubCase")) {
      const isPassed = elementsOf(part, "Expression").every((each) => each.attributes["success"] === "true");
      const name = `${test.attributes["name"] ?? "None"} > ${part.attributes["name"] ?? "None"}`;
      found.set(name, isPassed ? passed : failed);
    }
  }
  return found;
};

function elementsOf(parent: XmlElement | null, name: string): XmlElement[] {
  const children = (parent?.children ?? []).filter((child) => child instanceof XmlElement);
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsOf(child, name)]);
}

const karma: LogParser = (log) => {
  const found: StatusMap = new Map();
  let depth = -1;
  const suite: string[] = [];
  let isStarted = false;
  for (const line of log.split("\n")) {
    if (line.startsWith("SUMMARY:")) return found;
    if (line.includes("Starting browser")) {
      isStarted = true;
      continue;
    }
    const match = isStarted ? /^(\s*)?([✔✖])?\s([^\n]*)$/.exec(line) : null;
    if (match === null) continue;
    const [, indent = "", mark, name = ""] = match;
    if (indent !== "" && mark === undefined) {
      if (indent.length > depth) suite.push(name);
      else if (indent.length < depth) suite.pop();
      depth = indent.length;
    }
    if (mark !== undefined) found.set([...suite, name].join(" > "), mark === "✔" ? passed : failed);
  }
  return found;
};

/** Tracks the titles around a test: lines that are indented less than the following lines. */
function openSuites() {
  const open: { readonly title: string; readonly indent: number }[] = [];
  return {
    nameOf: (test: string): string => [...open.map(({ title }) => title), test].join(" - "),
    /** Joins the titles and the test. Returns the test alone if there is no title. */
    joined: (test: string): string => strip([open.map(({ title }) => title).join(" - "), test].join(" - ")),
    enter(line: string): void {
      const indent = indentOf(line);
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
      open.push({ title: strip(line), indent });
    },
  };
}

const calypso: LogParser = (log) => {
  const found: StatusMap = new Map();
  const suites = openSuites();
  for (const run of log.split(" ./node_modules/.bin/jest ").slice(1)) {
    for (const line of run.split("\n")) {
      if (line.startsWith("Test Suites") || line.startsWith("  ● ")) break;
      const mark = /^[✓✕]/.exec(strip(line))?.[0];
      if (mark !== undefined) {
        const timed = /\(\d+ms\)/.test(line)
          ? new RegExp(`^\\s+${mark}\\s([^\\n]*)\\(\\d+ms\\)$`)
          : undefined;
        const name = (timed ?? new RegExp(`^\\s+${mark}\\s([^\\n]*)`)).exec(line)?.[1];
        if (name !== undefined) found.set(suites.joined(name), mark === "✓" ? passed : failed);
      } else if (indentOf(line) > 0) suites.enter(line);
    }
  }
  return found;
};

const highlightJs: LogParser = (log) => {
  const found: StatusMap = new Map();
  let suite: readonly string[] = [];
  const nameOf = (text: string): string => [...suite, strip(text.replaceAll(/\(\d+ms\)/g, ""))].join(".");
  for (const line of (log.split(/\n[ \t]*\d+ passing/)[0] ?? "").split("\n")) {
    const stripped = strip(line);
    const mark = /^[✓✔]/.exec(stripped)?.[0];
    if (mark !== undefined) found.set(nameOf(line.slice(line.indexOf(mark) + 1)), passed);
    else if (/^\d+\)/.test(stripped)) found.set(nameOf(line.slice(line.indexOf(")") + 1)), failed);
    else if (line.startsWith("  ")) suite = [stripped];
  }
  return found;
};

const mochaSchema = z.object({
  failures: z.array(z.object({ fullTitle: z.string() })),
  passes: z.array(z.object({ fullTitle: z.string() })),
});

const prism: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const run of log.split("./node_modules/.bin/mocha tests/run.js --reporter json").slice(1)) {
    const text = run.slice(run.indexOf("{"), run.lastIndexOf("}") + 1);
    const { failures, passes } = mochaSchema.parse(JSON.parse(text));
    for (const { fullTitle } of failures) found.set(fullTitle, failed);
    for (const { fullTitle } of passes) found.set(fullTitle, passed);
  }
  return found;
};

const nextByKarma: LogParser = (log) => {
  const found: StatusMap = new Map();
  const suites = openSuites();
  const clean = withoutEscapes(log).replaceAll(/AssertionError:\s+#([\s\S]*?)\n\n/g, "");
  for (const run of clean.split(" xvfb-run ").slice(1)) {
    for (const line of (run.split("Starting browser Chrome").at(-1) ?? "").split("\n")) {
      if (line.startsWith("TOTAL")) break;
      if (/^(?:ERROR|LOG|WARN|Check|in)/.test(strip(line))) continue;
      const [, bad] = /^[^\n]*?✗\s*([^\n]*)/.exec(line) ?? [];
      const [, good] = /^[^\n]*?✓\s*([^\n]*)/.exec(line) ?? [];
      if (bad !== undefined) found.set(suites.nameOf(bad), failed);
      else if (good !== undefined) found.set(suites.nameOf(good), passed);
      else if (indentOf(line) > 0) suites.enter(line);
    }
  }
  return found;
};

const nextByCypress: LogParser = (log) => {
  const found: StatusMap = new Map();
  const parts = log.split(/Running:([^\n]*)\)\n{3}\s{2}([^\n]*)\n/);
  for (let at = 2; at < parts.length; at += 3) {
    const [suite = "", text = ""] = [parts[at], parts[at + 1]];
    for (const [, name = ""] of text.matchAll(/^\s{4}\d+\)\s([^\n]*)/gm))
      found.set(`${suite}: ${strip(name)}`, failed);
    for (const [, name = ""] of text.matchAll(/^\s{4}✓\s([^\n]*)\(/gm))
      found.set(`${suite}: ${strip(name)}`, passed);
  }
  return found;
};

const lighthouseByMocha: LogParser = (log) => {
  const found: StatusMap = new Map();
  for (const run of log.split(/running\s\d+\stest\sfiles/).slice(1)) {
    const suites = openSuites();
    for (const line of strip(run.split(/\d+\spassing/)[0] ?? "").split("\n")) {
      const stripped = strip(line);
      const [, good] = /^✔\s([^\n]*)\s\(\d+m+s\)/.exec(stripped) ?? /^✔\s([^\n]*)/.exec(stripped) ?? [];
      const [, bad] =
        /^\d+\)\s([^\n]*)\s\(\d+m+s\)/.exec(stripped) ?? /^\d+\)\s([^\n]*)/.exec(stripped) ?? [];
      if (good !== undefined) found.set(suites.nameOf(good), passed);
      else if (bad !== undefined) found.set(suites.nameOf(bad), failed);
      else if (indentOf(line) > 0) suites.enter(line);
    }
  }
  return found;
};

export const suiteParsers: Readonly<Record<string, LogParser>> = {
  parse_log_maven: maven,
  parse_log_gradle_custom: gradle,
  parse_log_doctest: doctest,
  parse_log_karma: karma,
  parse_log_calypso: calypso,
  parse_log_highlightjs: highlightJs,
  parse_log_prismjs: prism,
  parse_log_next: (log, row) => (row.version === "1.27" ? nextByCypress : nextByKarma)(log, row),
  // Versions before 3 print mocha's JSON, which has no reader.
  parse_log_lighthouse: (log, row) =>
    (["9.5", "10.0", "10.2"].includes(row.version) ? lighthouseByMocha : filesParser)(log, row),
};
