import { posix } from "node:path";
import { capitalised, nameBeside } from "../canary-file.ts";
import type { ExamplesRequest, PlaceExamples } from "../contract.ts";

/** Writes examples as a class of tests. `base` is the library's own class, `head` loads it. */
function classExamples(head: string, base: string): PlaceExamples {
  return async (request) => {
    const { beside, words, calls } = request;
    if (!beside.target.endsWith(".rb")) return undefined;
    const path = nameBeside(beside.target, words.file);
    const name = capitalised(words.file);
    const tests = calls.map(
      (_, at) => `  def test_${words.file}_${at}\n    ${tellCall(request, path, at)}\n  end\n`,
    );
    const content = `require "${head}"\n${tellValue(request)}\nclass ${name} < ${base}\n${tests.join("\n")}end\n`;
    const key = { package: beside.package, target: path };
    return {
      files: [{ path, content }],
      tests: calls.map((_, at) => ({ ...key, name: `${name}#test_${words.file}_${at}` })),
    };
  };
}

export const minitestExamples = classExamples("minitest/autorun", "Minitest::Test");
export const testUnitExamples = classExamples("test/unit", "Test::Unit::TestCase");

export const rspecExamples: PlaceExamples = async (request) => {
  const { beside, words, calls } = request;
  if (!beside.target.endsWith(".rb")) return undefined;
  const path = nameBeside(beside.target, words.file);
  const tests = calls.map(
    (_, at) => `  it "${words.file} ${at}" do\n    ${tellCall(request, path, at)}\n  end\n`,
  );
  const content = `${tellValue(request)}\nRSpec.describe "${words.file}" do\n${tests.join("\n")}end\n`;
  const key = { package: beside.package, target: path };
  return {
    files: [{ path, content }],
    tests: calls.map((_, at) => ({ ...key, name: `${words.file} > ${words.file} ${at}` })),
  };
};

function tellCall({ words, calls }: ExamplesRequest, path: string, at: number): string {
  const { file = "", text = "" } = calls[at] ?? {};
  const from = posix.relative(posix.dirname(path), file);
  return `tell_${words.file}(File.expand_path(${quote(from)}, __dir__), ${quote(text)})`;
}

/** A Ruby literal in single quotes, in which Ruby interprets only `\` and `'`. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

function tellValue({ words }: ExamplesRequest): string {
  return `require "json"

def plain_${words.file}(value)
  case value
  when nil, true, false, Integer, Float, String then value
  when Array then value.map { |each| plain_${words.file}(each) }
  when Hash then value.to_h { |key, each| [key.to_s, plain_${words.file}(each)] }
  else raise "the value is not plain data"
  end
end

def tell_${words.file}(path, call)
  require path
  value = TOPLEVEL_BINDING.eval(call)
  raise "${words.mark}:" + JSON.generate([plain_${words.file}(value)])[1..-2].unpack1("H*") + ":"
end
`;
}
