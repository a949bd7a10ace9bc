/**
 * Finds decisions on values that reveal the code's location, its caller or how it started. Follows these values through
 * variables, parameters and results of the same file. Pure.
 */
import { covers, namedChildren, nodeAt, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import {
  callOf,
  codeOf,
  conditionOf,
  isVariable,
  partOf,
  roleOf,
  type Source,
  unwrapParentheses,
} from "../../../syntax/reading.ts";
import { functionAbove, isBlockValue, isFunction } from "../../../syntax/statements.ts";
import { besideCode, ownStart } from "../guards/attack-sign-kinds.ts";
import type { Reveal } from "../guards/contract.ts";
import { guardsOf } from "../guards/find-guards.ts";
import { type SeenShape, seenAt } from "./seen-shape.ts";

/** A node whose value comes from a revealing expression. */
interface Mark {
  readonly node: SyntaxNode;
  readonly reveal: Reveal;
  /** The end offset of the revealing expression. */
  readonly end: number;
  /**
   * True once the code has read the revealing member of the value. Always true if the whole value reveals the
   * surroundings.
   */
  readonly isOpen: boolean;
  /** True for names of files next to the code, and false for the code's own location. */
  readonly isBeside: boolean;
}

interface Names {
  /** Maps the source text of each variable, and of each field with its object, to its uses. */
  readonly uses: ReadonlyMap<string, readonly SyntaxNode[]>;
  readonly functions: ReadonlyMap<string, SyntaxNode>;
}

/** Maximum number of marks. No file that people write has more. */
const mostMarks = 2_000;

export function listPlaceDecisions(source: Source): SeenShape[] {
  const found = (guardsOf(source.dialect.language)?.reveals ?? []).flatMap((reveal) =>
    findMarks(source, reveal),
  );
  if (found.length === 0) return [];
  const names = readNames(source);
  const waiting = found.flatMap((mark) =>
    mark.reveal.fills === true ? filledBy(source, names, mark) : [mark],
  );
  const known = new Set<SyntaxNode>();
  const seen: SeenShape[] = [];
  for (let mark = waiting.pop(); mark !== undefined && known.size < mostMarks; mark = waiting.pop()) {
    if (known.has(mark.node)) continue;
    known.add(mark.node);
    const { decision, next } = follow(source, names, mark);
    if (decision !== undefined) seen.push(decision);
    waiting.push(...next);
  }
  return seen;
}

function findMarks(source: Source, reveal: Reveal): Mark[] {
  if (reveal.imported?.test(source.tree.text) === false) return [];
  return [...source.tree.text.matchAll(reveal.code)].flatMap(({ index, 0: text }): Mark[] => {
    const node = nodeAt(source.tree.root, index, index + 1);
    const isText = [node, node.parent].some(
      (each) => each !== undefined && /^(?:string|comment)$/.test(roleOf(source, each) ?? ""),
    );
    if (isText || roleOf(source, node) === "module") return [];
    const isOpen = reveal.member === undefined;
    return [{ node, reveal, end: index + text.length, isOpen, isBeside: false }];
  });
}

function readNames(source: Source): Names {
  const uses = new Map<string, SyntaxNode[]>();
  const functions = new Map<string, SyntaxNode>();
  const note = (name: string, node: SyntaxNode): void => {
    const known = uses.get(name);
    if (known === undefined) uses.set(name, [node]);
    else known.push(node);
  };
  for (const node of walk(source.tree.root)) {
    if (!node.named) continue;
    const call = callOf(source, node);
    const isOwn =
      call?.receiver === undefined ||
      /^(?:self|cls|this|\$this|[A-Z]\w*)$/.test(codeOf(source, call.receiver));
    if (call !== undefined && isOwn) note(`${call.name}()`, node);
    if (isVariable(source, node) || roleOf(source, node) === "attribute") note(codeOf(source, node), node);
    const name = isFunction(source, node) ? nameOf(source, node) : undefined;
    if (name !== undefined) functions.set(name, node);
  }
  return { uses, functions };
}

/** Returns a function's name, or the name of the variable that holds the function. */
function nameOf(source: Source, node: SyntaxNode): string | undefined {
  const holder = node.parent && boundIn(source, node.parent);
  const own = partOf(source, node, "name");
  return own === undefined ? holder?.names[0] : codeOf(source, own);
}

/** Roles and kinds of nodes at which a value's way ends. */
const ending = /^(?:class|module|raise|pair|import|block|(?:require|include)(?:_once)?_expression)$/;

interface Followed {
  readonly decision?: SeenShape;
  readonly next: readonly Mark[];
}

const nothing: Followed = { next: [] };

/** Climbs from the value to its use in the code. */
function follow(source: Source, names: Names, mark: Mark): Followed {
  let { isOpen, isBeside } = mark;
  let child = mark.node;
  const marks = (nodes: readonly SyntaxNode[]): Followed => ({
    next: nodes.map((node) => ({ ...mark, node, end: node.end, isOpen, isBeside })),
  });
  const decides = (node: SyntaxNode): Followed =>
    isOpen && (mark.reveal.isSought !== true || isBeside) && !isMainCheck(source, node, mark.reveal)
      ? { decision: seenAt(source, isBeside ? besideCode : mark.reveal.sign, node), next: [] }
      : nothing;
  for (const parent of parentsOf(mark.node)) {
    const role = roleOf(source, parent);
    if (isSwitched(parent, child)) return decides(child);
    if (isCondition(source, parent, child))
      return mark.reveal.isWeak === true && !isShaped(source, child, mark) ? nothing : decides(child);
    const bound = boundIn(source, parent);
    if (bound?.value !== undefined && covers(bound.value, child))
      return marks(bound.names.flatMap((name) => usesOf(source, names, name, parent)));
    if (role === "return" || isBlockValue(source, child) || isArrowBody(source, parent, child))
      return marks(resultsOf(source, names, child));
    if (isFunction(source, parent) || ending.test(role ?? parent.kind)) return nothing;
    if (role === "binary") {
      if (isChoice(source, parent)) {
        const isBound = parent.parent !== undefined && roleOf(source, parent.parent) === "for";
        const isAsked = isBound || parent.children.some((each) => absent.test(codeOf(source, each)));
        if (mark.reveal.isWeak !== true || !isAsked) return decides(parent);
      }
    } else if (role === "subscript" && partOf(source, parent, "index") === child) return decides(parent);
    else if (role === "attribute" && memberOf(source, parent).match(mark.reveal.member ?? /^$/))
      isOpen = true;
    else if (role === "call") {
      const call = callOf(source, parent);
      const name = call?.name.replace(/^new /, "") ?? memberOf(source, parent);
      const isRevealing =
        call !== undefined && call.callee.end <= mark.end && call.callee.end > mark.node.start;
      const isLooked = call?.list === child && looking.test(name);
      if (!isRevealing && (isLooked || deciding.test(name))) return decides(parent);
      if (!isRevealing && existing.test(name)) isBeside = true;
      else if (!isRevealing && !passing.test(name)) return marks(parametersFor(source, names, parent, child));
    }
    child = parent;
  }
  return nothing;
}

const absent = /^(?:null|None|nil|["']?undefined["']?)$/;

/** True if the child is a condition: `if (child)`, `while (child)`. */
function isCondition(source: Source, parent: SyntaxNode, child: SyntaxNode): boolean {
  const condition = conditionOf(source, parent);
  return condition !== undefined && covers(child, condition);
}

/** True if the child is a switch's subject: `switch (child)`. */
function isSwitched(parent: SyntaxNode, child: SyntaxNode): boolean {
  const isSwitch = /^(?:\w*switch\w*|match\w*|case|case_match)$/.test(parent.kind);
  return isSwitch && /^(?:value|subject|condition)$/.test(child.field ?? "");
}

/** False if the condition only tests whether the value exists: `if (error.stack)`, `if (X.getResource(n) == null)`. */
function isShaped(source: Source, node: SyntaxNode, mark: Mark): boolean {
  return [...walk(node)].some((each) => {
    if (roleOf(source, each) !== "call") return false;
    const callee = callOf(source, each)?.callee;
    const isRevealing = callee !== undefined && callee.start >= mark.node.start && callee.end <= mark.end;
    return !isRevealing;
  });
}

/** True for a comparison, and for arithmetic with a number as result. `"%s" % x` and `"-" * n` are texts. */
function isChoice(source: Source, node: SyntaxNode): boolean {
  const sign = node.children.find(({ kind, named }) => !named && choosing.test(kind))?.kind;
  if (sign === undefined) return false;
  return !/^[%*]$/.test(sign) || !namedChildren(node).some((each) => isText(source, each));
}

const choosing = /^(?:[=!]==?|[<>]=?|<=>|[=!]~|in|not in|is|is not|[-*%^]|&)$/;

/** True for a text, a translated text, or the values that fill a text. */
function isText(source: Source, node: SyntaxNode): boolean {
  const inner = unwrapParentheses(source, node);
  const isTranslated = /^(?:_|n?gettext)$/.test(callOf(source, inner)?.name ?? "");
  return isTranslated || /^(?:string|collection)$/.test(roleOf(source, inner) ?? "");
}

/**
 * True for a check whether the file is the program itself: `import.meta.url === pathToFileURL(process.argv[1]).href`,
 * `__FILE__ == $0`.
 */
function isMainCheck(source: Source, node: SyntaxNode, { sign }: Reveal): boolean {
  if (functionAbove(source, node) !== undefined) return false;
  if (sign === ownStart) return isOwnFile(codeOf(source, node).slice(0, 200));
  const around = [node, ...[...parentsOf(node)].slice(0, 2)];
  return around.some((each) => /\bargv\b|\$0\b|\$PROGRAM_NAME\b/.test(codeOf(source, each).slice(0, 200)));
}

/** True if the code compares the started program with the file itself, or with a variable. */
function isOwnFile(code: string): boolean {
  if (/\bimport\s*\.\s*meta\b|__(?:FILE|file|filename)(?:__)?\b/.test(code)) return true;
  return /==/.test(code) && !/"[^"]*"|'[^']*'|==\s*-?\d|\.\s*(?:length|size)\b|\blen\s*\(/.test(code);
}

function memberOf(source: Source, node: SyntaxNode): string {
  const member = partOf(source, node, "member");
  return member === undefined ? "" : codeOf(source, member);
}

interface Bound {
  readonly names: readonly string[];
  readonly value: SyntaxNode | undefined;
}

const part = (node: SyntaxNode, fields: RegExp): SyntaxNode | undefined =>
  node.children.find(({ named, field }) => named && fields.test(field ?? ""));

/** Returns the names that get a value here, and the value. */
function boundIn(source: Source, node: SyntaxNode): Bound | undefined {
  const role = roleOf(source, node);
  const isLoop = role === "for-each" || node.kind === "for_in_clause";
  const isPlain = /^(?:assignment|augmented-assignment|declarator|declaration)$/.test(role ?? "");
  const isNamed = /^(?:named_expression|as_pattern|let_condition|aliased_import|import_specifier)$/.test(
    node.kind,
  );
  const caught = node.kind === "catch_clause" ? part(node, /^parameter$/) : undefined;
  if (caught !== undefined) return { names: [codeOf(source, caught)], value: caught };
  if (!isLoop && !isPlain && !isNamed) return undefined;
  const target = isPlain
    ? partOf(source, node, "target")
    : (part(node, /^(?:left|alias|pattern)$/) ?? part(node, /^name$/));
  const value = isPlain
    ? partOf(source, node, "value")
    : (part(node, /^(?:right|value|iterable)$/) ?? namedChildren(node)[0]);
  if (target === undefined) return undefined;
  const names = codeOf(source, target).split(/[\s,:()[\]{}*&]+/);
  return { names: names.filter((name) => /^[$@]*[A-Za-z_][\w.>-]*$/.test(name) && name !== "_"), value };
}

/** Lists the uses of the name in its scope: the function that binds it, or the whole file. */
function usesOf(source: Source, names: Names, name: string, binding: SyntaxNode): SyntaxNode[] {
  const owner = /[.>@]/.test(name) ? undefined : functionAbove(source, binding);
  const within = owner ?? source.tree.root;
  return [...(names.uses.get(name) ?? []), ...(names.uses.get(`${name}()`) ?? [])].filter((node) =>
    covers(within, node),
  );
}

function isArrowBody(source: Source, parent: SyntaxNode, child: SyntaxNode): boolean {
  return (
    roleOf(source, parent) === "function-expression" &&
    child.field === "body" &&
    roleOf(source, child) !== "block"
  );
}

/** Lists the calls of the function that returns the node. */
function resultsOf(source: Source, names: Names, node: SyntaxNode): readonly SyntaxNode[] {
  const owner = functionAbove(source, node);
  const name = owner && nameOf(source, owner);
  if (name === undefined) return [];
  const bare = source.dialect.bareStatements === true ? (names.uses.get(name) ?? []) : [];
  return [...(names.uses.get(`${name}()`) ?? []), ...bare];
}

/** Lists the uses of the parameter that gets the argument, in a function of the same file. */
function parametersFor(source: Source, names: Names, node: SyntaxNode, child: SyntaxNode): SyntaxNode[] {
  const call = callOf(source, node);
  const called = call && names.functions.get(call.name);
  const place = call?.list === child ? -1 : 0;
  if (call === undefined || called === undefined || place === 0) return [];
  const list = partOf(source, called, "parameters");
  const given = new Set((list ? [...walk(list)] : []).map((each) => codeOf(source, each)));
  return [...given]
    .filter((name) => /^\$?[A-Za-z_]\w*$/.test(name) && !/^(?:self|cls|this)$/.test(name))
    .flatMap((name) => (names.uses.get(name) ?? []).filter((use) => covers(called, use)));
}

/** Marks the variables that the mark's statement passes to calls. These calls write the value into the variables. */
function filledBy(source: Source, names: Names, mark: Mark): Mark[] {
  const around = [mark.node, ...parentsOf(mark.node)];
  const statement = around.find(({ parent }) =>
    /^(?:block|module)$/.test((parent && roleOf(source, parent)) ?? ""),
  );
  if (statement === undefined) return [];
  const given = [...walk(statement)].filter((each) => {
    const isPlain = each.parent !== undefined && roleOf(source, each.parent) !== "attribute";
    return isVariable(source, each) && isPlain && isArgument(source, each, statement);
  });
  return given
    .flatMap((each) => usesOf(source, names, codeOf(source, each), statement))
    .map((node) => ({ ...mark, node, end: node.end }));
}

function isArgument(source: Source, node: SyntaxNode, statement: SyntaxNode): boolean {
  return [...parentsOf(node)].some(
    (parent) => covers(statement, parent) && roleOf(source, parent) === "arguments",
  );
}

/** Calls whose result is a decision on a text. */
const deciding =
  /^(?:includes?\??|contains\w*|Contains\w*|has|Has(?:Prefix|Suffix)|in_array|str_(?:contains|(?:starts|ends)_with)|strr?i?pos|preg_match\w*|array_search|starts_?with|ends_?with|start_with\?|end_with\?|startsWith|endsWith|index(?:Of)?|rindex|lastIndexOf|Index\w*|find|rfind|find(?:all|iter)|scan|substr_count|search|match\w*|Match\w*|test|count|Count|fnmatch\w*|equals\w*|isdisjoint|issubset|issuperset|intersection|is_relative_to|member\?|eq|Equal\w*|EqualFold|compare\w*)$/;
/** Calls that look a value up by their argument. */
const looking = /^(?:get|fetch|getOrDefault|setdefault|dig|getattr|Get)$/;
/** Calls that look for files. */
const existing =
  /^(?:r?glob|Glob|globSync|iterdir|listdir|scandir|readdir\w*|ReadDir|entries|children|listFiles|list|exists\w*|exist\?|is_dir|is_file|isdir|isfile|isDirectory|isFile|file_exists|file\?|directory\?|try_exists|l?stat\w*|L?Stat|access\w*)$/;
/** Calls that pass a value on: their result reveals as much as their argument. */
const passing =
  /^(?:(?:Pure)?(?:Posix)?Path|Pathname|URL|File|str|repr|tuple|set|frozenset|sorted|reversed|array\w*|len|size|length|any\??|all\??|none\?|some|every|sum|max|min|bool|Boolean|Number|String|int|float|Int\w*|fileURLToPath|dirname|basename|extname|normpath|normalize|normcase|resolve|relative|relpath|relative_to|realpath\w*|abspath|absolute\w*|expand_path|expanduser|join|joinpath|Join|Dir|Base|Ext|Abs|Clean|Rel|split\w*|Split\w*|explode|implode|rsplit|r?partition|lower\w*|upper\w*|casefold|to(?:Lower|Upper)\w*|To(?:Lower|Upper)|downcase|upcase|l?r?strip|trim\w*|Trim\w*|replace\w*|sub|gsub|slice|substr\w*|at|get|charAt|encode|decode|to_\w+|toString|as_\w+|as_str|display|unwrap\w*|expect|parents?|with_\w+|components|ancestors|next|iter|into_iter|first|last|pop|shift|map|filter|enumerate|values|keys|items|FileLine|Name|Next|File|getProtocol|getPath|getFile\w*|getName|toURI|toExternalForm|toAbsolutePath|getCanonicalPath|getAbsolutePath|String|Bytes|format|bytes|read_text|getvalue|Mode|mode|IsDir|file_type|is_fifo|is_char_device|S_IS\w+)$/;
