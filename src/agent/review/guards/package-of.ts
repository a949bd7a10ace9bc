/** Returns the package declared by a Go or Java file. */
export const packageOf = (text: string): string | undefined => /^\s*package\s+([\w.]+)/m.exec(text)?.[1];
