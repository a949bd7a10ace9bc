# Loads the given files and runs their test-unit tests; what they do is reported by millwright_report.rb.
require_relative "millwright_report"
MillwrightReport.open("test-unit")
require "test/unit"
require "test/unit/collector/descendant"
require "test/unit/ui/testrunnermediator"

module MillwrightTestUnit
  Report = MillwrightReport
  TARGETS = {}
  KEYS = {}

  module Classes
    def inherited(klass)
      TARGETS[klass] = Report.loading
      super
    end
  end

  module Body
    private

    def run_test
      Report.enter_body
      super
    end
  end

  def self.id_of(test)
    [test.class, test.method_name, test.respond_to?(:data_label) ? test.data_label : nil]
  end

  def self.each_test(suite, &block)
    suite.tests.each { |one| one.respond_to?(:tests) ? each_test(one, &block) : block.call(one) }
  end

  def self.name_tests(suite)
    loaded = TARGETS.values.compact.uniq
    each_test(suite) do |test|
      file = Report.relative(test.method(test.method_name).source_location&.first)
      target = loaded.include?(file) ? file : TARGETS[test.class] || file || ""
      label = id_of(test)[2]
      KEYS[id_of(test)] = Report.unique_key(target, "#{test.class.name || "<anonymous>"}##{test.method_name}#{label ? "[#{label}]" : ""}")
    end
  end

  # Suites with the tests that were asked for alone; a group without any has no set-up.
  def self.keep_wanted(suite)
    suite.tests.select! do |one|
      next Report.wanted?(KEYS.fetch(id_of(one))) unless one.respond_to?(:tests)
      keep_wanted(one)
      !one.tests.empty?
    end
  end

  def self.listen(mediator)
    faults = []
    started = result = nil
    mediator.add_listener(Test::Unit::UI::TestRunnerMediator::STARTED) { |running| result = running }
    mediator.add_listener(Test::Unit::TestResult::FAULT) { |fault| started ? faults << fault : tell_outside(fault) }
    mediator.add_listener(Test::Unit::TestCase::STARTED_OBJECT) do |test|
      faults.clear
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      Report.test_started(KEYS.fetch(id_of(test)))
    end
    mediator.add_listener(Test::Unit::TestCase::FINISHED_OBJECT) do |test|
      Report.end_watch
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - (started || 0)
      Report.test_ended(KEYS.fetch(id_of(test)), *judge(faults, seconds))
      started = nil
      result.stop if Report.stopped?
    end
  end

  def self.failing?(fault)
    fault.is_a?(Test::Unit::Failure) || fault.is_a?(Test::Unit::Error)
  end

  # What a class does before its first test and after its last.
  def self.tell_outside(fault)
    return unless failing?(fault)
    files = fault.location.map { |line| Report.relative(line.to_s[/\A(.+?):\d+/, 1]) }
    target = files.find { |file| TARGETS.value?(file) } || files.compact.first || ""
    Report.target_failed(target, fault.respond_to?(:exception) && fault.exception || Test::Unit::AssertionFailedError.new(fault.message))
  end

  def self.judge(faults, seconds)
    fault = faults.find { |one| failing?(one) }
    if fault
      status = Report.entered? || fault.is_a?(Test::Unit::Failure) ? "failed" : "errored"
      return [status, seconds, describe(fault)]
    end
    kinds = faults.map(&:class)
    return ["expected-failure", seconds] if kinds.include?(Test::Unit::Pending)
    [kinds.include?(Test::Unit::Omission) ? "skipped" : "passed", seconds]
  end

  def self.describe(fault)
    return Report.describe(fault.exception) if fault.respond_to?(:exception) && fault.exception
    error = Test::Unit::AssertionFailedError.new(fault.message)
    Report.describe(error, fault.message, fault.location.map(&:to_s))
  end

  def self.run(files)
    Test::Unit::AutoRunner.need_auto_run = false
    Test::Unit::TestCase.singleton_class.prepend(Classes)
    Test::Unit::TestCase.prepend(Body)
    Report.watch_calls(Test::Unit::TestCase.singleton_class, :setup, :cleanup, :teardown, :exception_handler)
    Report.keep(Report.namespaces(Test::Unit), [Test::Unit::TestCase])
    Report.start
    Report.write_asked
    files.each { |file| Report.load_target(file) { require File.expand_path(file) } }
    Report.look
    srand(Report::SEED)
    Test::Unit::TestCase.test_order = :random if Report::VARIED
    suite = Test::Unit::Collector::Descendant.new.collect("tests")
    name_tests(suite)
    Report.take_share(KEYS.values)
    keep_wanted(suite)
    Report.found(KEYS.values.select { |key| Report.wanted?(key) })
    mediator = Test::Unit::UI::TestRunnerMediator.new(suite)
    listen(mediator)
    mediator.run
    Report.leave(Report.finish)
  end
end

MillwrightReport.run_each { MillwrightTestUnit.run(ARGV.slice!(0..-1)) }
