/** The prompt for the reader of a specification. */

export const requirementsPrompt = `You read the specification of a task and write it down as a list of requirements, each one sentence that a test can check. Include requirements that follow from it: types of inputs and outputs, errors and their conditions, defaults, edge cases (empty, missing, repeated, boundaries), behaviour that must stay. If it points to documentation, use that too. Invent nothing that it leaves open. Leave out requirements that no test has to check: that a signature, a name or a place stays.`;
