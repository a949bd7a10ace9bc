/** The framework for commands of which only the exit code is known. */
export const plainCommand = "command";
