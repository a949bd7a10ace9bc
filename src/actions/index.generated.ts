// Written by scripts/generate-indexes.ts; do not edit.
import backtrack from "./backtrack.ts";
import codeRetrieval from "./code-retrieval.ts";
import editCode from "./edit-code.ts";
import executeTests from "./execute-tests.ts";
import finish from "./finish.ts";
import reproduction from "./reproduction.ts";
import reviewPatch from "./review-patch.ts";
import testRetrieval from "./test-retrieval.ts";

export const actions = [backtrack, codeRetrieval, editCode, executeTests, finish, reproduction, reviewPatch, testRetrieval] as const;
