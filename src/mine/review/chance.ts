/** Finds tests whose results may depend on chance: unseeded random values, sleeping, measured time. Pure. */

/** Calls that draw random values without a seed of their own. */
const draws = [
  /\b(?:np|numpy)\.random\.(?!seed|default_rng|RandomState)\w+\(|\bdefault_rng\(\)/,
  /(?<![\w.])random\.(?:random|randint|randrange|choices?|shuffle|sample|uniform|gauss|getrandbits|randbytes)\(/,
  /\bMath\.random\(/,
  /\brand\.(?:Int\w*|Uint\w*|Float\w*|Perm|Shuffle|N)\(/,
  /\bthread_rng\(|\brand::(?:random|rng)\b/,
  /\bnew Random\(\)|\bThreadLocalRandom\b|\brandom_device\b/,
  /(?<![\w.:$])(?:mt_|array_)?rand\(|\brandom_int\(|(?<![\w.:$>])shuffle\(\$/,
  /\.(?:shuffle|sample)\b!?(?![\w(]|\s*\()/,
];
const seeded =
  /\bseed\w*\s*[(=]\s*[^)\s]|\bsrand\b|\bRandom(?:State|\.new)?\(\s*\w|\bNewSource\(|\bNewPCG\(|\bdefault_rng\(\s*\w|\bmanual_seed\b/i;
const sleeps =
  /\b(?:time|asyncio|thread|Thread|Task)(?:\.|::)[sS]leep\(|\bTask\.Delay\(|(?<![\w.])u?sleep[ (]\s*[\d.]|\bsetTimeout\(/;
const clock =
  /\bperf_counter|\btime\.(?:time|monotonic)\(|\bperformance\.now\(|\bDate\.now\(|\btime\.(?:Now|Since)\(|\bInstant::now\(|\bclock_gettime\b|\bTime\.now\b|\b(?:nanoTime|currentTimeMillis)\(|\bhrtime\b|\bmicrotime\(|\bStopwatch\b/;
/** Matches libraries that replace the clock. */
const faked =
  /fake_?timers|mock_?timers|freez(?:e_time|egun)|\btravel_to\b|\bTimecop\b|\bsynctest\b|fake_?clock/i;
/** Matches assertions that compare sizes. */
const compares =
  /\b(?:assert\w*|expect|if|ok|require)\b.*(?:(?<![-=<])[<>]=?(?![<>])|Less|Greater|Below|Above|Within|Close)/;

const comment = /^(?:#|\/\/|\*|\/\*)/;

/**
 * Returns the first line that makes the result depend on chance. `around`: code that may set a seed or replace the
 * clock, such as the whole file. Undefined without such a line.
 */
export function findChance(test: string, around: string): string | undefined {
  const lines = test
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !comment.test(line));
  const drawn = seeded.test(around) ? undefined : lines.find((line) => draws.some((one) => one.test(line)));
  if (drawn !== undefined || faked.test(around)) return drawn;
  const timed = lines.some((line) => clock.test(line)) && lines.find((line) => compares.test(line));
  return lines.find((line) => sleeps.test(line)) ?? (timed === false ? undefined : timed);
}

export interface Helper {
  readonly name: string;
  readonly text: string;
}

/** Adds to a test the helpers that it names, and the helpers that these name. */
export function withHelpers(test: string, helpers: readonly Helper[]): string {
  let text = test;
  let left = helpers;
  for (;;) {
    const words = new Set(text.match(/[\w$]+/g));
    const named = left.filter(({ name }) => words.has(name));
    if (named.length === 0) return text;
    left = left.filter((helper) => !named.includes(helper));
    text = [text, ...named.map((helper) => helper.text)].join("\n");
  }
}
