// Preloaded by NODE_OPTIONS into every process of a run with coverage: what a process that a test started executes, is the
// test's.
"use strict";
if (process.env.MILLWRIGHT_CURRENT_TEST) require("./tracker.cjs").trackChildProcess();
