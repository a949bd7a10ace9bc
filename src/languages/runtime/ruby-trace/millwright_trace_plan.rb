# frozen_string_literal: true

module MillwrightTrace
  # A planned method. `last` is the line of its `end`; `rescues`: its one line catches exceptions.
  class Function
    attr_reader :number, :name, :line, :last, :asked, :rescues, :cut
    attr_accessor :count, :serial, :in_test, :failures

    def initialize(number, name, line, last, asked, rescues)
      @number, @name, @line, @last, @asked, @rescues = number, name, line, last, asked, rescues
      renew
    end

    def renew
      @count = @serial = @in_test = @failures = 0
      @cut = Hash.new(0)
    end
  end

  # Reads the plan and observes its files. Its text: the root, the depth, then for each file an empty line, the path,
  # and a line for each method: `NUMBER LINE LAST ASKED RESCUES NAME`.
  class Plan
    def initialize(path, folder)
      head, *blocks = File.read(path, encoding: "UTF-8").split("\n\n")
      @root, depth = head.split("\n")
      @root = File.realpath(@root)
      @files = blocks.to_h { |block| read_file(block) }
      lines = Lines.new(folder, number("BYTES", 64 << 20))
      File.write(File.join(folder, "ruby.loaded"), "")
      limits = { depth: number("DEPTH", 200), records: number("RECORDS", 100_000), value: number("VALUE", 1000) }
      @calls = Calls.new(lines, Integer(depth), limits, @root, @files)
    end

    def begin
      files, calls = @files, @calls
      TracePoint.new(:script_compiled) do |point|
        code = point.instruction_sequence
        path = code.absolute_path || code.path
        functions = files[path]
        functions ||= files[File.realpath(path)] if path.start_with?("/") && File.symlink?(File.dirname(path))
        observe(code, functions) if functions
        calls.tests.watch(code) if Tests.framework?(path)
      rescue StandardError
        nil
      end.enable
      TracePoint.new(:raise) { |point| calls.fail(point) }.enable
      # Since Ruby 3.3 the interpreter reports a rescue.
      TracePoint.new(:rescue) { |point| calls.recover(point) }.enable if RUBY_VERSION >= "3.3"
      at_exit { calls.finish }
    end

    private

    def read_file(block)
      path, *rows = block.split("\n")
      methods = rows.map do |row|
        id, line, last, asked, rescues, name = row.split(" ", 6)
        [[line.to_i, name.to_sym], Function.new(id.to_i, name.to_sym, line.to_i, last.to_i, asked == "1", rescues == "1")]
      end
      full = File.join(@root, path)
      [File.exist?(full) ? File.realpath(full) : full, methods.to_h]
    end

    def observe(code, functions)
      calls = @calls
      TracePoint.new(:call, :return) do |point|
        if point.event == :call
          function = functions[[point.lineno, point.method_id]]
          calls.enter(point, function) if function
        else
          calls.leave(point)
        end
      end.enable(target: code)
    end

    def number(name, otherwise)
      text = ENV["MILLWRIGHT_TRACE_#{name}"].to_s
      /\A\d+\z/.match?(text) ? text.to_i : otherwise
    end
  end
end
