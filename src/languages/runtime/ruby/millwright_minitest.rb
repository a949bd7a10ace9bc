# Loads the given files and runs their minitest tests; what they do is reported by millwright_report.rb.
require_relative "millwright_report"
MillwrightReport.open("minitest")
require "minitest"

module MillwrightMinitest
  Report = MillwrightReport

  # The file that a class of tests belongs to: the one that was being loaded when the class came.
  TARGETS = {}
  KEYS = {}

  module Classes
    def inherited(klass)
      TARGETS[klass] = Report.loading
      super
    end

    def run_one_method(klass, name, reporter)
      return if Report.stopped? || !Report.wanted?(KEYS.fetch([klass, name]) { return })
      # Whatever stands in the list of reporters by now.
      super(klass, name, REPORTER)
    end
  end

  module Serial
    def parallelize_me!; end
  end

  module Body
    def after_setup
      super
      Report.enter_body
    end
  end

  class Reporter < Minitest::AbstractReporter
    def initialize
      super
      @passed = true
    end

    def prerecord(klass, name)
      Report.test_started(KEYS.fetch([klass, name]))
    end

    def record(result)
      Report.end_watch
      klass = result.respond_to?(:klass) ? result.klass : result.class.name
      key = @key_of[[klass, result.name]]
      failure = result.failures.find { |one| !one.is_a?(Minitest::Skip) }
      status = if failure then Report.entered? || failure.class == Minitest::Assertion ? "failed" : "errored"
               elsif result.skipped? then "skipped"
               else "passed"
               end
      Report.test_ended(key, status, result.time, failure && describe(failure))
    end

    def know(keys)
      @key_of = keys
    end

    def describe(failure)
      failure.is_a?(Minitest::UnexpectedError) ? Report.describe(failure.error) : Report.describe(failure)
    end

    def report; end

    def passed?
      true
    end
  end

  REPORTER = Reporter.new

  def self.find_tests
    by_name = {}
    loaded = TARGETS.values.compact.uniq
    Minitest::Runnable.runnables.each do |klass|
      klass.runnable_methods.sort.each do |name|
        file = Report.relative(klass.instance_method(name).source_location&.first)
        target = loaded.include?(file) ? file : TARGETS[klass] || file || ""
        key = Report.unique_key(target, "#{klass.name || "<anonymous>"}##{name}")
        KEYS[[klass, name]] = key
        by_name[[klass.name, name]] = key
      end
    end
    by_name
  end

  def self.run(files)
    Minitest.class_variable_set(:@@installed_at_exit, true)
    Minitest::Runnable.singleton_class.prepend(Classes)
    Minitest::Test.singleton_class.prepend(Serial)
    Minitest::Test.prepend(Body)
    require "minitest/spec"
    Report.keep(Report.namespaces(Minitest), [Minitest::Test])
    Report.start
    Report.write_asked
    files.each { |file| Report.load_target(file) { require File.expand_path(file) } }
    Report.look
    Minitest.seed = Report::SEED if Minitest.respond_to?(:seed=)
    reporter = REPORTER
    reporter.know(find_tests)
    Report.take_share(KEYS.values)
    Report.found(KEYS.values.select { |key| Report.wanted?(key) })
    Minitest.extensions << "millwright"
    # The only one: another might write to streams that a test closes, or expect what is not there.
    Minitest.define_singleton_method(:plugin_millwright_init) { |_| self.reporter.reporters.replace([reporter]) }
    Minitest.run(["--seed", Report::SEED.to_s])
    after = Minitest.class_variable_get(:@@after_run)
    after.reverse_each(&:call)
    Report.leave(Report.finish)
  end
end

MillwrightReport.run_each { MillwrightMinitest.run(ARGV.slice!(0..-1)) }
