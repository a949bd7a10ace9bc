/** Adds `Debug` to a crate's own types that lack it. A trace then shows more of a value than its type's name. */
import { childOf, namedChildren, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { attributesOf } from "../../syntax/rust-test-code.ts";
import { quoteRust } from "../rust-places.ts";
import type { Insertion } from "../text-insertions.ts";

const lib = "millwright_trace";

export interface RustType {
  readonly node: SyntaxNode;
  readonly name: string;
  /** True if an attribute derives `Debug` for the type. */
  readonly isDerived: boolean;
  /** True if an attribute derives `Debug` for the type, perhaps only under a condition. */
  readonly isMaybe: boolean;
  /** True if the type has parameters besides lifetimes. A derived `Debug` requires `Debug` of these. */
  readonly isGeneric: boolean;
}

/** A type whose fields a trace shows. */
export interface ShapedType {
  readonly type: RustType;
  /**
   * The trait that Millwright implements for the type. `Show` is our own: for a type with another `Debug`, or whose
   * formatting may take a lock. Undefined if the derived `Debug` is enough.
   */
  readonly trait: "Debug" | "Show" | undefined;
  /** True if the type's formatting may take a lock. */
  readonly isLocking: boolean;
}

/**
 * Finds the types of the text whose fields a trace could show. Does not check whether another file implements `Debug`
 * for them.
 */
export function findRustTypes(tree: SyntaxTree): RustType[] {
  const found: RustType[] = [];
  for (const node of walk(tree.root)) {
    if (node.kind !== "struct_item" && node.kind !== "enum_item") continue;
    const name = childOf(node, "name");
    const marks = attributesOf(node).map((attribute) => textOf(tree, attribute));
    // Fields without an address of their own.
    if (name === undefined || marks.some((mark) => /\bpacked\b/.test(mark))) continue;
    if ([...walk(node)].some((part) => part.broken || part.kind === "macro_invocation")) continue;
    const isDerived = marks.some((mark) => /^#\[\s*derive\b.*\bDebug\b/s.test(mark));
    const isMaybe = marks.some((mark) => /\bDebug\b/.test(mark));
    const parameters = childOf(node, "type_parameters");
    const isGeneric =
      parameters !== undefined &&
      namedChildren(parameters).some(({ kind }) => /^(?:const|type)_parameter$/.test(kind));
    found.push({ node, name: textOf(tree, name), isDerived, isMaybe, isGeneric });
  }
  return found;
}

const implementation = /\bDebug\s+for\s+(?:\w+\s*::\s*)*(\w+)/g;

/** Returns the names of the types for which the text implements `Debug`. */
export function shownTypes(text: string): string[] {
  return [...text.matchAll(implementation)].map((match) => match[1] ?? "");
}

/**
 * Returns an insertion that shows the type's fields in a trace. It implements `trait`, if any: `Debug` if the type
 * lacks it, or our `Show` in addition to the type's own `Debug`. The program chooses between the two at its start.
 */
export function shapeInsertion(tree: SyntaxTree, { type, trait, isLocking }: ShapedType): Insertion {
  const shape = trait === undefined ? "" : shapeText(tree, type, trait);
  const learned = type.isGeneric ? "" : learnText(tree, type, isLocking && trait === "Show");
  return { at: type.node.end, text: ` ${shape}${learned}`, side: "close", order: -2 };
}

function learnText(tree: SyntaxTree, { node, name }: RustType, byFields: boolean): string {
  const { used } = parametersOf(tree, node);
  return `${conditionsOf(tree, node)}${lib}::learn!{${byFields ? "fields " : ""}${name}${used.replaceAll(/'\w+/g, "'static")}}`;
}

function shapeText(tree: SyntaxTree, { node, name, isGeneric }: RustType, trait: "Debug" | "Show"): string {
  const { declared, used } = parametersOf(tree, node);
  const where = node.children.find((child) => child.kind === "where_clause");
  const bounds = where === undefined ? "" : `${onOneLine(textOf(tree, where))} `;
  const implement = (one: "Debug" | "Show", body: string): string =>
    `${conditionsOf(tree, node)}impl${declared} ${lib}::${one} for ${name}${used} ${bounds}` +
    `{fn ${one === "Debug" ? "fmt" : "millwright_show"}(&self,__mw_f:&mut ${lib}::Formatter<'_>)->${lib}::Told{${body}}}`;
  const body = node.kind === "enum_item" ? enumBody(tree, node, name) : structBody(tree, node, name);
  // Its parameters may contain a lock: our `Debug` takes none.
  const isEither = trait === "Debug" && isGeneric;
  return (
    implement(trait, body) + (isEither ? ` ${implement("Show", `${lib}::Debug::fmt(self,__mw_f)`)}` : "")
  );
}

function conditionsOf(tree: SyntaxTree, node: SyntaxNode): string {
  const marks = attributesOf(node).map((attribute) => textOf(tree, attribute));
  return marks
    .filter((mark) => /^#\[\s*cfg\s*\(/.test(mark))
    .map(onOneLine)
    .reverse()
    .join("");
}

function onOneLine(text: string): string {
  return text
    .replaceAll(/\/\/.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The type's parameters as an `impl` declares them, and as it uses them. */
function parametersOf(tree: SyntaxTree, node: SyntaxNode): { declared: string; used: string } {
  const list = childOf(node, "type_parameters");
  const parameters =
    list === undefined ? [] : namedChildren(list).filter((one) => /parameter$/.test(one.kind));
  if (parameters.length === 0) return { declared: "", used: "" };
  const declared: string[] = [];
  const used: string[] = [];
  for (const parameter of parameters) {
    const byDefault = childOf(parameter, "default_type") ?? childOf(parameter, "value");
    const end = byDefault?.start ?? parameter.end;
    declared.push(
      onOneLine(tree.text.slice(parameter.start, end).replace(byDefault === undefined ? "" : /=\s*$/, "")),
    );
    const name = childOf(parameter, "name");
    used.push(name === undefined ? textOf(tree, parameter) : textOf(tree, name));
  }
  return { declared: `<${declared.join(",")}>`, used: `<${used.join(",")}>` };
}

/** Types whose values may be dropped or uninitialised, so that showing them is unsafe. */
const unsafeToShow = /\b(?:ManuallyDrop|MaybeUninit)\b/;

interface Field {
  /** Undefined if the field has a position instead of a name. */
  readonly name: string | undefined;
  readonly type: string;
  readonly conditions: string;
}

function fieldsOf(tree: SyntaxTree, body: SyntaxNode | undefined): Field[] {
  if (body === undefined) return [];
  if (body.kind === "field_declaration_list")
    return namedChildren(body)
      .filter((child) => child.kind === "field_declaration")
      .map((child) => ({
        name: textOf(tree, childOf(child, "name") ?? child),
        type: textOf(tree, childOf(child, "type") ?? child),
        conditions: conditionsOf(tree, child),
      }));
  return body.children
    .filter((child) => child.field === "type")
    .map((child) => ({ name: undefined, type: textOf(tree, child), conditions: conditionsOf(tree, child) }));
}

function structBody(tree: SyntaxTree, node: SyntaxNode, name: string): string {
  const fields = fieldsOf(tree, childOf(node, "body"));
  const isTuple = fields.some((field) => field.name === undefined);
  const begin = `let mut __mw_s=__mw_f.debug_${isTuple ? "tuple" : "struct"}(${quoteRust(name)});`;
  const told = fields.map(
    (field, at) => `${field.conditions}{${tellField(field, `&self.${field.name ?? at}`)};}`,
  );
  return `${begin}${told.join("")}__mw_s.finish()`;
}

function tellField({ name, type }: Field, value: string): string {
  const key = name === undefined ? "" : `${quoteRust(name.replace(/^r#/, ""))},`;
  const shown = unsafeToShow.test(type) ? `${lib}::hidden()` : `${lib}::Own(${value}).value()`;
  return `__mw_s.field(${key}&${shown})`;
}

function enumBody(tree: SyntaxTree, node: SyntaxNode, name: string): string {
  const body = childOf(node, "body");
  const variants = body === undefined ? [] : namedChildren(body).filter((one) => one.kind === "enum_variant");
  if (variants.length === 0) return "match *self{}";
  const arms = variants.map((variant) => {
    const own = textOf(tree, childOf(variant, "name") ?? variant);
    return `${conditionsOf(tree, variant)}${name}::${own}${variantArm(fieldsOf(tree, childOf(variant, "body")), own)}`;
  });
  return `match *self{${arms.join(",")}}`;
}

function variantArm(fields: readonly Field[], name: string): string {
  if (fields.length === 0) return `{..}=>__mw_f.write_str(${quoteRust(name)})`;
  // A conditional field is left out.
  const isTuple = fields[0]?.name === undefined;
  const kept = fields.flatMap((field, at) => (field.conditions === "" ? [{ field, at }] : []));
  const bound = kept.map(({ field, at }) => `${field.name ?? at}:ref __mw_${at}`);
  const told = kept.map(({ field, at }) => `${tellField(field, `__mw_${at}`)};`);
  const begin = `let mut __mw_s=__mw_f.debug_${isTuple ? "tuple" : "struct"}(${quoteRust(name)});`;
  return `{${[...bound, ".."].join(",")}}=>{${begin}${told.join("")}__mw_s.finish()}`;
}
