/** The statements of the files that may be at fault, their functions, and the statements of each line. */
import type { Role } from "../syntax/dialect.ts";
import { namedChildren, parentsOf, type SyntaxNode } from "../syntax/node.ts";
import { type LanguageOf, readSource } from "../syntax/read-source.ts";
import { partOf, roleOf, type Source } from "../syntax/reading.ts";
import {
  enclosingFunction,
  type FunctionSpan,
  functionAbove,
  isFunction,
  ownNodes,
  type Statement,
  statementsOf,
} from "../syntax/statements.ts";

/** A named function, or the top level of a file: class bodies, constants. */
export interface PlacedFunction {
  readonly file: string;
  /** The function's name with its classes: `Zone.find`; undefined at the top level. */
  readonly name: string | undefined;
  readonly startLine: number;
  readonly endLine: number;
}

export interface PlacedStatement {
  readonly file: string;
  /** The statement without its node, because a node would keep the whole tree in memory. */
  readonly statement: Omit<Statement, "node">;
  /** The number of the statement's own operators, including indexing. */
  readonly operators: number;
  /**
   * The nearest enclosing function with a name, or else the nearest function. All of a function's statements share one
   * object.
   */
  readonly function: PlacedFunction;
}

/**
 * A condition or loop (`decision`), and the first statement that it guards (`first`). Both are indices into
 * `statements`.
 */
export interface Branch {
  readonly decision: number;
  readonly first: number;
}

export interface ProgramMap {
  readonly statements: readonly PlacedStatement[];
  readonly branches: readonly Branch[];
  /** Indices into `statements` of those on the line. */
  at(file: string, line: number): readonly number[];
}

type FileLines = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Maps the statements of files. Leaves out files in a language without a dialect, imports, docstrings, and statements
 * on lines of test code.
 */
export async function mapProgram(
  texts: ReadonlyMap<string, string>,
  languageOf: LanguageOf,
  testLines: FileLines = new Map(),
): Promise<ProgramMap> {
  const statements: PlacedStatement[] = [];
  const branches: Branch[] = [];
  const owners = new Map<string, Map<number, number[]>>();
  for (const [file, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const source = await readSource(file, text, languageOf);
    if (source === undefined) continue;
    const lines = new Map<number, number[]>();
    owners.set(file, lines);
    const place = placeStatements(source);
    const indices = new Map<SyntaxNode, number>();
    const seen = new Set<SyntaxNode>();
    const isTest = ({ startLine }: Statement): boolean => testLines.get(file)?.has(startLine) === true;
    for (const statement of statementsOf(source)) {
      if (!canBeAtFault(source, statement) || isTest(statement)) continue;
      const branch = branchOf(source, statement.node, indices);
      if (branch !== undefined && !seen.has(branch.part)) {
        seen.add(branch.part);
        branches.push({ decision: branch.decision, first: statements.length });
      }
      indices.set(statement.node, statements.length);
      for (const line of statement.ownLines) {
        const known = lines.get(line);
        if (known === undefined) lines.set(line, [statements.length]);
        else known.push(statements.length);
      }
      statements.push(place(statement));
    }
  }
  return { statements, branches, at: (file, line) => owners.get(file)?.get(line) ?? [] };
}

const decisions: ReadonlySet<Role | undefined> = new Set<Role>(["if", "else-if", "while", "for", "for-each"]);

/** The statement that decides whether the node is executed, and the part of it that contains the node. */
function branchOf(
  source: Source,
  node: SyntaxNode,
  indices: ReadonlyMap<SyntaxNode, number>,
): { readonly decision: number; readonly part: SyntaxNode } | undefined {
  let part = node;
  for (const parent of parentsOf(node)) {
    const decision = indices.get(parent);
    if (decision !== undefined) {
      const decides = decisions.has(roleOf(source, parent)) && part !== partOf(source, parent, "condition");
      return decides ? { decision, part } : undefined;
    }
    if (isFunction(source, parent)) return undefined;
    part = parent;
  }
  return undefined;
}

function placeStatements(source: Source): (statement: Statement) => PlacedStatement {
  const { file } = source;
  const endLine = source.tree.root.endLine;
  const topLevel: PlacedFunction = { file, name: undefined, startLine: 1, endLine };
  const known = new Map<SyntaxNode, PlacedFunction>();
  return ({ node, ...statement }) => {
    const operators = countOperators(source, node);
    const around = namedFunction(source, node);
    if (around === undefined) return { file, statement, operators, function: topLevel };
    const placed = known.get(around.node) ?? {
      file,
      name: around.name,
      startLine: around.startLine,
      endLine: around.endLine,
    };
    known.set(around.node, placed);
    return { file, statement, operators, function: placed };
  };
}

const operatorRoles: ReadonlySet<Role | undefined> = new Set<Role>([
  "binary",
  "unary",
  "update",
  "conditional",
  "augmented-assignment",
  "subscript",
  "slice",
]);

function countOperators(source: Source, statement: SyntaxNode): number {
  let count = 0;
  for (const node of ownNodes(source, statement)) if (operatorRoles.has(roleOf(source, node))) count += 1;
  return count;
}

/** The nearest function with a name. A callback without a name belongs to its enclosing function. */
function namedFunction(source: Source, node: SyntaxNode): FunctionSpan | undefined {
  const nearest = enclosingFunction(source, node);
  let found = nearest;
  while (found?.name.endsWith("<anonymous>")) {
    const outer = functionAbove(source, found.node);
    found = outer && enclosingFunction(source, outer);
  }
  return found ?? nearest;
}

/** False for imports and docstrings, which no repair can change. */
function canBeAtFault(source: Source, statement: Statement): boolean {
  if (statement.role === "import") return false;
  if (statement.role !== "expression-statement") return true;
  const inner = namedChildren(statement.node);
  return !(inner.length === 1 && inner[0] !== undefined && roleOf(source, inner[0]) === "string");
}
