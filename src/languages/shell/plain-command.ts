/** The framework of commands that nothing is known of but how they end. */
export const plainCommand = "command";
