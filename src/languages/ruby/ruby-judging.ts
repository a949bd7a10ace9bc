/** Files that affect how Ruby's tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

const libraries =
  "minitest,rspec,test/unit,test-unit,rspec/core,rspec/expectations,rspec/mocks,rspec/support,simplecov,rake,bundler,power_assert";
/** Files of Ruby's standard library that tests use to compare values or to observe the code. */
const standard =
  "benchmark,bigdecimal,continuation,coverage,date,delegate,did_you_mean,digest,English,erb,error_highlight,etc,fileutils,find,forwardable,json,logger,monitor,mutex_m,objspace,observer,open3,optparse,ostruct,pathname,pp,prettyprint,psych,rational,rbconfig,ripper,rubygems,securerandom,set,shellwords,singleton,stringio,strscan,syntax_suggest,tempfile,thread,time,timeout,tmpdir,tsort,uri,weakref,yaml,zlib";

export const rubyJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{.rspec,.rspec-local,.simplecov,.mutant.yml,.rubocop.yml,.ruby-version,.tool-versions,test-unit.yml,.test-unit.yml}",
    loads: /(?:^|\s)(?:-r|--require)[ \t=]*([^\s]+)/m,
  },
  { files: "**/{spec,test}/{spec_helper,rails_helper,test_helper,helper,minitest_helper}.rb" },
  { files: "**/{spec/support/**/*.rb,config/environments/test.rb}" },
  { files: "**/{Rakefile,rakefile,Rakefile.rb,rakefile.rb,*.rake}" },
  { files: "**/{Gemfile,gems.rb,Gemfile.lock,gems.locked,.bundle/**,.gemrc}" },
  // Found by RubyGems and by minitest under their names, wherever they lie on the search path.
  { files: "**/minitest/*_plugin.rb" },
  { files: "**/rubygems_plugin.rb" },
  { files: "**/*.gemspec", parts: { format: "lines", lines: /development_dependency|require_paths/ } },
  { files: `{,lib/,test/,spec/}{${libraries}}{.rb,.so,/**}`, isShadow: true },
  { files: `{,lib/,test/,spec/}{${standard}}{.rb,.so}`, isShadow: true },
];
