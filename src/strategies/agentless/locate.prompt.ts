/** The prompts of the three levels of localisation: files, definitions, lines. */

export const filesPrompt = (mostNamed: number): string =>
  `You are given a statement about a repository, and the tree of its source files. Name the files to change for the statement: at most ${mostNamed}, likeliest first, with their whole paths. Answer with JSON: {"files": ["..."]}`;

export const foldersPrompt = `You are given a statement about a repository, and the tree of its source files. Name the folders that have nothing to do with the statement: the search skips their files. If you are not sure of a folder, leave it out. The list may be empty. Answer with JSON: {"folders": ["..."]}`;

export const elementsPrompt = `You are given a statement about a repository, and skeletons of files that may have to change. A skeleton has the file's definitions, with line numbers and without bodies. Name the classes, functions, methods and variables that someone has to read to make the change. Answer with JSON: {"elements": [{"file": "...", "names": ["..."]}]}`;

export const placesPrompt = `You are given a statement about a repository, and some of its code with line numbers. Name all places to edit for the statement: lines, or a whole function if most of it changes. To add something, name the lines next to it. Answer with JSON: {"places": [{"file": "...", "startLine": 1, "endLine": 2}]}`;
