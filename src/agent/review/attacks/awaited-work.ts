/**
 * Tells whether the function that starts background work also waits for its end. The work must signal its
 * end as its last step, and no path may lead around the wait. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { namedChildren, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { functionAbove, isStatement } from "../../../syntax/statements.ts";
import { blankLines } from "../texts/code-lines.ts";

/** Returns true if all work started by the line has ended when the enclosing function returns. */
export function isAwaited(source: Source, line: number): boolean {
  const { language } = source.dialect;
  const nodes = [...walk(source.tree.root)];
  if (language === "go") {
    const started = nodes.filter(({ kind, startLine }) => kind === "go_statement" && startLine === line);
    return started.length > 0 && started.every((start) => isGoAwaited(source, start, new Set()));
  }
  const code = blankedText(source);
  if (code === undefined) return false;
  const starts = [...code.matchAll(starting)].map(({ index }) => index);
  const startsIn = (node: SyntaxNode): number[] => starts.filter((at) => node.start <= at && at < node.end);
  const holding = nodes.filter(
    (node) =>
      node.startLine <= line &&
      line <= node.endLine &&
      isStatement(source, node) &&
      keeping.test(codeOf(source, node)) &&
      startsIn(node).length > 0,
  );
  const statements = holding.filter(
    (node) => !holding.some((each) => contains(node, each) && !isOnly(node, each)),
  );
  const onLine = starts.filter((at) => code.slice(0, at).split("\n").length === line);
  return (
    statements.length > 0 &&
    onLine.every((at) => statements.some((node) => node.start <= at && at < node.end)) &&
    statements.every(
      (node) =>
        (startsIn(node).length === 1 || isList(source, node, startsIn(node))) &&
        (resolves.test(codeOf(source, node)) || isJoined(source, node, code)),
    )
  );
}

/**
 * Matches code that starts work. If it occurs inside awaited work, nothing waits for the further work that it starts.
 */
