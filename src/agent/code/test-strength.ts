/**
 * Finds the assertions of tests, and marks that skip tests. Works on syntax trees, with names that frameworks share.
 * Pure.
 */
import { type SyntaxNode, walk } from "../../syntax/node.ts";
import { callOf, codeOf, roleOf, type Source } from "../../syntax/reading.ts";

export interface Marked {
  readonly line: number;
  /** The source text, on one line. */
  readonly text: string;
}

const assertion =
  /^(?:assert|expect|should|verify|require|check|must|fail$|debug_assert|ensure|panic$|raises$|throws$|rejects$|equal$|deepEqual|ok$|is$|same|notOk$|(?:Fatal|Error)f?$)/i;

/**
 * Lists the assertions: the language's assert statements and macros, and calls with an assertion's name. Nested
 * assertions count once.
 */
export function listAssertions(source: Source): Marked[] {
  return nodesOf(source, (node) => isAssertion(source, node))
    .filter(
      // For `assert.equal(…)` and `expect(…).toBe(…)`, only the outer call counts.
      ({ node }, _, all) => !all.some((other) => other.node !== node && holds(other.node, node)),
    )
    .map(({ node }) => mark(source, node));
}

function isAssertion(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  if (role === "assert") return true;
  if (role !== "call" && !/macro_invocation/.test(node.kind)) return false;
  const text = codeOf(source, node);
  const names = (/^[\w.:!$@\s]*/.exec(text)?.[0] ?? "").split(/[.:!\s]+/).filter((name) => name !== "");
  return names.some((name) => assertion.test(name)) || /\.\s*(?:to|should|not)\b/.test(text.slice(0, 400));
}

const skips =
  /^(?:@(?:\w+\.)*(?:skip\w*|xfail|expectedFailure|Ignore|Disabled\w*)\b|#\[ignore|(?:it|test|describe|context|suite|bench)\.(?:skip|todo|failing|fails)\b|x(?:it|describe|test|specify)\b|(?:self|t|b|pytest|unittest|this)\.(?:skip\w*|Skip\w*|xfail)\s*\(|pytestmark\b.*skip|raise (?:unittest\.)?SkipTest)/;

/** Lists the marks that skip tests, or that allow tests to fail. */
export function listSkips(text: string): Marked[] {
  return text.split("\n").flatMap((line, index) => {
    const code = line.trim();
    return skips.test(code) ? [{ line: index + 1, text: code.slice(0, 120) }] : [];
  });
}

const mocks =
  /^(?:(?:mock|vi|jest|sinon|td|mocker|monkeypatch|Mockito|gomock|patch)\b|(?:Magic)?Mock$|AsyncMock$|when$|spyOn$|stub$)/;

/** Lists the calls that mock the code under test. */
export function listMocks(source: Source): Marked[] {
  return nodesOf(source, (node) => {
    const call = callOf(source, node);
    return call !== undefined && (mocks.test(call.name) || mocks.test(codeOf(source, call.callee)));
  }).map(({ node }) => mark(source, node));
}

/** Lists the assertions on constants only, which hold for any code: `assert True`, `expect(1).toBe(1)`. */
export function listEmptyAssertions(source: Source): Marked[] {
  return nodesOf(source, (node) => isAssertion(source, node) && isConstant(source, node)).map(({ node }) =>
    mark(source, node),
  );
}

function isConstant(source: Source, assertionNode: SyntaxNode): boolean {
  const outer = assertionNode.parent;
  if (outer !== undefined && /attribute|member|call|field/.test(outer.kind)) return false;
  const text = codeOf(source, assertionNode)
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, "0")
    .replaceAll(/\b(?:true|false|none|null|nil|undefined)\b/gi, "0");
  const inside = text
    .replaceAll(/[A-Za-z_$][\w$]*!?(?=\s*\()/g, (name) => (asserting.test(name) ? "" : name))
    .replaceAll(/\b(?:assert|self|t|to|be|not|expect)\b/g, "");
  return /\d/.test(inside) && !/[A-Za-z_$]/.test(inside);
}

/** Names of assertions and of matchers after `expect(…)`. */
const asserting = /^(?:assert|expect|should|to[A-Z]|is|equal|strictEqual|deepEqual|ok|eq|True|False)/;

function nodesOf(source: Source, wanted: (node: SyntaxNode) => boolean): { node: SyntaxNode }[] {
  return [...walk(source.tree.root)].filter(wanted).map((node) => ({ node }));
}

function holds(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return (
    outer.start <= inner.start && inner.end <= outer.end && outer.end - outer.start > inner.end - inner.start
  );
}

function mark(source: Source, node: SyntaxNode): Marked {
  const text = codeOf(source, node).replaceAll(/\s+/g, " ");
  return { line: node.startLine, text: text.slice(0, 120) };
}
