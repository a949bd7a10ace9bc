// Loaded into every Node process of a trace, by NODE_OPTIONS, or by the first instrumented function that is called in a process
// whose program set NODE_OPTIONS itself. Realms (jest's, vm contexts) find it by their copy of `process`.
"use strict";
const name = "__millwrightTrace";

function load() {
  const { enter, finish, running } = require("./calls.cjs");
  const record = require("./record.cjs");
  const { watchTests } = require("./running-test.cjs");
  const threads = require("worker_threads");
  process.on("exit", () => {
    finish();
    if (threads.isMainThread && record.hasFile()) record.write(`{"k":"end","at":${record.now()}}`);
  });
  linkWorkers(threads, record, running);
  watchTests();
  return (realm) => (f, args, isGenerator) => enter(realm, f, args, isGenerator);
}

/** A new thread is told which call began it. */
function linkWorkers(threads, record, running) {
  const { Worker } = threads;
  threads.Worker = new Proxy(Worker, {
    construct(target, args, newTarget) {
      const call = running();
      record.share(call && call.number);
      return Reflect.construct(target, args, newTarget === threads.Worker ? target : newTarget);
    },
  });
  require("module").syncBuiltinESMExports();
}

if (process.env.MILLWRIGHT_TRACE_DIR && !process[name]) {
  Object.defineProperty(process, name, { value: load(), configurable: true });
}
module.exports = process[name];