const starting =
  /\b(?:Thread|Timer|Process|start_new_thread|ensure_future|create_task|run_in_executor|call_later|call_soon\w*|startVirtualThread|runAsync|supplyAsync|submit|schedule|spawn\w*|setImmediate|setTimeout|queueMicrotask|nextTick)\s*\(|\bThread\s*\.\s*(?:new|start|fork|ofVirtual|ofPlatform)\b|(?<![\w.])fork\b|\bvoid\s+(?:Promise\b|\(\s*async\b)|\.\s*catch\s*\(\s*\(/g;

/** True for `[Thread(target=a), Thread(target=b)]`: each start is an element of the list that the statement keeps. */
function isList(source: Source, statement: SyntaxNode, starts: readonly number[]): boolean {
  const list = [...walk(statement)].find(({ kind, end }) => kind === "list" && end === statement.end);
  if (list === undefined) return false;
  const elements = namedChildren(list);
  return starts.every((at) =>
    elements.some(
      (each) =>
        each.start <= at &&
        at < each.end &&
        starts.filter((other) => each.start <= other && other < each.end).length === 1 &&
        /^[\w.]+\(/.test(codeOf(source, each)),
    ),
  );
}

/**
 * The text with blanks in place of comments and strings. Undefined for a text with carriage returns, which would move
 * the offsets.
 */
function blankedText(source: Source): string | undefined {
  if (source.tree.text.includes("\r")) return undefined;
  return blankLines(source)
    .map((line) => line.code)
    .join("\n");
}

/** True if the name gets another value in the text, so that it no longer holds the same work. */
function isReplaced(text: string, name: string): boolean {
  const own = literally(name);
  return new RegExp(
    String.raw`(?<![\w.])${own}\s*(?::[^=\n;]*)?:?=(?!=)|^[ \t]*(?:\w+,\s*)*${own}\s*(?:,\s*\w+\s*)*:?=(?!=)|\bfor\s+\(?${own}\s+in\b|\bfor\s*\([^:;()]*\b${own}\s*:`,
    "m",
  ).test(text);
}

/** JavaScript's `await new Promise((resolve) => setImmediate(resolve))`. */
const resolves =
  /^(?:await|return)\s+new\s+Promise(?:<[^<>]*>)?\(\s*\(?\s*(\w+)\s*\)?\s*=>\s*(?:setImmediate|queueMicrotask|process\.nextTick)\(\s*\1\s*\)\s*,?\s*\)/;

const contains = (outer: SyntaxNode, inner: SyntaxNode): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/** True if each path from the start of the work reaches the wait. */
function leadsTo(source: Source, start: SyntaxNode, wait: SyntaxNode): boolean {
  const owner = functionAbove(source, start);
  if (owner === undefined || wait.start < start.end) return false;
  let inner = wait;
  for (const outer of parentsOf(wait)) {
    if (contains(outer, start)) break;
    if (isChoice(source, outer, inner)) return false;
    inner = outer;
  }
  return ![...walk(owner)].some(
    (node) =>
      node.start >= start.end &&
      node.start < wait.start &&
      !contains(node, wait) &&
      functionAbove(source, node) === owner &&
      leaves(source, node, start),
  );
}

/** True if the inner part runs only sometimes. A condition itself always runs. */
function isChoice(source: Source, outer: SyntaxNode, inner: SyntaxNode): boolean {
  if (/case|except|catch|rescue|select|when|match_arm/.test(outer.kind)) return true;
  const role = roleOf(source, outer);
  if (role === "binary")
    return /&&|\|\||\b(?:and|or)\b/.test(codeOf(source, outer)) && inner.field !== "left";
  const isDeciding = role === "if" || role === "else-if" || role === "while" || role === "conditional";
  return isDeciding && inner.field !== "condition" && inner.field !== "initializer";
}

function leaves(source: Source, node: SyntaxNode, start: SyntaxNode): boolean {
  const role = roleOf(source, node);
  if (role === "return" || role === "raise" || /^goto/.test(node.kind)) return true;
  if (role !== "break" && role !== "continue") return false;
  const loop = [...parentsOf(node)].find((each) => isLoop(source, each));
  return loop === undefined || contains(loop, start);
}

function isLoop(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  return role === "for" || role === "for-each" || role === "while" || node.kind === "for_statement";
}

interface Signal {
  readonly kind: "group" | "send" | "close";
  readonly name: string;
}

function isGoAwaited(source: Source, start: SyntaxNode, above: ReadonlySet<SyntaxNode>): boolean {
  const owner = functionAbove(source, start);
  if (owner === undefined || above.has(start)) return false;
  const inside = [...walk(owner)];
  return listSignals(source, start).some((signal) =>
    inside.some((wait) => {
      if (!isWait(source, wait, signal) || contains(start, wait)) return false;
      if (!isCounted(source, inside, start, wait, signal) || isOther(source, owner, start, wait, signal.name))
        return false;
      return isReached(source, start, wait, signal, new Set([...above, start]));
    }),
  );
}

/**
 * Lists the signals that the work sends as its last action: `defer group.Done()`, `done <- true`, `close(done)`. Uses
 * the caller's names.
 */
function listSignals(source: Source, start: SyntaxNode): Signal[] {
  const call = namedChildren(start)[0];
  const [callee, list] = call === undefined ? [] : namedChildren(call);
  if (callee === undefined || list === undefined) return [];
  const started =
    callee.kind === "func_literal"
      ? callee
      : [...walk(source.tree.root)].find(
          (node) =>
            node.kind === "function_declaration" &&
            namedChildren(node).some(
              (child) => child.field === "name" && codeOf(source, child) === codeOf(source, callee),
            ),
        );
  const body = started && namedChildren(started).find(({ field }) => field === "body");
  const parameters = started && namedChildren(started).find(({ field }) => field === "parameters");
  if (body === undefined || parameters === undefined) return [];
  const names = namedChildren(parameters).flatMap((each) =>
    namedChildren(each).filter(({ field }) => field === "name"),
  );
  const given = namedChildren(list).map((each) => codeOf(source, each).replace(/^&/, ""));
  const outside = new Map(names.map((each, index) => [codeOf(source, each), given[index] ?? ""]));
  const statements = directIn(body);
  const [deferred] = statements.filter(({ kind }) => kind === "defer_statement");
  const last = deferred === undefined ? statements.at(-1) : namedChildren(deferred)[0];
  const signal = last && readSignal(unwrapCall(source, last));
  if (signal === undefined) return [];
  const isOwn = new RegExp(String.raw`\b${literally(signal.name)}\b[\w\s,]*:=`).test(codeOf(source, body));
  const name = outside.get(signal.name) ?? signal.name;
  // A function of its own knows no variable of the caller.
  return isOwn || (started !== callee && !outside.has(signal.name)) ? [] : [{ ...signal, name }];
}

const directIn = (body: SyntaxNode): SyntaxNode[] =>
  namedChildren(body)
    .flatMap((each) => (each.kind === "statement_list" ? namedChildren(each) : [each]))
    .filter(({ kind }) => kind !== "comment");

/** Replaces the call of a function by the function's only statement: `func() { done <- true }()`. */
function unwrapCall(source: Source, node: SyntaxNode): string {
  const literal = node.kind === "call_expression" ? namedChildren(node)[0] : undefined;
  const body =
    literal?.kind === "func_literal"
      ? namedChildren(literal).find(({ field }) => field === "body")
      : undefined;
  const [only, more] = body === undefined ? [] : directIn(body);
  return codeOf(source, only !== undefined && more === undefined ? only : node);
}

function readSignal(text: string): Signal | undefined {
  const [, group, send, closed] =
    /^([\w.]+)\.Done\(\)$|^([\w.]+)\s*<-|^close\(([\w.]+)\)$/.exec(text.trim()) ?? [];
  if (group !== undefined) return { kind: "group", name: group };
  if (send !== undefined) return { kind: "send", name: send };
  return closed === undefined ? undefined : { kind: "close", name: closed };
}

function isWait(source: Source, node: SyntaxNode, { kind, name }: Signal): boolean {
  const text = codeOf(source, node);
  if (kind === "group") return node.kind === "call_expression" && text === `${name}.Wait()`;
  if (node.kind === "range_clause") return new RegExp(`\\brange\\s+${literally(name)}$`).test(text);
  return node.kind === "unary_expression" && new RegExp(`^<-\\s*${literally(name)}$`).test(text);
}

/** True if the name gets another group or channel before the wait. */
function isOther(
  source: Source,
  owner: SyntaxNode,
  start: SyntaxNode,
  wait: SyntaxNode,
  name: string,
): boolean {
  const loops = [...parentsOf(start)].filter(
    (each) => isLoop(source, each) && contains(owner, each) && !contains(each, wait),
  );
  const isDeferred = [...parentsOf(wait)].some(
    (each) => each.kind === "defer_statement" && contains(owner, each),
  );
  const from = Math.min(
    start.start,
    isDeferred ? wait.start : start.start,
    ...loops.map((each) => each.start),
  );
  return isReplaced(source.tree.text.slice(from, isDeferred ? owner.end : wait.start), name);
}

/** True if the group counts the work before the work starts, and nothing else can end the wait. */
function isCounted(
  source: Source,
  inside: readonly SyntaxNode[],
  start: SyntaxNode,
  wait: SyntaxNode,
  { kind, name }: Signal,
): boolean {
  const owner = functionAbove(source, start);
  const started = inside.filter((node) => node.kind === "go_statement");
  const others = inside.filter((node) => !contains(start, node));
  const outside = others.filter((node) => !started.some((each) => contains(each, node)));
  const own = literally(name);
  if (kind === "group") {
    const adds = new RegExp(`^${own}\\.Add\\(\\s*(?!0\\s*\\)|-)`);
    const ends = new RegExp(`^${own}\\.(?:Done\\(|Add\\(\\s*-)`);
    const isCall = (node: SyntaxNode): boolean => node.kind === "call_expression";
    return (
      !outside.some((node) => isCall(node) && ends.test(codeOf(source, node))) &&
      outside.some(
        (node) =>
          isCall(node) &&
          functionAbove(source, node) === owner &&
          node.end <= start.start &&
          adds.test(codeOf(source, node)),
      )
    );
  }
  const ends = new RegExp(`^(?:${own}\\s*<-|close\\(${own}\\)$)`);
  const isEnded = outside.some(
    (node) =>
      (node.kind === "send_statement" || node.kind === "call_expression") && ends.test(codeOf(source, node)),
  );
  // Only a closed channel ends a loop over its values: other work may fill it.
  const calls = kind === "close" && wait.kind === "range_clause" ? outside : others;
  return !isEnded && !calls.some((node) => isGivenTo(source, node, name));
}

/** True for `poke(done)`, but not for `len(done)`. */
function isGivenTo(source: Source, call: SyntaxNode, name: string): boolean {
  if (call.kind !== "call_expression" || /^(?:len|cap)\(/.test(codeOf(source, call))) return false;
  const list = namedChildren(call).find(({ field }) => field === "arguments");
  return (
    list !== undefined && namedChildren(list).some((each) => codeOf(source, each).replace(/^&/, "") === name)
  );
}

function isReached(
  source: Source,
  start: SyntaxNode,
  wait: SyntaxNode,
  signal: Signal,
  above: ReadonlySet<SyntaxNode>,
): boolean {
  const owner = functionAbove(source, start);
  const around = functionAbove(source, wait);
  const holder = [...parentsOf(wait)].find(
    ({ kind }) => kind === "defer_statement" || kind === "go_statement",
  );
  if (around !== owner) {
    // `go func() { group.Wait(); close(done) }()` waits in the place of a function that waits for `done`.
    const isDirect = around !== undefined && directIn(bodyIn(around)).some((each) => isOnly(each, wait));
    if (!isDirect || holder === undefined || functionAbove(source, holder) !== owner) return false;
    return holder.kind === "go_statement" && leadsTo(source, start, holder)
      ? isGoAwaited(source, holder, above)
      : holder.kind === "defer_statement" && isUnconditional(source, holder, start);
  }
  if (holder?.kind === "defer_statement") return isUnconditional(source, holder, start);
  if (!leadsTo(source, start, wait)) return false;
  const loopsOf = (node: SyntaxNode, other: SyntaxNode): SyntaxNode[] =>
    [...parentsOf(node)].filter(
      (each) => each.kind === "for_statement" && contains(owner ?? each, each) && !contains(each, other),
    );
  const [starting, waiting] = [loopsOf(start, wait), loopsOf(wait, start)];
  if (wait.kind === "range_clause") {
    const own = waiting.shift();
    const body = own && codeOf(source, own);
    if (body === undefined || /\b(?:break|return|goto|panic)\b/.test(body)) return false;
    return waiting.length === 0;
  }
  if (signal.kind !== "send") return waiting.length === 0;
  if (waiting.some((loop) => /\b(?:break|return|goto)\b/.test(codeOf(source, loop)))) return false;
  return (
    starting.length === waiting.length && starting.every((loop, at) => isSameLoop(source, loop, waiting[at]))
  );
}

const bodyIn = (node: SyntaxNode): SyntaxNode =>
  namedChildren(node).find(({ field }) => field === "body") ?? node;

const isOnly = (statement: SyntaxNode, node: SyntaxNode): boolean =>
  statement.start === node.start && statement.end === node.end;

function isUnconditional(source: Source, deferred: SyntaxNode, start: SyntaxNode): boolean {
  let inner = deferred;
  for (const outer of parentsOf(deferred)) {
    if (contains(outer, start)) return true;
    if (isChoice(source, outer, inner) || isLoop(source, outer)) return false;
    inner = outer;
  }
  return false;
}

/** True if both loops have equally many rounds: over the same list, or up to the same number. */
function isSameLoop(source: Source, one: SyntaxNode, other: SyntaxNode | undefined): boolean {
  const boundOf = (loop: SyntaxNode): string => {
    const header = codeOf(source, loop).split("{")[0] ?? "";
    const [, ranged] = /\brange\s+(.+?)\s*$/.exec(header) ?? [];
    const [, compared] = /;\s*\w+\s*<\s*(.+?)\s*;/.exec(header) ?? [];
    return (ranged ?? compared ?? "").replace(/^len\((.*)\)$/, "$1").trim();
  };
  return other !== undefined && boundOf(one) !== "" && boundOf(one) === boundOf(other);
}

const kept =
  /^\s*(?:(?:let|const|var|final)\s+(?:mut\s+)?)?(?:[\w.]+(?:<[\w<>, ?]*>)?(?:\[\])?\s+)?(\w+)\s*(?::[^=\n]*)?=(?!=)/;
const collected = /^\s*(\w+)(?:\.(?:append|push|add)\(|\s*<<)/;

const keeping = new RegExp(`${resolves.source}|${kept.source}|${collected.source}`);

/** Calls that wait for the end of the work `NAME`, or of each work in the list `NAME`. */
const joins: Readonly<Record<string, readonly string[]>> = {
  python: [
    String.raw`NAME\.join\(\)`,
    String.raw`await\s+NAME\s*$`,
    String.raw`await\s+asyncio\.(?:gather|wait)\(\s*\*?NAME\s*\)`,
    String.raw`for\s+(\w+)\s+in\s+NAME\s*:\s*(?:await\s+\1\s*$|\1\.join\(\))`,
  ],
  rust: [
    String.raw`NAME\.(?:join\(\)|await\b)`,
    String.raw`for\s+(\w+)\s+in\s+NAME(?:\.(?:into_iter|drain)\([.]*\))?\s*\{\s*(?:let\s+\w+\s*=\s*|\w+\.push\()?\1\.(?:join\(\)|await\b)`,
    String.raw`NAME\s*\.(?:into_iter|drain)\([.]*\)\s*\.(?:map|for_each)\(\s*\|(\w+)\|\s*\{?\s*\1\.join\(\)`,
  ],
  java: [
    String.raw`NAME\.(?:join|get)\(\)`,
    String.raw`for\s*\(\s*(?:final\s+)?[\w<>?]+\s+(\w+)\s*:\s*NAME\s*\)\s*\{?\s*(?:try\s*\{\s*)?\1\.(?:join|get)\(\)`,
    String.raw`NAME\.forEach\(\s*\w+::join\s*\)`,
    String.raw`CompletableFuture\.allOf\([^;]*\bNAME\b[^;]*\)\s*\.(?:join|get)\(\)`,
  ],
  ruby: [
    String.raw`NAME\.(?:join|value)\b(?!\s*\()`,
    String.raw`NAME\.(?:each|map|flat_map)(?:\(&:(?:join|value)\)|\s*(?:\{|do)\s*\|(\w+)\|\s*\1\.(?:join|value)\b(?!\s*\())`,
  ],
};

/** True for `thread = Thread(…)` and a later `thread.join()`, also through a list of threads. */
function isJoined(source: Source, start: SyntaxNode, code: string): boolean {
  const owner = functionAbove(source, start);
  const forms = joins[source.dialect.language];
  if (owner === undefined || forms === undefined) return false;
  const own = code.slice(start.start, start.end);
  const name = (collected.exec(own) ?? kept.exec(own))?.[1];
  if (name === undefined) return false;
  const after = code.slice(start.end, owner.end);
  const put = new RegExp(
    String.raw`(?<![\w.])(\w+)(?:\.(?:append|push|add)\(\s*|\s*<<\s*)${literally(name)}\b`,
  ).exec(after);
  const list = put === null || isReplaced(after.slice(0, put.index), name) ? undefined : put[1];
  // One name in a loop holds the last work only.
  const loops = [...parentsOf(start)].filter((each) => isLoop(source, each) && contains(owner, each));
  return [name, ...(list === undefined ? [] : [list])].some((held) =>
    forms.some((form) =>
      [
        ...after.matchAll(
          new RegExp(String.raw`(?<![\w.])${form.replaceAll("NAME", literally(held))}`, "gm"),
        ),
      ].some((match) => {
        const wait = smallestAt(source, owner, start.end + match.index);
        if (wait === undefined || !leadsTo(source, start, wait)) return false;
        if (isReplaced(after.slice(0, match.index), held)) return false;
        const left = loops.filter((each) => !contains(each, wait));
        const before = Math.min(start.start, ...left.map((each) => each.start));
        if (isReplaced(code.slice(before, start.start), held)) return false;
        const isSameRound = loops.some((each) => contains(each, wait));
        return loops.length === 0 || isSameRound || held === list || collected.test(own);
      }),
    ),
  );
}

function smallestAt(source: Source, owner: SyntaxNode, at: number): SyntaxNode | undefined {
  const found = [...walk(owner)].findLast(
    (node) => node.start === at && functionAbove(source, node) === owner,
  );
  return found;
}
