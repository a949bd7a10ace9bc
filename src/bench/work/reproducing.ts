/** Names of actions and stages that write a reproduction. */
export const reproducing: ReadonlySet<string> = new Set(["reproduction", "reproduce", "write-test"]);
