/** The name of the framework for commands whose only result is an exit code. */
export const plainCommand = "command";
