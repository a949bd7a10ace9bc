# Runs RSpec with the given arguments; what its examples do is reported by millwright_report.rb.
require_relative "millwright_report"
MillwrightReport.open("rspec")
require "rspec/core"

module MillwrightRSpec
  Report = MillwrightReport
  KEYS = {}

  # Without "-e" and line numbers, each file of examples is loaded by itself, and one that cannot be does not end the run.
  module Loading
    def load_file_handling_errors(method, file)
      return super unless method == :load
      Report.load_target(file) { __send__(method, file) }
    end
  end

  class Formatter
    RSpec::Core::Formatters.register self, :example_started, :example_passed, :example_failed, :example_pending

    def initialize(_output); end

    def example_started(notification)
      Report.test_started(KEYS.fetch(notification.example.id))
    end

    def example_passed(notification)
      tell(notification.example, "passed")
    end

    def example_pending(notification)
      result = notification.example.execution_result
      tell(notification.example, result.example_skipped? ? "skipped" : "expected-failure")
    end

    def example_failed(notification)
      example = notification.example
      error = example.exception
      tell(example, "failed", error.nil? ? nil : describe(error))
    end

    private

    def describe(error)
      # Several failures in one example, or one in it and one after it: the first says where it went wrong.
      first = error.respond_to?(:all_exceptions) ? error.all_exceptions.first || error : error
      Report.describe(first, nil, first.backtrace)
    end

    def tell(example, status, failure = nil)
      Report.end_watch
      Report.test_ended(KEYS.fetch(example.id), status, example.execution_result.run_time || 0, failure)
      RSpec.world.wants_to_quit = true if Report.stopped?
    end
  end

  def self.name_groups(group, names, target)
    names += [group.description.to_s]
    group.examples.each do |example|
      said = example.metadata[:description].to_s
      said = "example at line #{example.metadata[:line_number]}" if said.empty?
      KEYS[example.id] = Report.unique_key(target, [*names, said].join(" > "))
    end
    group.children.each { |inner| name_groups(inner, names, target) }
  end

  # The tests that were asked for, of those that the project's own filters leave.
  def self.filter(group)
    kept = RSpec.world.filtered_examples[group].select { |example| Report.wanted?(KEYS.fetch(example.id)) }
    RSpec.world.filtered_examples[group] = kept
    kept.map { |example| KEYS.fetch(example.id) } + group.children.flat_map { |inner| filter(inner) }
  end

  def self.run(arguments)
    RSpec::Core::Runner.disable_autorun!
    $0 = "rspec" # by which RSpec knows that its default folder is meant
    RSpec::Core::Configuration.prepend(Loading)
    options = RSpec::Core::ConfigurationOptions.new(arguments)
    runner = RSpec::Core::Runner.new(options)
    require "rspec/expectations" rescue LoadError
    require "rspec/mocks" rescue LoadError
    watch_settings
    Report.keep(Report.namespaces(RSpec, eager: defined?(RSpec::Matchers::BuiltIn) ? [RSpec::Matchers::BuiltIn] : []), [RSpec::Core::ExampleGroup])
    Report.start
    Report.write_asked
    config = runner.configuration
    seeded(config)
    runner.setup($stderr, $stdout)
    seeded(config)
    Report.look
    # The only one: another might write to streams that a test closes.
    config.reset_reporter
    config.add_formatter(Formatter, File::NULL)
    RSpec.world.wants_to_quit = false unless Report.stopped?
    RSpec.world.example_groups.each do |group|
      name_groups(group, [], Report.relative(group.metadata[:absolute_file_path]) || group.metadata[:file_path])
    end
    Report.take_share(RSpec.world.example_groups.flat_map { |group| filter(group) })
    Report.found(RSpec.world.example_groups.flat_map { |group| filter(group) })
    runner.run_specs(RSpec.world.ordered_example_groups)
    Report.leave(Report.finish)
  end

  HOOKS = %i[before after around append_before append_after prepend_before prepend_after].freeze

  # What code may set without a change of the library.
  def self.watch_settings
    Report.watch_calls(RSpec::Core::Configuration, *HOOKS, :include, :extend, :prepend, :expect_with, :mock_with, :on_example_group_definition)
    Report.watch_calls(RSpec::Core::ExampleGroup.singleton_class, *HOOKS)
    return unless RSpec::Support.respond_to?(:failure_notifier=)
    Report.watch_calls(RSpec::Support.singleton_class, :failure_notifier=, :thread_local_data)
    usual = RSpec::Support.failure_notifier
    Report.watch_settings do
      Report.note_call(RSpec::Support, :failure_notifier, __FILE__.sub(/.*/m, "#{Report::ROOT}/code")) unless RSpec::Support.failure_notifier.equal?(usual)
    end
  end

  # Where the project has its examples in random order, it is the same order in each run.
  def self.seeded(config)
    if Report::VARIED then config.force(order: "rand:#{Report::SEED}")
    else config.ordering_manager.instance_variable_set(:@seed, Report::SEED)
    end
  rescue NoMethodError
    nil
  end
end

MillwrightReport.run_each { MillwrightRSpec.run(ARGV.slice!(0..-1)) }
