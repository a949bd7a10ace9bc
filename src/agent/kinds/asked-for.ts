/** Finds the requests in a statement by its words. Pure. */

/** The requests that a statement makes. */
export interface Ask {
  readonly tests: boolean;
  /** True if the statement requests a test that fails because of the reported fault. */
  readonly isRegression: boolean;
  /**
   * True if the part with the request mentions tests. It may then contain a request for tests that the rules missed.
   */
  readonly speaksOfTests: boolean;
  /** True if the statement requests code in addition to the tests. */
  readonly code: boolean;
  /** True if the statement requests the body of a function. */
  readonly body: boolean;
  /** True if the statement reports a fault. */
  readonly fault: boolean;
  /** True if the statement asks for new behaviour. */
  readonly wish: boolean;
}

/** Reads the statement's requests. Ignores quoted code, which requests nothing. */
export function readAsk(statement: string): Ask {
  const text = statement
    .replaceAll(/<!--[\s\S]*?-->/g, " ")
    .replaceAll(/^(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?^\1.*$/gm, " ")
    .replaceAll(/^ {4,}.*$|^>.*$|^[ \t]*- \[[ xX]\].*$/gm, " ");
  const sentences = text.split(/(?<=[.!?:])\s+|\n+/).filter((each) => /\w/.test(each));
  // The request is at the beginning or the end; a quoted issue may be between them.
  const near = [...sentences.slice(0, 4), ...sentences.slice(4).slice(-3)];
  const some = (...patterns: readonly RegExp[]): boolean =>
    near.some((each) => patterns.some((pattern) => pattern.test(each)));
  const both = some(asks.codeWithTests);
  const tests = both || some(asks.tests, asks.coverage);
  const edges = [...sentences.slice(0, 2), ...sentences.slice(-2)];
  return {
    tests,
    isRegression: tests && some(asks.regression),
    speaksOfTests: edges.some((each) => /\btests?\b/i.test(each.replaceAll(inTests, " "))),
    code: both || (tests && some(asks.code)),
    body: some(asks.body),
    fault: faults.some((pattern) => pattern.test(text)),
    wish: wishes.some((pattern) => pattern.test(text)),
  };
}

const verbs = "(?:write|add|create|generate|extend|provide|develop|produce|contribute)";
const polite =
  "(?:please|also|then|and|your task is to|the task is to|you have to|you should|we need you to|i want you to|can you|could you)";
/** The beginning of a sentence that is an order. */
const order = `^(?:\\W*${polite}\\W+)*\\W*`;
/** Matches at most this many characters of a sentence. A full stop in a path does not end the sentence. */
const within = (most: number): string => `(?:[^.!?]|[.!?](?=\\w)){0,${most}}?`;
const aTest =
  "(?:(?:unit |regression |integration |failing )*tests?\\b(?! (?:runner|framework|option|flag|command|helper))|test (?:cases?|suites?|files?|methods?|functions?)\\b)";
const aPart = "(?:function|method|class|option|flag|feature|command|support|code|parameter|implementation)";
const aBody = "(?:body|function|method|implementation|routine|definition|code)";

function pattern(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(""), "im");
}

const asks = {
  tests: pattern(order, `(?:${verbs}|cover)\\b`, within(80), `\\b${aTest}`),
  coverage: pattern(order, "(?:cover\\b|(?:reach|achieve|raise|improve)\\b", within(40), "\\bcoverage)"),
  code: pattern(
    ...[
      order,
      "(?:implement\\b|",
      verbs,
      "\\b(?!",
      within(60),
      "\\btests?\\b)",
      within(60),
      `\\b${aPart}\\b)`,
    ],
  ),
  codeWithTests: pattern(
    ...["(?:implement\\b|\\b", verbs, "\\b", within(60), `\\b${aPart}\\b)`, within(120)],
    ...["\\b(?:and|with|together with|along with|including)\\b", within(40), "\\btests?\\b"],
  ),
  body: pattern(
    ...["\\b(?:implement|complete|write|fill in|provide|finish|generate)\\b", within(80), `\\b${aBody}\\b`],
    ...["|\\b(?:body|implementation)\\b", within(60), "\\b(?:missing|removed|empty|not written)\\b"],
    "|^\\W*implement\\b",
  ),
  regression: pattern(
    ...["\\bregression tests?\\b|\\btests?\\b", within(60), "\\b(?:reproduc\\w+|fails?|failing)\\b"],
    ...["|\\breproduc\\w+", within(40), "\\btests?\\b"],
    "|\\b(?:do not|don't|without) (?:fix|chang|modify|touch)\\w*",
  ),
} as const;

/** Matches phrases such as "in Rails integration tests": they say where the fault shows, and request no tests. */
const inTests = /\bin (?:our|my|[A-Z]\w*)(?: (?:unit|integration|end-to-end))? tests\b/g;

const faults = [
  /\b(?:bugs?|crash\w*|panic\w*|traceback|segfault\w*|regression|stack overflow|dead ?lock\w*|attacker)\b/i,
  /\berror\[E\d|\b[A-Z]\w*(?:Error|Exception)\b/,
  /\b(?:fails?|failed|failing|failure|broken|breaks|wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|mistaken(?:ly)?|invalid)\b/i,
  /\b(?:ignor(?:es|ed)|refused|rejected|lost|hangs?|leaks?|raises?|raised|throws?|thrown|duplicat\w+|bypass\w*|confus\w+)\b/i,
  /\b(?:does|do|did|is|are|was|were|can|should|could|would|will)(?: not|n't)\b|\bcannot\b|\bno longer\b|\binstead of\b/i,
  /\b(?:expected|actual) (?:behaviou?r|results?|outputs?)\b|\boff[- ]by[- ]one\b|\btwice the\b|\b(?:typos?|misspel\w+)\b/i,
  /^[^\w\n]*(?:fix(?:e[sd])?|correct|repair)\b/im,
];

const wishes = [
  /\bfeature request\b|\bit would be (?:nice|great|good|useful|helpful)\b|\b(?:i|we) (?:would|'d) (?:like|love)\b|\bproposal\b/i,
  /\bdescribe (?:your use case|the solution)\b|\b(?:please add|add support|support for|new (?:option|flag|method|function|setting))\b/i,
  /^[^\w\n]*(?:please |consider )?(?:add(?:ing)?|support|allow|implement|introduce|provide|renam(?:e|ing)|make|document|enable|accept(?:ing)?|consider)\b/im,
];
