# frozen_string_literal: true

# Loaded by every Ruby that the command starts, through RUBYOPT. Observes the plan's methods: each planned file gets a
# TracePoint of its own when Ruby compiles it, so other code runs at full speed. Ruby 2.7 and later.
if !ENV["MILLWRIGHT_TRACE_DIR"].to_s.empty? && !ENV["MILLWRIGHT_TRACE_RUBY"].to_s.empty? &&
   RUBY_ENGINE == "ruby" && (RUBY_VERSION.split(".").map(&:to_i) <=> [2, 7]) >= 0
  begin
    require "fiber" if RUBY_VERSION < "3.1"
    # `load` leaves no entry among the program's loaded features.
    %w[values lines tests calls plan].each { |part| load File.join(__dir__, "millwright_trace_#{part}.rb") }
    MillwrightTrace::Plan.new(ENV["MILLWRIGHT_TRACE_RUBY"], ENV["MILLWRIGHT_TRACE_DIR"]).begin
  rescue StandardError
    nil # The program runs even if the trace cannot begin.
  end
end
