/** The prompts of the three levels of localisation: files, definitions, lines. */

export const filesPrompt = (mostNamed: number): string =>
  `Read a task's statement, and the tree of the repository's source files. Name the files to change for this task: at most ${mostNamed}, most likely first, with their full paths. Answer with JSON: {"files": ["..."]}`;

export const foldersPrompt = `Read a task's statement, and the tree of the repository's source files. Name the folders that have nothing to do with the task. The search then skips their files. If you are not sure about a folder, do not name it. The list may be empty. Answer with JSON: {"folders": ["..."]}`;

export const elementsPrompt = `Read a task's statement, and skeletons of files that may have to change. A skeleton lists the definitions of a file with their line numbers, but without their bodies. Name the classes, functions, methods and variables that someone must read to make the change. Answer with JSON: {"elements": [{"file": "...", "names": ["..."]}]}`;

export const placesPrompt = `Read a task's statement, and parts of the repository's code with line numbers. Name all places to edit for this task, as line ranges. If most of a function changes, give the whole function. For new code, give the lines next to the place where it belongs. Answer with JSON: {"places": [{"file": "...", "startLine": 1, "endLine": 2}]}`;
