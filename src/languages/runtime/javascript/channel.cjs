// Sends lines through the run's channel, in the frames of src/languages/report-frames.ts.
// Plain CommonJS for Node 14 and later. Everything is taken now: tests put spies, and other file systems, in its place.
"use strict";
const { randomBytes } = require("crypto");
const { closeSync, constants, openSync, readSync, writeSync } = require("fs");
const path = require("path");
const { channel } = require("./request.cjs");

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const longestFrame = 4096;
const longestHeader = 128;
const keyLength = 32;
const noKey = "-";
const linesFile = channel && path.join(channel, "lines");
const keyFile = channel && path.join(channel, "key");

/** The run's secret, or what a runner of ours gave this process; `-` for everybody else. */
let key = noKey;

/** The first who asks gets it: to be called before anything of the repository is loaded. */
function takeKey() {
  if (!channel || key !== noKey) return;
  try {
    const pipe = openSync(keyFile, O_RDONLY | O_NONBLOCK);
    const found = Buffer.alloc(keyLength);
    if (readSync(pipe, found, 0, keyLength, null) === keyLength) key = found.toString("latin1");
    closeSync(pipe);
  } catch {
    // somebody has it already
  }
}

let sendGrant;

/** Makes a further key for a process that this one is about to start: its first `takeKey` gets it. */
function grantKey() {
  if (key === noKey) return;
  const granted = randomBytes(keyLength / 2).toString("hex");
  sendGrant = sendGrant || createSender("grant", "grant");
  sendGrant(`${granted}\n`);
  const pipe = openSync(keyFile, O_RDWR | O_NONBLOCK);
  writeSync(pipe, granted);
  closeSync(pipe);
}

/** Sends texts that end in a newline; what could not be sent goes with the next one. */
function createSender(name, stream = `${name}-${process.pid}-${randomBytes(4).toString("hex")}`) {
  let own;
  let number = 0;
  const waiting = [];
  return function send(text) {
    own = own || key;
    const data = Buffer.from(text);
    for (let at = 0; at < data.length; at += longestFrame - longestHeader) {
      const part = data.subarray(at, at + longestFrame - longestHeader);
      waiting.push(Buffer.concat([Buffer.from(`${own} ${stream} ${number} ${part.length}\n`), part]));
      number += 1;
    }
    try {
      const pipe = openSync(linesFile, O_WRONLY);
      try {
        while (waiting.length > 0) {
          writeSync(pipe, waiting[0], 0, waiting[0].length);
          waiting.shift();
        }
      } finally {
        closeSync(pipe);
      }
    } catch {
      // The test that runs has put another file system in place.
    }
  };
}

module.exports = { createSender, grantKey, takeKey };
