# frozen_string_literal: true

module MillwrightTrace
  # Names the running test: the frameworks' own methods that run one are observed.
  class Tests
    FRAMEWORKS = %r{/(?:minitest/test|test/unit/testcase|rspec/core/example)\.rb\z}.freeze

    # `serial` grows with each test; `name` is nil between tests.
    attr_reader :name, :serial

    def self.framework?(path)
      FRAMEWORKS.match?(path)
    end

    def initialize
      @name, @serial = nil, 1
    end

    def watch(code)
      TracePoint.new(:call, :return) do |point|
        next unless point.method_id == :run && !(Module === point.self)
        point.event == :call ? start(point.self) : stop
      rescue StandardError
        nil
      end.enable(target: code)
    end

    private

    def start(test)
      named =
        if test.respond_to?(:metadata)
          test.metadata[:full_description]
        else
          method = test.respond_to?(:method_name) ? test.method_name : test.name
          "#{Values.class_name(test)}##{method}"
        end
      @name = named.to_s
      @serial += 1
    end

    def stop
      @name = nil
      @serial += 1
    end
  end
end
