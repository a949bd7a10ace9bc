/** Reads Rust's imports: `use`, `mod name;` and `extern crate`. */
import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";

export function readUse(node: Node): Import[] {
  const line = node.startPosition.row + 1;
  const again = node.namedChildren.some((child) => child.type === "visibility_modifier")
    ? { exported: true }
    : {};
  const name = node.childForFieldName("name")?.text ?? "";
  // The file's own module: `self::name`.
  if (node.type === "mod_item") return [{ source: `self::${name}`, alias: name, line, ...again }];
  if (node.type === "extern_crate_declaration")
    return [{ source: name, alias: node.childForFieldName("alias")?.text ?? name, line, ...again }];
  const tree = node.childForFieldName("argument");
  return tree === null ? [] : leaves(tree, "").map((one) => ({ ...one, line, ...again }));
}

type Found = Omit<Import, "line">;

function leaves(tree: Node, before: string): Found[] {
  switch (tree.type) {
    case "use_as_clause": {
      const [found] = leaves(tree.childForFieldName("path") ?? tree, before);
      const alias = tree.childForFieldName("alias")?.text;
      if (found === undefined) return [];
      // `use a::Trait as _` binds nothing.
      return [
        alias === undefined || alias === "_"
          ? { source: found.source, ...nameOf(found) }
          : { ...found, alias },
      ];
    }
    case "use_list":
      return tree.namedChildren.flatMap((child) => leaves(child, before));
    case "scoped_use_list": {
      const path = joined(before, tree.childForFieldName("path")?.text ?? "");
      const list = tree.childForFieldName("list");
      return list === null ? [] : leaves(list, path);
    }
    case "use_wildcard":
      return [{ source: joined(before, tree.firstNamedChild?.text ?? ""), name: "*" }];
    case "self":
      return [{ source: before, alias: before.slice(before.lastIndexOf(":") + 1) }];
    case "line_comment":
    case "block_comment":
      return [];
    default:
      return [single(joined(before, tree.text))];
  }
}

function single(path: string): Found {
  const at = path.lastIndexOf("::");
  if (at < 0) return { source: path, alias: path };
  const name = path.slice(at + 2);
  return { source: path.slice(0, at), name, alias: name };
}

function nameOf(found: Found): { name?: string } {
  return found.name === undefined ? {} : { name: found.name };
}

function joined(before: string, path: string): string {
  const plain = path.replaceAll(/\s/g, "");
  return before === "" || plain === "" ? before + plain : `${before}::${plain}`;
}
