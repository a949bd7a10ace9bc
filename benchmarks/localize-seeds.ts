/** Inserts faults into the project's own example and fixtures, so that anybody can run `npm run bench:localize`. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultCase } from "./localize-cases.ts";

interface Seed {
  readonly id: string;
  /** The fault: in `file`, what is right becomes what is wrong. Both stand on one line. */
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

interface SeededRepository {
  /** Relative to the project. */
  readonly folder: string;
  readonly language: string;
  /** A fault that the repository has already, mended before another one is put in. */
  readonly own: Seed;
  readonly seeds: readonly Seed[];
}

const root = join(import.meta.dirname, "..");

const repositories: readonly SeededRepository[] = [
  {
    folder: "examples/parcel-desk",
    language: "javascript",
    own: seed("period-end", "src/period.js", "return day <= period.to;", "return day < period.to;"),
    seeds: [
      seed("fuel-day", "src/surcharges.js", "entry.from <= day)", "entry.from < day)"),
      seed("fuel-latest", "src/surcharges.js", "entry.from > best.from", "entry.from < best.from"),
      seed("bulky-count", "src/surcharges.js", "parcels.filter(isBulky).length", "parcels.some(isBulky)"),
      seed("band-limit", "src/tariff.js", "grams <= band.upTo", "grams < band.upTo"),
      seed("offers-order", "src/tariff.js", "a.price - b.price", "b.price - a.price"),
      seed("vat-country", "src/tax.js", "match[1] === country", "match[1] !== country"),
      seed("girth", "src/parcel.js", "length + 2 * (width + height)", "length + 2 * width + height"),
      seed("round-up", "src/units.js", "Math.ceil(value - 1e-6)", "Math.floor(value - 1e-6)"),
      seed("weight-unit", "src/units.js", "lb: 453.592", "lb: 435.592"),
      seed("first-step", "src/calendar.js", "let step = 0;", "let step = 1;"),
      seed("saturdays", "src/calendar.js", "=== SATURDAY && !saturdays", "=== SATURDAY && saturdays"),
      seed("remote-end", "src/zones.js", "code <= last", "code < last"),
      seed("summary-order", "src/summary.js", "b.net - a.net", "a.net - b.net"),
      seed("leader-gap", "src/table.js", "Math.max(1, width", "Math.max(0, width"),
      seed("label-home", "src/address.js", "address.country === home", "address.country !== home"),
      seed("upper-limit", "src/discounts.js", "net < minimum", "net <= minimum"),
    ],
  },
  {
    folder: "tests/fixtures/repos/repair-python",
    language: "python",
    own: seed("cover-limit", "ledger/account.py", "amount <= available", "amount < available"),
    seeds: [
      seed("deposit-sign", "ledger/account.py", "self.balance + amount", "self.balance - amount"),
      seed(
        "overdraft-sign",
        "ledger/account.py",
        "balance + account.overdraft",
        "balance - account.overdraft",
      ),
      seed("transfer-target", "ledger/transfer.py", "target.deposit", "source.deposit"),
      seed("negated-cover", "ledger/account.py", "if not can_cover", "if can_cover"),
    ],
  },
  {
    folder: "tests/fixtures/repos/repair-ruby",
    language: "ruby",
    own: seed(
      "withdraw-limit",
      "lib/ledger/account.rb",
      "unless amount <= available",
      "unless amount < available",
    ),
    seeds: [
      seed("deposit-sign", "lib/ledger/account.rb", "@balance += amount", "@balance += -amount"),
      seed("limit-sign", "lib/ledger/account.rb", "@balance + @limit", "@balance - @limit"),
      seed("entry-sign", "lib/ledger/account.rb", "@entries << -amount", "@entries << +amount"),
      seed("largest", "lib/ledger/statement.rb", "entries.max_by", "entries.min_by"),
      seed("no-amount", "lib/ledger/account.rb", "unless amount.positive?", "if amount.negative?"),
    ],
  },
  {
    folder: "tests/fixtures/repos/repair-php",
    language: "php",
    own: seed("heavy-limit", "src/Tariff.php", "$grams >= $this->heavyFrom", "$grams > $this->heavyFrom"),
    seeds: [
      seed("no-weight", "src/Tariff.php", "$grams <= 0", "$grams < 0"),
      seed("heavy-price", "src/Tariff.php", "2 * $this->base", "3 * $this->base"),
      seed("total-start", "src/Tariff.php", "$sum = 0", "$sum = 1"),
      seed("total-sum", "src/Tariff.php", "$sum += $this->price", "$sum = $this->price"),
    ],
  },
];

function seed(id: string, file: string, right: string, wrong: string): Seed {
  return { id, file, right, wrong };
}

/** Makes a repository for each seeded fault under `folder`; earlier ones there are replaced. */
export function makeSeededCases(folder: string): FaultCase[] {
  rmSync(folder, { recursive: true, force: true });
  return repositories.flatMap((repository) => {
    const own = makeCase(folder, repository, undefined);
    return [own, ...repository.seeds.map((each) => makeCase(folder, repository, each))];
  });
}

function makeCase(folder: string, repository: SeededRepository, fault: Seed | undefined): FaultCase {
  const { own, language } = repository;
  const id = `${language}-${(fault ?? own).id}`;
  const target = join(folder, id);
  mkdirSync(target, { recursive: true });
  cpSync(join(root, repository.folder), target, { recursive: true });
  if (fault !== undefined) {
    replaceLine(target, { ...own, right: own.wrong, wrong: own.right });
    replaceLine(target, fault);
  }
  return { id, folder: target, fix: describeFix(target, fault ?? own), language, ...noChoice };
}

const noChoice = { testCommand: undefined, failingTests: [] };

function replaceLine(folder: string, { file, right, wrong, id }: Seed): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  if (text.split(right).length !== 2) throw new Error(`the seed ${id} fits ${file} not exactly once`);
  writeFileSync(path, text.replace(right, wrong));
}

function describeFix(folder: string, { file, right, wrong }: Seed): string {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(wrong));
  const line = lines[at] ?? "";
  const fixed = line.replace(wrong, right);
  return `--- a/${file}\n+++ b/${file}\n@@ -${at + 1} +${at + 1} @@\n-${line}\n+${fixed}\n`;
}
