# frozen_string_literal: true

module MillwrightTrace
  # The file of this process. Each line is written whole by one system call, so a crash loses none. Ruby's own functions
  # are kept from the start, because programs under test replace them.
  class Lines
    CLOCK = Process.method(:clock_gettime)
    PID = Process.method(:pid)
    OPEN = File.method(:open)
    WRITE = IO.instance_method(:syswrite)
    MODE = File::WRONLY | File::APPEND | File::CREAT | File::EXCL

    attr_reader :full

    def initialize(folder, most_bytes)
      @folder, @most_bytes = folder, most_bytes
      reset
    end

    # True once in a forked child: it needs a file of its own.
    def forked?
      @pid != PID.call
    end

    def reset
      @pid = PID.call
      @file = nil
      @bytes = 0
      @full = @broken = false
    end

    def begun?
      !@file.nil?
    end

    def at
      open_file if @file.nil?
      CLOCK.call(Process::CLOCK_MONOTONIC, :nanosecond) - @start
    end

    def write(line)
      open_file if @file.nil?
      append(line) unless @broken
    end

    private

    def open_file
      return if @broken
      @start = CLOCK.call(Process::CLOCK_MONOTONIC, :nanosecond)
      (1..999).each do |number|
        @file = OPEN.call(File.join(@folder, "#{@pid}-#{number}.jsonl"), MODE, 0o644)
        break
      rescue Errno::EEXIST
        next
      end
      append(head)
    rescue SystemCallError
      @broken = true
      @start ||= 0
    end

    def head
      words = ["ruby", $PROGRAM_NAME, *ARGV].map { |word| Values.quote(word.to_s) }
      epoch = CLOCK.call(Process::CLOCK_REALTIME, :float_millisecond)
      %({"k":"process","v":1,"pid":#{@pid},"parent":#{Process.ppid},"language":"ruby",) +
        %("arguments":[#{words.join(",")}],"epoch":#{epoch.round(3)}})
    end

    def append(line)
      @bytes += WRITE.bind_call(@file, "#{line}\n")
      @full = true if @bytes > @most_bytes
    rescue SystemCallError, IOError
      @broken = @full = true
    end
  end
end
