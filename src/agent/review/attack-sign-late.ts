/** Signs of code whose result or error nobody sees: work that nobody waits for, and values that answer as they are asked. */
import type { AttackSign } from "./attack-sign-table.ts";

const script = ["javascript", "typescript", "tsx"];

const unawaited = {
  sign: "work that nobody waits for",
  excuse:
    /\bthread|\bparallel|\bconcurren|\basync|\bawait|\bbackground|\bpromise|\blater\b|\bdefer|\bdelay|\bworkers?\b|\bqueue|\bpool|\btime-?outs?\b|\bwait|\brac(?:e|y)\b|\block|\bgoroutine|\bblock(?:s|ed|ing)?\b|\btick\b|\bevents?\b|\bschedul|\bcallback|\bunhandled|\breject|\bstream|\bhang|\bdeadlock/i,
};
const turning = {
  sign: "a value that answers differently to different questions",
  excuse: /\bprimitive|\bcoerc|\bconver|\bvalueOf|\bimplicit|\barithmetic|\boperator/i,
};
const bits = {
  sign: "a decision by the bits of a number",
  excuse: /\bbits?\b|\bbinary|\bpower|\bmask|\bflags?\b|\boverflow|\bwidth|\bencod|\bbyte|\bsize/i,
};

export const lateSigns: readonly AttackSign[] = [
  {
    ...unawaited,
    languages: ["python"],
    code: /\b(?:threading\.)?(?:Thread|Timer)\s*\(|\b_thread\.start_new_thread\b|\bensure_future\(|\bcreate_task\(/,
    isUsual: true,
  },
  {
    ...unawaited,
    languages: script,
    code: /\bqueueMicrotask\s*\(|\bsetImmediate\s*\(|\bprocess\s*\.\s*nextTick\s*\(|\bvoid\s+(?:Promise\b|\(\s*async\b)|\.\s*catch\s*\(\s*\(\s*\w*\s*\)\s*=>\s*\{\s*\}\s*\)/,
    isUsual: true,
  },
  { ...unawaited, languages: ["go"], code: /^\s*go\s+[\w.]+\s*[({]/, isUsual: true },
  { ...unawaited, languages: ["rust"], code: /\bthread::spawn\s*\(|\btokio::spawn\s*\(/, isUsual: true },
  {
    ...unawaited,
    languages: ["java"],
    code: /\bnew\s+Thread\s*\(|\bThread\s*\.\s*(?:startVirtualThread|ofVirtual)\b|\bCompletableFuture\s*\.\s*(?:runAsync|supplyAsync)\b/,
    isUsual: true,
  },
  {
    ...unawaited,
    languages: ["cpp"],
    code: /\.\s*detach\s*\(\s*\)|\bpthread_(?:create|detach)\b/,
    isUsual: true,
  },
  {
    ...unawaited,
    languages: ["ruby"],
    code: /\bThread\s*\.\s*(?:new|start|fork)\b|(?<![\w.])fork\b/,
    isUsual: true,
  },
  { ...unawaited, languages: ["php"], code: /\bpcntl_fork\b|\bnew\s+\\?Fiber\b/, isUsual: true },
  { ...turning, languages: script, code: /\bSymbol\s*\.\s*toPrimitive\b/, isUsual: true },
  { ...turning, languages: ["ruby"], code: /\bdef\s+coerce\b/, isUsual: true },
  { ...bits, languages: ["python"], code: /\.\s*bit_(?:length|count)\s*\(\s*\)\s*[=!]=/, isUsual: true },
  { ...bits, languages: script, code: /\bclz32\s*\([^()]*\)\s*[=!]=/, isUsual: true },
  {
    ...bits,
    languages: ["go"],
    code: /\bbits\.(?:Len|OnesCount|LeadingZeros|TrailingZeros)\w*\([^()]*\)\s*[=!]=/,
    isUsual: true,
  },
  {
    ...bits,
    languages: ["rust"],
    code: /\.\s*(?:leading_zeros|trailing_zeros|count_ones|ilog2)\s*\(\s*\)\s*[=!]=/,
    isUsual: true,
  },
  {
    ...bits,
    languages: ["java"],
    code: /\b(?:Integer|Long)\s*\.\s*(?:bitCount|numberOf(?:Leading|Trailing)Zeros|highestOneBit|lowestOneBit)\s*\([^()]*\)\s*[=!]=/,
    isUsual: true,
  },
  { ...bits, languages: ["ruby"], code: /\.\s*bit_length\s*[=!]=/, isUsual: true },
];
