/** Determines the primary type of a change, from the words of its statement. The first match counts. */
import type { Change, primaryTypes, Split } from "../contract.ts";

type PrimaryType = (typeof primaryTypes)[number];

const signs: readonly (readonly [PrimaryType, RegExp])[] = [
  [
    "performance",
    /\b(?:perf(?:ormance)?|slow(?:er|ness)?|faster|speed(?: ?up)?|optimi[sz]\w*|memory (?:usage|leak))\b/,
  ],
  [
    "api-evolution",
    /\b(?:deprecat\w*|renam\w*|breaking change|remove (?:support|the)|backwards?.compat\w*|migrat\w*|unstable|stabili[sz]\w*)\b/,
  ],
  [
    "error-handling",
    /\b(?:error (?:message|handling|type|code)|better errors?|panics?|unwrap|exceptions? (?:type|message)|report(?:s|ing)? (?:an )?errors?|diagnostic)\b/,
  ],
  [
    "bug-fix",
    /\b(?:fix(?:e[sd]|ing)?|bugs?|incorrect(?:ly)?|wrong(?:ly)?|crash(?:es|ed)?|regression|broken|fails?|failure|unexpected(?:ly)?|does(?:n't| not) work|should(?:n't| not)|instead of|leak|prevent|handle)\b/,
  ],
  [
    "feature",
    /\b(?:add(?:s|ed)?|support(?:s|ed)?|implement(?:s|ed)?|allow(?:s|ed)?|introduc\w*|new|feat(?:ure)?|request|provide|would be (?:nice|great|useful)|option)\b/,
  ],
];

export function primaryType({ statement, subject }: Change, { goldPatch }: Split): PrimaryType {
  const title = `${subject}\n${statement.split("\n")[0]}`.toLowerCase();
  const byTitle = signs.find(([, sign]) => sign.test(title));
  if (byTitle !== undefined) return byTitle[0];
  const byText = signs.find(([, sign]) => sign.test(statement.toLowerCase()));
  if (byText !== undefined) return byText[0];
  // Existing code stays unchanged.
  return /^-(?!--)/m.test(goldPatch) ? "other" : "feature";
}
