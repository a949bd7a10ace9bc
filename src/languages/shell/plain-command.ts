/** The name of the framework for commands that only give an exit code. */
export const plainCommand = "command";
