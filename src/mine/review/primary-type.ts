/**
 * Determines the primary type of a change: by the words of its title, by the headings of an issue form, or by the words
 * of its statement outside of code. The first match counts.
 */
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

/** Headings of issue forms. A report about behaviour is a bug report, whatever words its text contains. */
const headings: readonly (readonly [PrimaryType, RegExp])[] = [
  [
    "bug-fix",
    /^(?:#+ *|\*\*)(?:steps to reproduce|to reproduce|(?:actual|current|observed) behaviou?r|describe the bug|bug (?:description|report|summary)|what happened)/im,
  ],
  [
    "feature",
    /^(?:#+ *|\*\*)(?:describe your use case|use case|(?:describe the )?(?:proposed )?solution(?: you'd like)?|proposal|feature (?:description|request)|motivation)/im,
  ],
];

function withoutCode(statement: string): string {
  return statement.replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, "").replaceAll(/^(?: {4}|\t).*$/gm, "");
}

export function primaryType(
  { statement, subject }: Pick<Change, "statement" | "subject">,
  { goldPatch }: Pick<Split, "goldPatch">,
): PrimaryType {
  const title = `${subject}\n${statement.split("\n")[0]}`.toLowerCase();
  const byTitle = signs.find(([, sign]) => sign.test(title));
  if (byTitle !== undefined) return byTitle[0];
  const byForm = headings.find(([, sign]) => sign.test(statement));
  if (byForm !== undefined) return byForm[0];
  const text = withoutCode(statement).toLowerCase();
  const byText = signs.find(([, sign]) => sign.test(text));
  if (byText !== undefined) return byText[0];
  // Existing code stays unchanged.
  return /^-(?!--)/m.test(goldPatch) ? "other" : "feature";
}
