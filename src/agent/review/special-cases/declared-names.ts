/** Recognises a compared text that is the name of a field which the patch adds. */
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, partOf, roleOf } from "../../../syntax/reading.ts";
import { addedLines, type ChangedFile, readSource } from "../../code/change.ts";

/** A name of at least two words, such as `alias_is_default` and `aliasIsDefault`. Inputs seldom have this form. */
const compound = /^[A-Za-z][a-z\d]*(?:(?:_[a-z\d]+)+|(?:[A-Z][a-z\d]+)+)$/;

/**
 * Returns true if added code has both a parameter and a member of this name. The text then names a part of the code.
 */
export async function declaresName(file: ChangedFile, name: string): Promise<boolean> {
  if (!compound.test(name)) return false;
  const source = await readSource(file.path, file.after);
  if (source === undefined) return false;
  const added = new Set(addedLines(file));
  const isParameter = (node: SyntaxNode): boolean => {
    const { parent } = node;
    return [parent, parent?.parent].some(
      (each) => each !== undefined && (roleOf(source, each) === "parameters" || each.field === "parameters"),
    );
  };
  let [parameters, members] = [0, 0];
  for (const node of walk(source.tree.root)) {
    if (!node.named || node.children.length > 0 || !added.has(node.startLine)) continue;
    if (codeOf(source, node) !== name || roleOf(source, node) === "string") continue;
    const { parent } = node;
    if (isParameter(node)) parameters += 1;
    else if (parent !== undefined && roleOf(source, parent) === "attribute")
      members += partOf(source, parent, "member") === node ? 1 : 0;
  }
  return parameters > 0 && members > 0;
}
