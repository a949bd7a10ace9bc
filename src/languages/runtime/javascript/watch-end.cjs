// Tells an end of the process that code under test brought about before the framework's own: what it printed is not the framework's.
"use strict";

/** The exit code of such a process. */
const endedEarly = 97;

/** Code under test ends the process with success through what is put in place here; a natural end asks nobody. */
function watchEnd(isEarly) {
  const { reallyExit } = process;
  process.reallyExit = function reallyExitWatched(code) {
    return reallyExit.call(process, !code && isEarly() ? endedEarly : code);
  };
  if (process.execve) process.execve = () => reallyExit.call(process, endedEarly);
}

module.exports = { endedEarly, watchEnd };
