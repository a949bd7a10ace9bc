/** The package that a Go or Java file declares. */
export const packageOf = (text: string): string | undefined => /^\s*package\s+([\w.]+)/m.exec(text)?.[1];
