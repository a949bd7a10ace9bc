/** The statements of the files that may be at fault, and which of them own a line. */
import type { Language } from "../languages/contract.ts";
import { dialectOf } from "../syntax/dialects/index.ts";
import { namedChildren, parseSyntax } from "../syntax/node.ts";
import { roleOf, type Source } from "../syntax/reading.ts";
import { enclosingFunction, type Statement, statementsOf } from "../syntax/statements.ts";

export interface PlacedStatement {
  readonly file: string;
  readonly statement: Statement;
  /** The function around it, with its classes: `Zone.find`. */
  readonly function: string | undefined;
  /** Tells functions of one name apart: where the function starts. -1 at the top level. */
  readonly functionStart: number;
}

export interface ProgramMap {
  readonly statements: readonly PlacedStatement[];
  /** Indices into `statements` of those that own the line. */
  at(file: string, line: number): readonly number[];
}

export type LanguageOf = (file: string) => Pick<Language, "name" | "grammar"> | undefined;

/** Files in a language without a dialect are left out. */
export async function mapProgram(
  texts: ReadonlyMap<string, string>,
  languageOf: LanguageOf,
): Promise<ProgramMap> {
  const statements: PlacedStatement[] = [];
  const owners = new Map<string, Map<number, number[]>>();
  for (const [file, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const source = await readSource(file, text, languageOf);
    if (source === undefined) continue;
    const lines = new Map<number, number[]>();
    owners.set(file, lines);
    for (const statement of statementsOf(source).filter((one) => canBeAtFault(source, one))) {
      for (const line of statement.ownLines) {
        const known = lines.get(line);
        if (known === undefined) lines.set(line, [statements.length]);
        else known.push(statements.length);
      }
      statements.push(placeStatement(source, statement));
    }
  }
  return { statements, at: (file, line) => owners.get(file)?.get(line) ?? [] };
}

async function readSource(file: string, text: string, languageOf: LanguageOf): Promise<Source | undefined> {
  const language = languageOf(file);
  const dialect = language && dialectOf(language.name);
  if (language === undefined || dialect === undefined) return undefined;
  const extension = file.slice(file.lastIndexOf("."));
  return { file, dialect, tree: await parseSyntax(language.grammar(extension), text) };
}

function placeStatement(source: Source, statement: Statement): PlacedStatement {
  const around = enclosingFunction(source, statement.node);
  return {
    file: source.file,
    statement,
    function: around?.name,
    functionStart: around?.start ?? -1,
  };
}

/** Imports and docstrings say nothing that a repair could change. */
function canBeAtFault(source: Source, statement: Statement): boolean {
  if (statement.role === "import") return false;
  if (statement.role !== "expression-statement") return true;
  const inner = namedChildren(statement.node);
  return !(inner.length === 1 && inner[0] !== undefined && roleOf(source, inner[0]) === "string");
}
