/**
 * Lists values in a text's syntax tree that single out an input (an equality, a case, a table's key) or are literal
 * results. Pure.
 */
import { once } from "../../../base/once.ts";
import { namedChildren, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { callOf, codeOf, conditionOf, partOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { functionAbove, isFunction } from "../../../syntax/statements.ts";
import { isCommonKey, isListMacro, keyOf, type ValueKey } from "../texts/value-keys.ts";
import {
  callAround,
  comparedElement,
  isBuilding,
  isEquality,
  isEqualityCall,
  isTextSearch,
  ownName,
} from "./compared-elements.ts";
import { singledOut } from "./narrow-conditions.ts";
import { branchAround, isInHandler, isPair, resultOf } from "./selected-results.ts";
import { listLookedUp } from "./table-lookups.ts";

export interface PlacedValue {
  readonly key: ValueKey;
  /** The value's source text. */
  readonly text: string;
  readonly line: number;
  readonly place: "compared" | "returned";
  /** The `if`, case, conditional or table entry that contains the value. */
  readonly branch: SyntaxNode | undefined;
  /** True for the key of a table. */
  readonly isEntry: boolean;
  /** True for a value in an error handler. */
  readonly isHandler: boolean;
  /** The source text of a comparison's other operand; "" if none. */
  readonly subject: string;
  /** The enclosing function or table. */
  readonly within: SyntaxNode | undefined;
  /** All elements of a list, if code compares with each. */
  readonly among?: readonly ValueKey[];
}

/**
 * Lists the values on the wanted lines. Counts a named constant at each use, if these lines or those of `constantsOn`
 * define it.
 */
export function listPlaced(
  source: Source,
  isWanted: (line: number) => boolean,
  constantsOn = isWanted,
): PlacedValue[] {
  const named = [...walk(source.tree.root)].filter((node) => node.named);
  const nodes = named.filter((node) => isWanted(node.startLine));
  const defining = constantsOn === isWanted ? nodes : named.filter((node) => constantsOn(node.startLine));
  const constants = Map.groupBy(
    defining.flatMap((node) => readConstant(source, node)),
    ({ name }) => name,
  );
  const known = new Map<SyntaxNode, Set<number>>();
  const lookedUp = nodes.flatMap((node) => placeLookups(source, node, isWanted, known));
  const others = nodes.flatMap((node): PlacedValue[] => {
    const single = singledOut(source, node);
    if (single !== undefined) return [placeCondition(source, node, single)];
    const isName = roleOf(source, node) === "identifier";
    const key = isName ? constantAt(source, constants, node) : keyOf(source, node);
    const isPart =
      node.parent !== undefined && (isSigned(source, node.parent) || keyOf(source, node.parent) === key);
    if (key === undefined || isPart) return [];
    const placed = placeOf(source, node);
    if (placed === undefined) return [];
    const text = codeOf(source, node).replaceAll(/\s+/g, " ");
    return [{ key, text, line: node.startLine, ...placed }];
  });
  return [...lookedUp, ...others];
}

/** Minimum positions of a list that singles out an input: one position differs from all others. */
const fewestPositions = 4;

/** In a list that code reads by an input, finds the position and value of the only differing entry. */
function placeLookups(
  source: Source,
  node: SyntaxNode,
  isWanted: (line: number) => boolean,
  known: Map<SyntaxNode, Set<number>>,
): PlacedValue[] {
  const entries = listLookedUp(source, node).flatMap((each) => {
    const key = keyOf(source, each.entry);
    return key === undefined ? [] : [{ ...each, key }];
  });
  const positions = (entries.at(-1)?.position ?? 0) + 1;
  const groups = Map.groupBy(entries, ({ key }) => key);
  if (groups.size > 2) return [];
  const single = [...groups.values()].flatMap(([only, more]) => (only && !more ? [only] : []));
  return single.flatMap(({ table, entry, input, key, hasHoles }): PlacedValue[] => {
    if (!isWanted(entry.startLine) || (positions < fewestPositions && !hasHoles)) return [];
    const inputs = known.get(entry) ?? new Set();
    known.set(entry, inputs);
    if (inputs.has(input)) return [];
    inputs.add(input);
    const common = {
      ...{ line: entry.startLine, branch: entry, isEntry: true, isHandler: false },
      ...{ subject: "", within: table },
    };
    const text = codeOf(source, entry);
    return [
      { ...common, key: `n:${input}`, text: String(input), place: "compared" },
      { ...common, key, text, place: "returned" },
    ];
  });
}

/** Places a condition for one number, such as `6 < weight < 8`, which means `weight == 7`. */
function placeCondition(source: Source, node: SyntaxNode, only: number): PlacedValue {
  return {
    ...{ key: `n:${only}`, text: String(only), line: node.startLine, place: "compared" },
    ...{ branch: decisionAround(source, node), isEntry: false, isHandler: false, subject: "" },
    within: functionAbove(source, node),
  };
}

function isSigned(source: Source, node: SyntaxNode): boolean {
  return roleOf(source, node) === "unary" && keyOf(source, node) !== undefined;
}

interface Constant {
  readonly name: string;
  readonly key: ValueKey;
  readonly node: SyntaxNode;
  /** The function that assigns the constant; undefined at the top level and in a class. */
  readonly within: SyntaxNode | undefined;
  /** True if a function assigns the constant, but another scope declares it. */
  readonly isShared: boolean;
}

/** Reads a constant: `LIMIT = 100`. */
function readConstant(source: Source, node: SyntaxNode): Constant[] {
  const role = roleOf(source, node);
  if (role !== "assignment" && role !== "declaration" && role !== "declarator") return [];
  const target = partOf(source, node, "target") ?? partOf(source, node, "name");
  const value = partOf(source, node, "value");
  if (target === undefined || value === undefined || roleOf(source, target) !== "identifier") return [];
  const key = keyOf(source, value);
  if (key === undefined) return [];
  const name = codeOf(source, target);
  const within = functionAbove(source, node);
  const isShared = within !== undefined && role === "assignment" && !localsOf(within, source).has(name);
  return [{ name, key, node, within, isShared }];
}

/** Returns the value of a name. Ignores a later assignment in the same function, and another function's own name. */
function constantAt(
  source: Source,
  constants: ReadonlyMap<string, readonly Constant[]>,
  use: SyntaxNode,
): ValueKey | undefined {
  const name = codeOf(source, use);
  const known = constants.get(name);
  if (known === undefined) return undefined;
  const user = functionAbove(source, use);
  return known.findLast(({ within, node, isShared }) => {
    if (within === undefined) return true;
    if (user === within) return node.end <= use.start || isInLoopOf(use, node);
    if (user !== undefined && localsOf(user, source).has(name)) return false;
    return isShared || (within.start <= use.start && use.end <= within.end);
  })?.key;
}

const loops = /(?:^|_)(?:for|foreach|while|until|loop|do)(?:_|$)/;

/** True if a loop around the use also assigns the name. */
function isInLoopOf(use: SyntaxNode, { start, end }: SyntaxNode): boolean {
  return [...parentsOf(use)].some((each) => loops.test(each.kind) && each.start <= start && end <= each.end);
}

/** Languages in which an assignment makes a local name. */
const assigning = /\.(?:pyi?|rb|php)$/;

/** The function's parameters, and the names that it declares. */
const localsOf = once((within: SyntaxNode, source: Source): ReadonlySet<string> => {
  const found = new Set<string>();
  const shared = new Set<string>();
  const shares = source.file.endsWith(".rb") ? /^[@$]/ : /^@/;
  for (const node of walk(within)) {
    const role = roleOf(source, node);
    const words = (part: SyntaxNode | undefined): readonly string[] =>
      part === undefined ? [] : (codeOf(source, part).match(/[$@]*\w+/g) ?? []);
    if (/^(?:global_statement|nonlocal_statement|global_declaration)$/.test(node.kind))
      for (const word of words(node)) shared.add(word);
    const isParameters = role === "parameters" || /^parameters?$/.test(node.field ?? "");
    const isLocal =
      role === "declaration" ||
      role === "declarator" ||
      (role === "assignment" && assigning.test(source.file));
    const target = partOf(source, node, "target") ?? partOf(source, node, "name");
    const bound = role === "for-each" ? namedChildren(node)[0] : isLocal ? target : undefined;
    for (const word of words(isParameters ? node : bound)) if (!shares.test(word)) found.add(word);
  }
  for (const word of shared) found.delete(word);
  return found;
});

type Placed = Omit<PlacedValue, "key" | "text" | "line">;

function placeOf(source: Source, node: SyntaxNode): Placed | undefined {
  const compared = comparedIn(source, node);
  if (compared !== undefined) {
    const isEntry = isPair(source, compared);
    const among = isNumericRow(source, compared)
      ? namedChildren(compared).flatMap((each) => keyOf(source, each) ?? [])
      : elementsAround(source, node);
    return {
      ...(among === undefined ? {} : { among }),
      place: "compared",
      branch: compared,
      isEntry,
      isHandler: false,
      subject: isEntry ? "" : subjectOf(source, node),
      within: isEntry ? compared.parent : functionAbove(source, node),
    };
  }
  const holder = resultOf(source, node);
  if (holder === undefined) return undefined;
  const branch = branchAround(source, node);
  return {
    place: "returned",
    branch,
    isEntry: false,
    isHandler: isInHandler(source, holder),
    subject: "",
    within: functionAbove(source, node),
  };
}

/** Returns the elements of the list around the literal, if code compares with each. */
function elementsAround(source: Source, node: SyntaxNode): readonly ValueKey[] | undefined {
  const { parent } = node;
  const list = [parent, parent?.parent, parent?.parent?.parent].find(
    (each) => each !== undefined && comparedElement(source, each) !== undefined,
  );
  return list && elementsOf(list, source);
}

const elementsOf = once((list: SyntaxNode, source: Source): readonly ValueKey[] => {
  const literals = [...walk(list)].filter((each) => /^(?:number|string)$/.test(roleOf(source, each) ?? ""));
  // A list of pairs is a table, in which each row counts.
  const isTable = [...walk(list)].some(
    (each) => roleOf(source, each) === "collection" && isHeldIn(source, each, list),
  );
  const isCounted = isTable || isMembership(source, list, literals);
  return isCounted ? [] : literals.flatMap((each) => keyOf(source, each) ?? []);
});

/**
 * `[7, 99].some((heavy) => heavy === weight)` is `[7, 99].includes(weight)`: one decision, in which each number counts.
 * A loop over the numbers makes one decision per number.
 */
function isMembership(source: Source, list: SyntaxNode, literals: readonly SyntaxNode[]): boolean {
  const equality = comparedElement(source, list);
  if (equality === undefined || !literals.some((each) => roleOf(source, each) === "number")) return false;
  const decision = elementDecision(source, equality);
  return decision.start <= list.start && list.end <= decision.end;
}

function isHeldIn(source: Source, { parent }: SyntaxNode, list: SyntaxNode): boolean {
  return (
    parent !== undefined &&
    parent.start >= list.start &&
    parent.end <= list.end &&
    roleOf(source, parent) === "collection"
  );
}

/** Returns the other operand of the nearest comparison, or a switch's subject. */
function subjectOf(source: Source, node: SyntaxNode): string {
  for (const parent of parentsOf(node)) {
    if (isFunction(source, parent)) break;
    const operands = roleOf(source, parent) === "binary" ? namedChildren(parent) : [];
    const other = operands.find((operand) => node.end <= operand.start || operand.end <= node.start);
    if (other !== undefined) return codeOf(source, other);
    const subject = /^(?:match|switch|expression_switch|case(?:_match)?$)/.test(parent.kind)
      ? namedChildren(parent).find(
          ({ field, end }) => /^(?:subject|value|condition)$/.test(field ?? "") && end <= node.start,
        )
      : undefined;
    if (subject !== undefined) return codeOf(source, subject).replace(/^\((.*)\)$/s, "$1");
  }
  return "";
}

/** These calls single out an input only if the text is long. Many inputs begin with `--` or `data:`. */
const affixCalls = /^(?:starts?_?with|ends?_?with|has_?(?:prefix|suffix)|Contains)\??$/i;

/**
 * Returns true for a text of at least three words and eight characters. Such a text is a piece of one input, not a
 * prefix of many inputs.
 */
export function isPieceOfInput(text: string): boolean {
  return text.length >= shortestPiece && /\S\s+\S+\s+\S/.test(text);
}
const shortestPiece = 8;

/** The grammars' names for clauses that compare their first or own pattern, and for the patterns. */
const label =
  /^(?:case_clause|case_pattern|case_statement|expression_case|switch_case|switch_label|match_arm|match_condition_list|when|in_clause|pattern)$|_pattern$/;
/** Patterns with a content that singles out an input. */
const nested =
  /^(?:(?:match|or|union|tuple|tuple_struct|slice|list|array|literal|alternative|find|reference|captured|parenthesized|field|struct|as)_pattern|pattern)$/;
const clause = /clause|arm|case$|^when$|^case_statement$/;

/** Returns the code that a comparison with the value selects; undefined if there is none. */
function comparedIn(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  let inner = node;
  for (let parent = node.parent; parent !== undefined; inner = parent, parent = parent.parent) {
    const role = roleOf(source, parent);
    const pair = isPair(source, parent) ? namedChildren(parent) : undefined;
    if (pair !== undefined) return pair[0] === inner && pair.length === 2 ? parent : undefined;
    if (isEntry(source, parent, inner)) return parent;
    if (role === "binary") return isEquality(source, parent) ? decisionAround(source, parent) : undefined;
    if (isBinding(parent)) return inner.field === "pattern" ? clauseAround(source, parent) : undefined;
    if (label.test(parent.kind)) {
      if (nested.test(parent.kind)) continue;
      if (parent.kind === "range_pattern") {
        if (isOneValue(source, parent)) continue;
        return undefined;
      }
      const isLabel = label.test(inner.kind) || namedChildren(parent)[0] === inner;
      if (!isLabel) return undefined;
      return clause.test(parent.kind) ? parent : (parent.parent ?? parent);
    }
    const element = comparedElement(source, inner);
    if (element !== undefined) return elementDecision(source, element);
    if (role === "call" && isBuilding(source, parent)) continue;
    if (role === "call" || role === "arguments" || role === "attribute") {
      const call = role === "call" ? parent : callAround(source, parent);
      const name = call === undefined ? undefined : ownName(callOf(source, call)?.name ?? "");
      if (call === undefined || name === undefined) return undefined;
      if (isBuilding(source, call)) continue;
      const isAffix = affixCalls.test(name) && isPieceOfInput(codeOf(source, node));
      if (!isAffix && (!isEqualityCall(name) || isTextSearch(source, call))) return undefined;
      return decisionAround(source, call);
    }
    if (parent.kind === "token_tree" && parent.parent?.kind === "macro_invocation") {
      if (isListMacro(source, parent.parent)) continue;
      return /^matches\s*!/.test(codeOf(source, parent.parent))
        ? decisionAround(source, parent.parent)
        : undefined;
    }
    const isTransparent = /^(?:collection|parentheses|unary|values)$/.test(role ?? "");
    if (
      !isTransparent &&
      !isListMacro(source, parent) &&
      !/^(?:literal_value|literal_element|reference_expression|array_initializer|pattern_list)$/.test(
        parent.kind,
      )
    )
      return undefined;
  }
  return undefined;
}

/** True for `if let 7 = weight`, `let 7 = weight else`, and Ruby's `weight in 7`. */
function isBinding({ kind }: SyntaxNode): boolean {
  return /^(?:let_condition|let_declaration|test_pattern)$/.test(kind);
}

/** Returns the `if` or the loop with the pattern test as its condition. */
function clauseAround(source: Source, test: SyntaxNode): SyntaxNode {
  const around = [...parentsOf(test)].find((parent) =>
    /^(?:if|else-if|while)$/.test(roleOf(source, parent) ?? ""),
  );
  const body = around && partOf(source, around, "condition");
  return around !== undefined && body !== undefined && body.start <= test.start && test.end <= body.end
    ? around
    : test;
}

/** True for a range of one value: `7..=7` and `7..8`. */
function isOneValue(source: Source, range: SyntaxNode): boolean {
  const [from, to, more] = namedChildren(range).map((end) => keyOf(source, end)?.replace(/^n:/, ""));
  if (from === undefined || to === undefined || more !== undefined) return false;
  return from === to || (Number(to) - Number(from) === 1 && !codeOf(source, range).includes("..="));
}

/**
 * Returns the decision by an element's comparison: around the comparison, or around the call that gets the function.
 */
function elementDecision(source: Source, equality: SyntaxNode): SyntaxNode {
  const own = decisionAround(source, equality);
  const given = functionAbove(source, equality);
  const isGiven = given !== undefined && roleOf(source, given) === "function-expression";
  return own === equality && isGiven ? decisionAround(source, given.parent ?? given) : own;
}

/** True for a key with its value: `(100, 95)` in a list of pairs, `Map.of(100, 95)`, `table.put(100, 95)`. */
function isEntry(source: Source, parent: SyntaxNode, key: SyntaxNode): boolean {
  const role = roleOf(source, parent);
  const [first, second, more] = namedChildren(parent).filter((child) => roleOf(source, child) !== "comment");
  if (first !== key || second === undefined || keyOf(source, second) === undefined) return false;
  if (role === "collection") {
    const around = parent.parent;
    const isListed = around !== undefined && roleOf(source, around) === "collection";
    return more === undefined && isListed && (isOfMap(source, parent) || isNumericRow(source, parent));
  }
  if (role !== "arguments") return false;
  const call = callAround(source, parent);
  const name = call === undefined ? "" : (callOf(source, call)?.name ?? "");
  return /^(?:put|set|insert|of|entry|setdefault)$/.test(name);
}

/** True for `(7, 15)` in a list that makes a map. */
function isOfMap(source: Source, { parent }: SyntaxNode): boolean {
  return parent !== undefined && isInCall(source, parent, /^(?:new \w*Map|\w*Map|from|dict|entries|new)/);
}

/**
 * True for a row of numbers: `(7, 15)`. Code may look up the nearest row, so it counts only if the tests have both
 * numbers.
 */
function isNumericRow(source: Source, row: SyntaxNode): boolean {
  const keys = namedChildren(row).map((each) => keyOf(source, each));
  return (
    roleOf(source, row) === "collection" &&
    keys.length === 2 &&
    keys.every((key) => key?.startsWith("n:") === true && !isCommonKey(key)) &&
    !isOfMap(source, row)
  );
}

function isInCall(source: Source, node: SyntaxNode, named: RegExp): boolean {
  const call = node.parent && callAround(source, node.parent);
  const name = call === undefined ? "" : (callOf(source, call)?.name ?? codeOf(source, call));
  return named.test(name.replace(/^.*[.:]/, "")) || named.test(name);
}

/**
 * Returns the statement or expression that the comparison selects. If code only passes the result on, returns the
 * comparison itself.
 */
function decisionAround(source: Source, comparison: SyntaxNode): SyntaxNode {
  for (let node = comparison; node.parent !== undefined && !isFunction(source, node); node = node.parent) {
    const condition = conditionOf(source, node.parent);
    if (condition !== undefined && condition.start <= comparison.start && comparison.end <= condition.end)
      return node.parent;
  }
  return comparison;
}
