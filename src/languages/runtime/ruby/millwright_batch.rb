# Tests many candidates in one start: the test library is loaded once. Each candidate gets a forked child, which loads the project and
# its tests with the candidate's files in place of the base's. `batch.txt` in the report folder gets the lines that
# src/languages/forked-batch.ts reads; each child writes a report of its own, `c7-ruby-PID.jsonl`.
require "tmpdir"
require "fileutils"

module MillwrightBatch
  Report = MillwrightReport
  FOLDER = ENV.fetch("MILLWRIGHT_REPORT").freeze
  # A child that reported nothing for this long beyond the limit of a test is in a call that no exception ends.
  STALL = Report::LIMIT + 10
  POLL = 0.005

  Child = Struct.new(:candidate, :process, :folder, :report, :size, :grown)

  class << self
    # Yields in each child, which ends there. Ends this process after all.
    def run
      parallel, *candidates = ENV.delete("MILLWRIGHT_BATCH").split.map(&:to_i)
      @lines = File.open("#{FOLDER}/batch.txt", "ab")
      @lines.sync = true
      problem = problem_here
      write("refused" => problem) if problem
      @running = []
      (problem ? [] : candidates).each do |candidate|
        files = read(candidate)
        known = files.keys.find { |path| $LOADED_FEATURES.include?(path) }
        next refuse(candidate, "#{known} is loaded with the test library") if known
        strange = files.keys.find { |path| !path.end_with?(".rb") }
        next refuse(candidate, "#{strange} is not loaded by require") if strange
        wait while @running.length >= [parallel, 1].max
        start(candidate, files) { yield }
      end
      wait until @running.empty?
      Report.leave(0)
    end

    private

    def problem_here
      "only CRuby can load one text in place of another" unless defined?(RubyVM::InstructionSequence) && Process.respond_to?(:fork)
    end

    def write(line)
      @lines.write("#{Report.json(line)}\n")
    end

    def refuse(candidate, reason)
      write("candidate" => candidate, "refused" => reason)
    end

    # The candidate's texts by their paths in the checkout.
    def read(candidate)
      folder = "#{FOLDER}/candidates/#{candidate}"
      Dir.glob("#{folder}/**/*", File::FNM_DOTMATCH).select { |path| File.file?(path) }.to_h do |path|
        ["#{Report::ROOT}/#{path[(folder.length + 1)..-1]}", File.read(path, encoding: Encoding::UTF_8)]
      end
    end

    def start(candidate, files)
      folder = Dir.mktmpdir("mw")
      $stdout.flush
      $stderr.flush
      process = fork do
        enter(folder)
        lay_over(candidate, files)
        Report.open_file("#{FOLDER}/c#{candidate}-ruby-#{Process.pid}.jsonl")
        yield
      end
      report = "#{FOLDER}/c#{candidate}-ruby-#{process}.jsonl"
      @running << Child.new(candidate, process, folder, report, -1, clock)
    end

    # Temporary folders of children must not meet. Where memory runs out, the child is killed, and not its parent.
    def enter(folder)
      Process.setpgid(0, 0)
      ENV["TMPDIR"] = folder
      [$stdout, $stderr].each { |stream| stream.reopen(File::NULL, "w") }
      File.write("/proc/self/oom_score_adj", "1000") rescue nil
    end

    # `require`, `load` and `autoload` ask this hook for each file. Nothing shows whether a text is read in another way, or by another
    # process: then the candidate is refused.
    def lay_over(candidate, files)
      left = files.keys
      RubyVM::InstructionSequence.define_singleton_method(:load_iseq) do |path|
        text = files[path] || files[(File.realpath(path) rescue path)]
        next nil if text.nil?
        left.delete(path)
        left.delete(File.realpath(path))
        compile(text, path, path)
      end
      Report.at_end do
        refuse(candidate, "nothing loads #{left.first}") unless left.empty?
        refuse(candidate, "the tests start processes") if Process.times.cutime + Process.times.cstime > 0
      end
    end

    # Waits until a child ends by itself, or is killed because it is stuck.
    def wait
      loop do
        @running.each do |child|
          _, status = Process.wait2(child.process, Process::WNOHANG)
          next if status.nil? && !stuck?(child)
          Process.kill(:KILL, -child.process) rescue nil
          status ||= Process.wait2(child.process)[1]
          write("candidate" => child.candidate, "exitCode" => status.exitstatus)
          FileUtils.rm_rf(child.folder)
          return @running.delete(child)
        end
        sleep(POLL)
      end
    end

    def stuck?(child)
      size = File.size?(child.report) || -1
      child.size, child.grown = size, clock if size != child.size
      clock - child.grown > STALL
    end

    def clock
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
