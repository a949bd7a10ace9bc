# Sends a line of JSON for each event of a run of tests, as src/languages/report-lines.ts reads them. Also knows which tests were asked
# for, ends a test that takes too long, and notes the lines that run. Ruby 2.5 and later; the standard library alone.
require "zlib"
require_relative "millwright_guard"

module MillwrightReport
  # A limit of ours: not a StandardError, so that no `rescue` of a test takes it for an error of its own.
  class Expired < Exception; end

  ROOT = File.realpath(ENV.fetch("MILLWRIGHT_ROOT")).freeze
  RUNTIME = File.realpath(__dir__).freeze
  LIMIT = ENV.fetch("MILLWRIGHT_TEST_SECONDS").to_f
  COVERS = ENV["MILLWRIGHT_COVERAGE"] == "1"
  STOPS = ENV["MILLWRIGHT_STOP"] == "1"
  VARIED = ENV["MILLWRIGHT_VARIED"] == "1"
  OWNER = Process.pid
  OWN_LIBRARY = "#{RbConfig::CONFIG["rubylibdir"]}/".freeze
  # One seed for all plain runs: a run that is resumed sees the same order. The review of mined tasks names others.
  SEED = ENV.fetch("MILLWRIGHT_SEED", VARIED ? 4711 : 42).to_i

  LIBRARY = %r{/(?:minitest|rspec(?:-\w+)?|test-unit|power_assert|rake|bundler)[-/][^\n]*\.rb\z|/test/unit/}

  class << self
    # The run's key is taken here, before anything of the repository is loaded: it can be taken once.
    # Each frame (src/languages/report-frames.ts) is one write of at most 4,096 bytes.
    def open(framework)
      @framework = framework
      @counts = Hash.new(0)
      @ended = {}
      # In a batch, each child opens a report of its own.
      return if ENV["MILLWRIGHT_BATCH"]
      open_channel(framework)
      begin_run
    end

    # Runs the block, for a batch once in a child for each candidate.
    def run_each(&run)
      return yield unless ENV["MILLWRIGHT_BATCH"]
      require_relative "millwright_batch"
      MillwrightBatch.run(&run)
    end

    # The report of a candidate in a batch: a file. It needs no key, since a batch only screens.
    def open_file(path)
      file = File.open(path, "ab")
      file.sync = true
      file.close_on_exec = true
      owner = Process.pid
      define_singleton_method(:send_text) { |text| file.syswrite(text) if Process.pid == owner }
      begin_run
    end

    def begin_run
      read_selection
      start_coverage if COVERS
      start_watch
    end

    def open_channel(framework)
      channel = ENV.fetch("MILLWRIGHT_CHANNEL")
      a, b, c, d, e, f, g, h = take_key("#{channel}/key")
      pipe = File.open("#{channel}/lines", "wb")
      pipe.sync = true
      pipe.close_on_exec = true
      frames = 0
      owner = OWNER
      lock = Mutex.new
      define_singleton_method(:send_text) do |text|
        next if Process.pid != owner
        # Only our own code reports: the caller's file is none where a text was evaluated.
        text = "this line is not the reporter's\n" unless caller_locations(1, 1)&.first&.absolute_path == __FILE__
        lock.synchronize do
          at = 0
          while at < text.bytesize
            part = text.byteslice(at, 3968)
            key = [a, b, c, d, e, f, g, h].pack("N8")
            frame = key + " #{framework} #{frames} #{part.bytesize}\n".b + part.b
            pipe.syswrite(frame)
            # Nothing that lists all objects finds the key.
            [key, frame].each(&:clear)
            frames += 1
            at += part.bytesize
          end
        end
      end
    end

    # As numbers of four bytes each.
    def take_key(path)
      text = File.open(path, "rb") { |file| file.read(32) }
      text.unpack("N8").tap { text.clear }
    end

    # Our own files alone may say how a test ended; the report of a run in which others did is invalid.
    def guard_caller
      file = caller_locations(2, 1)&.first&.absolute_path
      send_text("a call from #{file.inspect}\n") unless file&.start_with?("#{RUNTIME}/")
    end

    def start
      write("run-started", "framework" => @framework)
    end

    # The block runs before the last line of the report.
    def at_end(&block)
      @at_end = block
    end

    def finish
      guard_caller
      look
      @at_end&.call
      flush_coverage({ "test" => nil, "target" => "" })
      write("run-ended", "counts" => @counts)
      @counts.values_at("failed", "errored").sum.zero? && !@broken ? 0 : 1
    end

    # Ends the process without what others wanted to do at its end: tests that run by themselves there, coverage of the project.
    def leave(status)
      [$stdout, $stderr].each { |stream| begin stream.flush; rescue StandardError; nil end }
      exit!(status)
    end

    def write(event, fields)
      send_text("#{json({ "event" => event }.merge(fields))}\n")
    end

    def json(value)
      case value
      when nil, true, false, Integer then value.nil? ? "null" : value.to_s
      when Float then format("%.3f", value)
      when Hash then "{#{value.map { |key, inner| "#{json(key.to_s)}:#{json(inner)}" }.join(",")}}"
      when Array then "[#{value.map { |inner| json(inner) }.join(",")}]"
      else quote(value.to_s)
      end
    end

    ESCAPES = { "\"" => "\\\"", "\\" => "\\\\", "\n" => "\\n", "\r" => "\\r", "\t" => "\\t" }.freeze

    def quote(text)
      whole = text.dup.force_encoding(Encoding::UTF_8) unless text.encoding == Encoding::UTF_8
      whole = (whole || text).scrub
      "\"#{whole.gsub(/[\x00-\x1f"\\\x7f]/) { |sign| ESCAPES[sign] || format("\\u%04x", sign.ord) }}\""
    end

    # A path as the repository knows it; nil for one outside.
    def relative(path)
      return nil if path.nil?
      path = File.expand_path(path)
      return path[(ROOT.length + 1)..-1] if path.start_with?("#{ROOT}/")
      real = File.realpath(path) rescue nil
      real[(ROOT.length + 1)..-1] if real && real.start_with?("#{ROOT}/")
    end

    def key_of(target, name)
      { "package" => "", "target" => target, "name" => name }
    end

    # Names of one target are told apart by their order.
    def unique_key(target, name)
      @seen ||= Hash.new(0)
      count = (@seen[[target, name]] += 1)
      key_of(target, count == 1 ? name : "#{name} ##{count}")
    end

    def wanted?(key)
      return false unless @taken.nil? || @taken[key["target"]]
      return true if @targets.nil?
      @targets[key["target"]] || @names["#{key["target"]}\t#{key["name"]}"] || false
    end

    def found(keys)
      of = @whole ? { "of" => @whole } : {}
      write("tests-found", { "tests" => [] }.merge(of)) if keys.empty? && @whole
      keys.each_slice(200) { |some| write("tests-found", { "tests" => some }.merge(of)) }
    end

    # Takes this process's part of the files, if several processes run the selected tests. The parts keep the files' order and
    # take about the same time. Each process must find the same parts. Without a share, nothing changes.
    def take_share(keys)
      return if @share.nil?
      index, of, times = @share
      keys = keys.select { |key| wanted?(key) }
      weights = Hash.new(0)
      keys.each { |key| weights[key["target"]] += weights.key?(key["target"]) ? 1 : 1 + times.fetch(key["target"], 0) }
      whole, before = weights.values.sum, 0
      @taken = weights.each_with_object({}) do |(target, weight), taken|
        taken[target] = true if ((before + weight / 2.0) * of / whole).to_i == index
        before += weight
      end
      @whole = keys.length
    end

    # -- a test, from its start to its end

    def test_started(key)
      look_sometimes
      flush_coverage({ "test" => nil, "target" => key["target"] })
      write("test-started", "test" => key)
      @failed_now = nil
      @entered = false
      thread = Thread.current
      @watch.synchronize { @deadline = [clock + LIMIT, thread] }
    end

    # The test's own body runs now: what fails before is its set-up.
    def enter_body
      @entered = true
    end

    def entered?
      @entered
    end

    def end_watch
      @watch.synchronize { @deadline = nil }
    rescue Expired
      @deadline = nil
    end

    def test_ended(key, status, seconds, failure = nil)
      guard_caller
      end_watch
      look_sometimes
      id = "#{key["target"]}\t#{key["name"]}"
      # The host takes another result of the same test for a forged one.
      return if @ended[id] == status
      @ended[id] = status
      flush_coverage({ "test" => key })
      @counts[status] += 1
      @stopped = true if STOPS && %w[failed errored].include?(status)
      fields = { "test" => key, "status" => status, "durationMs" => seconds.to_f * 1000 }
      fields["failure"] = failure if failure && %w[failed errored].include?(status)
      write("test-ended", fields)
    end

    def stopped?
      @stopped || false
    end

    # -- what is loaded

    attr_reader :loading

    # Files are loaded one by one: one that cannot be is a failed target, and the others run.
    def load_target(path)
      @loading = relative(path) || path
      yield
    rescue Expired, NoMemoryError, Interrupt, SignalException
      raise
    rescue Exception => error # rubocop:disable Lint/RescueException
      target_failed(@loading, error)
    ensure
      flush_coverage({ "test" => nil, "target" => @loading || "" })
      @loading = nil
    end

    def target_failed(target, error)
      @broken = true
      write("target-failed", "package" => "", "target" => target, "failure" => describe(error))
    end

    # -- failures

    def describe(error, message = nil, trace = nil)
      said = message || message_of(error)
      kind = error.class.name || "Error"
      if error.is_a?(Expired)
        kind = "TimeoutError"
        said = "the test did not end within #{(LIMIT * 1000).round} ms"
      end
      lines = trace || error.backtrace || []
      # Blocks and methods written in C stand at the line of their caller once more.
      frames = lines.reverse.map { |line| frame(line) }.compact.chunk_while { |a, b| same_line?(a, b) }.map(&:first)
      own = lines.reject { |line| line.start_with?(RUNTIME) }
      {
        "type" => kind,
        "message" => said[0, 4000],
        "frames" => frames,
        "text" => "#{kind}: #{said}\n#{own.join("\n")}"[0, 4000],
      }
    end

    def same_line?(one, other)
      one["file"] == other["file"] && one["line"] == other["line"]
    end

    def message_of(error)
      error.message.to_s
    rescue StandardError
      error.class.to_s
    end

    def frame(line)
      path, number, name = line.match(/\A(.+?):(\d+)(?::in [`'](.*)')?/)&.captures
      return nil if path.nil? || number.to_i < 1 || path.start_with?(RUNTIME, "<", "(", "-e")
      own = relative(path)
      return nil if own.nil? && LIBRARY.match?(path)
      found = { "file" => own || path, "line" => number.to_i }
      label = name && name.sub(/\A(?:block|rescue|ensure)\b.*? in /, "")
      found["function"] = label if label && !label.start_with?("<")
      found
    end

    private

    def clock
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def read_selection
      read_share
      text = read_lines("SELECTION")
      return if text.nil?
      @targets = {}
      @names = {}
      keys = []
      text.each_line(chomp: true) do |line|
        target, name = line.split("\t", 2)
        if name.nil?
          @targets[line] = true unless line.empty?
        else
          @names["#{target}\t#{name}"] = true
          keys << key_of(target, name)
        end
      end
      @asked = keys
    end

    def read_share
      text = read_lines("SHARE")
      return if text.nil?
      (index, of), *times = text.each_line(chomp: true).map { |line| line.split("\t", 2) }
      @share = [index.to_i, of.to_i, times.to_h { |target, ms| [target, ms.to_f] }]
    end

    def read_lines(name)
      parts = []
      while (part = ENV.delete("MILLWRIGHT_#{name}_#{parts.length}"))
        parts << part
      end
      Zlib.gunzip(parts.join.unpack1("m")).force_encoding(Encoding::UTF_8) unless parts.empty?
    end

    def write_asked
      # In a share, another process may run them.
      found(@asked) if @asked && @share.nil?
    end

    public :write_asked

    # A test that waits or computes is ended by an exception in its own thread.
    def start_watch
      @watch = Mutex.new
      @deadline = nil
      # A library's trace points run in every thread, and may raise in this one: power_assert's do, if it is loaded meanwhile.
      Thread.new { loop { watch_once rescue nil } } if LIMIT > 0
    end

    def watch_once
      sleep(0.05)
      @watch.synchronize do
        at, thread = @deadline
        if at && clock > at
          @deadline = nil
          thread.raise(Expired, "MILLWRIGHT_TIMEOUT")
        end
      end
    end

    # Projects that measure their own coverage get none in such a run.
    def start_coverage
      require "coverage"
      Coverage.start(lines: true)
      result = Coverage.method(:result)
      @take_lines = -> { result.call(stop: false, clear: true) }
      Coverage.define_singleton_method(:setup) { |*| nil }
      Coverage.define_singleton_method(:start) { |*| nil }
      Coverage.define_singleton_method(:result) { |*| {} }
      Coverage.define_singleton_method(:peek_result) { {} }
    end

    def flush_coverage(head)
      return unless COVERS && Process.pid == OWNER
      lines = {}
      @take_lines.call.each do |path, found|
        own = own_path(path)
        next if own.nil?
        counts = found.is_a?(Hash) ? found[:lines] : found
        ranges = ranges_of(counts || [])
        lines[own] = ranges unless ranges.empty?
      end
      write("coverage", head.merge("lines" => lines)) unless lines.empty?
    end

    def own_path(path)
      @paths ||= {}
      @paths.fetch(path) { @paths[path] = path.start_with?("#{ROOT}/") ? path[(ROOT.length + 1)..-1] : nil }
    end

    def ranges_of(counts)
      ranges = []
      first = nil
      counts.each_with_index do |count, at|
        if count && count > 0
          first ||= at + 1
        elsif first
          ranges << (first == at ? first.to_s : "#{first}-#{at}")
          first = nil
        end
      end
      ranges << (first == counts.length ? first.to_s : "#{first}-#{counts.length}") if first
      ranges.join(",")
    end
  end
end
