import { defineLanguage } from "../contract.ts";
import { rubyStems } from "./ruby-imports.ts";

export default defineLanguage({
  name: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru"],
  grammar: () => "tree-sitter-ruby/tree-sitter-ruby.wasm",
  testFiles: [
    "**/{test,tests,spec,specs}/**/*.rb",
    "**/*_{test,spec}.rb",
    "**/test_*.rb",
    "**/{Rakefile,*.rake,*.gemspec}",
  ],
  constants: { null: "nil" },
  toolchain: [
    {
      name: "ruby",
      argv: ["ruby", "--version"],
      remedy: "Install Ruby 2.5 or later, and minitest, RSpec or test-unit, to repair Ruby repositories.",
    },
  ],
  probes: [
    { markers: ["Rakefile", "Gemfile", ".gemspec"], programs: ["ruby --version"] },
    { markers: ["Gemfile.lock"], programs: ["bundle --version"] },
  ],
  runners: ["rake", "rspec", "minitest", "ruby"],
  missing: [
    {
      pattern:
        /cannot load such file -- ([\w/-]+) \(LoadError\)|LoadError: cannot load such file -- ([\w/-]+)/,
      explain: ([, one, other]) => ({
        what: `Ruby does not find ${one ?? other}`,
        remedy:
          "run `bundle install`, or install the gem; if it is a file of the project, add its folder to the load path (`-I`)",
      }),
    },
    {
      pattern: /Could not find (\S+) in (?:any of the sources|locally installed gems)|Bundler::GemNotFound/,
      explain: ([, name = "a gem"]) => ({
        what: `${name} from the Gemfile is not installed`,
        remedy: "run `bundle install`",
      }),
    },
  ],
  importedStems: rubyStems,
  searchesFolders: true,
  definesByRunning: true,
  lineComment: "#",
  interpreted: true,
  idleStatement: "nil",
  lockFiles: { "Gemfile.lock": "bundler" },
  interpreters: ["ruby"],
  homeFolders: [".gem/ruby", ".rbenv", ".rvm"],
  variables: ["BUNDLE_PATH", "GEM_HOME", "GEM_PATH", "RBENV_ROOT"],
});
