/**
 * Selects the part of a statement that contains the request. Omits an issue form's sections about the reporter's
 * machine. Pure.
 */

const heading = /^\s*(?:#{1,6}\s*|\*\*|__)?([\w /()-]{3,60}?)(?:\*\*|__)?\s*(?::\s*)?$/;
const marked = /^\s*(?:#{1,6}\s|\*\*|__)|:\s*$/;
const ofMachine =
  /^(?:(?:my|your|test|runtime|system|host)\s+)?(?:environment|env|system(?: info\w*)?|versions?|platform|setup|configuration|specs?|machine|device)(?:\s*(?:info\w*|details?|information))?$/i;

/** Returns the statement without sections about the reporter's machine. A section ends at the next heading. */
export function statedSubjects(statement: string): string {
  let isLeft = false;
  return statement
    .split("\n")
    .filter((line) => {
      const [, title] = marked.test(line) ? (heading.exec(line.trim().replaceAll(/\s+/g, " ")) ?? []) : [];
      if (title !== undefined) isLeft = ofMachine.test(title.trim());
      return !isLeft;
    })
    .join("\n");
}
