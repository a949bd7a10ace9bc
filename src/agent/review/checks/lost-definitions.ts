import { typeKinds } from "../../../domain/code-symbols.ts";
import { type ChangedFile, removedLines } from "../../code/change.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

const mostUses = 3;

export default defineReviewCheck({
  name: "lost-definitions",
  description: "Finds removed definitions that other files use on the base.",
  async run({ change, view, workspace }, _, candidate) {
    const lost: { path: string; name: string }[] = [];
    for (const file of change.files) {
      if (file.isTest || removedLines(file).length === 0) continue;
      for (const name of await findLost(file)) lost.push({ path: file.path, name });
    }
    if (lost.length === 0) return [];
    await view.lay(workspace.base);
    const before = await view.context.graph();
    const used = lost.map(({ path, name }) => {
      const entities = before.outline(path).filter((entity) => entity.qualified === name && entity.isPublic);
      const uses = entities.flatMap(({ id }) => before.incoming(id)).filter(({ from }) => from.path !== path);
      return { path, name, users: [...new Set(uses.map(({ from }) => from.path))] };
    });
    await view.lay(candidate.tree);
    const after = await view.context.graph();
    return used.flatMap(({ path, name, users }): Finding[] => {
      const short = name.slice(name.lastIndexOf(".") + 1);
      const isMoved = after.named(short).some((entity) => entity.qualified === name);
      const left = users.filter((user) => after.file(user) !== undefined);
      if (isMoved || left.length === 0) return [];
      const more = left.length > mostUses ? " …" : "";
      return [
        {
          weight: "doubt",
          text: `The patch removes ${name} from ${path}. Without the patch, these files use it: ${left.slice(0, mostUses).join(", ")}${more}. Check that they no longer use it.`,
        },
      ];
    });
  },
});

/** Returns qualified names that the old text defines and the new text does not. */
export async function findLost({ path, before, after }: ChangedFile): Promise<string[]> {
  if (before === undefined) return [];
  const still = new Set(await namesIn(path, after));
  return (await namesIn(path, before)).filter((name) => !still.has(name));
}

async function namesIn(path: string, text: string | undefined): Promise<string[]> {
  const definitions = (text === undefined ? undefined : await symbolsOf(path, text))?.definitions ?? [];
  const nameOf = (at: number): string => {
    const definition = definitions[at];
    if (definition === undefined) return "";
    const around = definition.container >= 0 ? nameOf(definition.container) : (definition.owner ?? "");
    return around === "" ? definition.name : `${around}.${definition.name}`;
  };
  const kinds = new Set<string>([...typeKinds, "function", "method", "constant"]);
  return definitions.flatMap(({ kind }, index) => (kinds.has(kind) ? [nameOf(index)] : []));
}
