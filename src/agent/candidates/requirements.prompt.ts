/** The prompt for the reader of a specification. */

export const requirementsPrompt = `Read the specification of a task and list its requirements. Write each requirement as one sentence that a test can check. Include requirements that follow from the specification:
- types of inputs and outputs
- errors and their conditions
- default values
- edge cases: empty, missing and repeated input, and boundary values
- behaviour that must not change

If the specification points to documentation, use the documentation too. Add no requirement for a point that the specification leaves open. Leave out requirements that need no test, such as an unchanged signature, name or location.`;
