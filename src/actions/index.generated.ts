// Written by scripts/generate-indexes.ts; do not edit.
import ask from "./ask.ts";
import backtrack from "./backtrack.ts";
import codeRetrieval from "./code-retrieval.ts";
import editCode from "./edit-code.ts";
import executeTests from "./execute-tests.ts";
import finish from "./finish.ts";
import probeEnvironment from "./probe-environment.ts";
import reproduction from "./reproduction.ts";
import reviewPatch from "./review-patch.ts";
import testRetrieval from "./test-retrieval.ts";
import trace from "./trace.ts";

export const actions = [ask, backtrack, codeRetrieval, editCode, executeTests, finish, probeEnvironment, reproduction, reviewPatch, testRetrieval, trace] as const;
