/** The reader of a specification. */

export const requirementsPrompt = `You read the specification of a task and write it down as a list of requirements, each one sentence that a test can check. Take what it says and what follows from it: types of inputs and outputs, errors and when they are raised, defaults, edge cases (empty, missing, repeated, the boundaries), behaviour that must stay. If it points to documentation, use that too. Invent nothing that it leaves open. Leave out what no test has to check: that a signature, a name or a place stays.`;
