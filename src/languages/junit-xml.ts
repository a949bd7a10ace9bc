/** Reads JUnit's XML reports as surefire, Gradle and similar tools write them: one file per test class. */
import { parseXml, XmlElement, XmlText } from "@rgrove/parse-xml";

export interface JunitCase {
  readonly className: string;
  readonly name: string;
  readonly durationMs: number;
  /** `failure`: an assertion; `error`: any other exception. */
  readonly result: "passed" | "failure" | "error" | "skipped";
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** The properties that the tests' virtual machine reported about itself, by name. */
  readonly properties: ReadonlyMap<string, string>;
  /** The reason why the file cannot be trusted; otherwise undefined. */
  readonly problem: string | undefined;
}

/**
 * Returns the suites in a file: `<testsuite>`, alone or in `<testsuites>`, and those inside other suites, as PHPUnit
 * writes them. A truncated or empty file gives one suite with a problem.
 */
export function readJunitXml(text: string): readonly JunitSuite[] {
  try {
    const root = parseXml(dropForbidden(text), { ignoreUndefinedEntities: true }).root;
    if (root === null) return [broken("it is empty")];
    const suites = root.name === "testsuites" ? suitesIn(root) : [root, ...suitesIn(root)];
    return suites.map(readSuite);
  } catch (error) {
    return [broken(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))];
  }
}

function suitesIn(parent: XmlElement): XmlElement[] {
  return elements(parent, "testsuite").flatMap((suite) => [suite, ...suitesIn(suite)]);
}

function broken(problem: string): JunitSuite {
  return { name: "", cases: [], properties: new Map(), problem };
}

/**
 * Replaces characters that XML does not allow, literal or as references, with U+FFFD. Tools copy them from the tests'
 * output.
 */
function dropForbidden(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that are not allowed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(
        /&#(?:x([0-9a-f]+)|(\d+));/gi,
        (whole, hex: string | undefined, decimal: string | undefined) => {
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
          const allowed =
            code === 9 ||
            code === 10 ||
            code === 13 ||
            (code >= 32 && code <= 0x10ffff && (code & 0xfffe) !== 0xfffe);
          return allowed && !(code >= 0xd800 && code <= 0xdfff) ? whole : "\ufffd";
        },
      )
  );
}

function readSuite(suite: XmlElement): JunitSuite {
  const cases = elements(suite, "testcase").map((each) => readCase(suite, each));
  const properties = elements(suite, "properties").flatMap((list) => elements(list, "property"));
  return {
    name: suite.attributes["name"] ?? "",
    cases,
    properties: new Map(
      properties.map((each) => [each.attributes["name"] ?? "", each.attributes["value"] ?? each.text]),
    ),
    problem: undefined,
  };
}

function readCase(suite: XmlElement, element: XmlElement): JunitCase {
  const { name = "", classname, time = "0" } = element.attributes;
  const [failure] = elements(element, "failure");
  const [error] = elements(element, "error");
  const [skipped] = elements(element, "skipped");
  const what = failure ?? error ?? skipped;
  const seconds = Number(time.replaceAll(",", ""));
  return {
    className: classname ?? suite.attributes["name"] ?? "",
    name,
    durationMs: Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0,
    result: failure ? "failure" : error ? "error" : skipped ? "skipped" : "passed",
    type: what?.attributes["type"] ?? "",
    message: what?.attributes["message"] ?? "",
    text: what === undefined ? "" : ownText(what),
  };
}

/** The element's text without that of its child elements. */
function ownText(element: XmlElement): string {
  return element.children
    .filter((child) => child instanceof XmlText)
    .map((child) => child.text)
    .join("")
    .trim();
}

function elements(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && child.name === name,
  );
}
