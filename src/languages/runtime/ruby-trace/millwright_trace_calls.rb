# frozen_string_literal: true

module MillwrightTrace
  # A call in progress; `number` is nil if it is not recorded. `around`: the nearest recorded call around it.
  class Call
    attr_reader :function, :distance, :depth, :around
    attr_accessor :number, :failure

    def initialize(function, number, distance, around)
      @function, @number, @distance, @around = function, number, distance, around
      @depth = (around&.depth || 0) + 1
    end

    def recorded
      @number ? self : @around
    end
  end

  # The calls of one fiber in one process; a fork starts with none. `unsure`: an overflow of the program's stack hid a call's end.
  Stack = Struct.new(:process, :thread, :calls, :unsure)

  Worker = Struct.new(:number, :last)

  # The calls of this process, each with the one that made it.
  class Calls
    # All of a function's first calls are recorded; later some of each test, and one of so many.
    FULL_CALLS = 1000
    CALLS_IN_A_TEST = 20
    ONE_OF = 1000
    MOST_THREADS = 1000
    KEY = :__millwright_trace__

    attr_reader :tests

    # `reach`: how many calls away from a requested method its callees are recorded.
    # `files`: the methods by real path, then by line and name.
    def initialize(lines, reach, limits, root, files)
      @lines, @reach, @limits, @root = lines, reach, limits, root
      @functions = files.values.flat_map(&:values)
      @starts = files.flat_map { |path, own| own.each_value.map { |one| [[one.name.to_s, File.basename(path)], true] } }.to_h
      @tests = Tests.new
      start
    end

    def enter(point, function)
      guarded do
        own = stack
        settle(own, 1) if own.unsure
        top = own.calls.last&.recorded || outer(own)
        near = function.asked || (top && top.distance < @reach)
        why = near ? refuse(function, top) : :far
        call = Call.new(function, why ? nil : (@number += 1), function.asked ? 0 : (top&.distance || 0) + 1, top)
        own.calls << call
        own.thread.last = own
        cut(function, why) if why && why != :far
        write_entry(call, own, arguments(point)) unless why
      end
    end

    def leave(point)
      guarded do
        own = stack
        next if own.unsure && !settle(own, 0)
        call = own.calls.last
        # Another method of the file, or one that was entered before a fork.
        next unless call && call.function.name == point.method_id && within?(call.function, point.lineno)
        own.calls.pop
        value = point.return_value
        failure = value.nil? && thrown?(call, point.lineno) ? call.failure : nil
        own.calls.last.failure = failure if failure && own.calls.last
        write_end(call, own, failure, value)
      end
    end

    # Called for every exception of the program: remembers it for the innermost call.
    def fail(point)
      guarded do
        call = stack.calls.last
        next unless call
        error = point.raised_exception
        known = call.failure
        call.failure = [error, "#{shown(point.path)}:#{point.lineno}"] unless known && known[0].equal?(error)
      end
    end

    def recover(_point)
      guarded { stack.calls.last&.failure = nil }
    end

    # The process ends in order.
    def finish
      guarded do
        fork_again if @lines.forked?
        next unless @lines.begun?
        @functions.each { |function| function.cut.each { |why, count| write_cut(function, why, count) } }
        @lines.write(%({"k":"end","at":#{@lines.at}}))
      end
    end

    private

    # Postpones interrupts such as a timeout's, which must reach the program, and keeps errors of its own from it.
    def guarded
      Thread.handle_interrupt(Exception => :never) do
        yield
      rescue SystemStackError
        Thread.current[KEY]&.unsure = true
      rescue StandardError
        nil
      end
    end

    # Compares the calls with the interpreter's frames, without the newest `entering` ones. False: the end of a call
    # whose beginning is unknown.
    def settle(own, entering)
      active = caller_locations(2).count { |frame| @starts[[frame.base_label, File.basename(frame.path)]] && frame.label == frame.base_label } - entering
      end_overflown(own.calls.pop) while own.calls.size > active
      own.unsure = own.calls.size != active
      !own.unsure
    end

    def end_overflown(call)
      return unless call.number
      @lines.write(%({"k":"out","c":#{call.number},"at":#{@lines.at},"how":"throw","message":"SystemStackError: stack level too deep"}))
    end

    def start
      @process = Object.new
      @number = 0
      @records = @limits[:records]
      @workers = {}.compare_by_identity
      @functions.each(&:renew)
    end

    def fork_again
      @lines.reset
      start
    end

    def stack
      fork_again if @lines.forked?
      own = Thread.current[KEY]
      return own if own && own.process.equal?(@process)
      Thread.current[KEY] = Stack.new(@process, worker, [], false)
    end

    def worker
      thread = Thread.current
      @workers[thread] ||= begin
        @workers.select! { |one, _| one.alive? } if @workers.size >= MOST_THREADS
        @threads = @workers.empty? ? 1 : @threads + 1
        name = thread.equal?(Thread.main) ? "main" : thread.name || "thread #{@threads}"
        @lines.write(%({"k":"thread","n":#{@threads},"name":#{Values.quote(name)}}))
        Worker.new(@threads, nil)
      end
    end

    # The call that resumed this fiber.
    def outer(own)
      last = own.thread.last
      last && !last.equal?(own) ? last.calls.last&.recorded : nil
    end

    # Why a call is not recorded, or nil.
    def refuse(function, top)
      function.count += 1
      function.serial, function.in_test = @tests.serial, 0 if function.serial != @tests.serial
      function.in_test += 1
      return :bytes if @lines.full
      return :records if @records <= 0
      return :depth if top && top.depth >= @limits[:depth]
      return :sampled if function.count > FULL_CALLS && function.in_test > CALLS_IN_A_TEST && function.count % ONE_OF != 0
      @records -= 1
      nil
    end

    def cut(function, why)
      count = function.cut[why] += 1
      write_cut(function, why, count) if (count & (count - 1)).zero?
    end

    def write_cut(function, why, count)
      @lines.write(%({"k":"cut","f":#{function.number},"why":"#{why}","count":#{count}}))
    end

    def write_entry(call, own, args)
      parent = call.around ? %(,"p":#{call.around.number}) : ""
      test = @tests.name ? %(,"test":#{Values.quote(@tests.name)}) : ""
      args = args ? %(,"args":[#{args}]) : ""
      @lines.write(%({"k":"in","c":#{call.number},"f":#{call.function.number}#{parent},"th":#{own.thread.number}#{test},"at":#{@lines.at}#{args}}))
    end

    # A call that was only counted is recorded after all if it fails; its arguments may have changed by then.
    def write_end(call, own, failure, value)
      late = call.number.nil? && failure && record_late?(call, own, failure)
      return unless call.number
      write_entry(call, own, nil) if late
      written =
        if failure
          %("how":"throw","message":#{Values.quote(Values.message(failure[0], @limits[:value]))},"place":#{Values.quote(failure[1])})
        elsif @lines.full
          %("how":"return")
        else
          %("how":"return","value":#{Values.text(value, @limits[:value])})
        end
      @lines.write(%({"k":"out","c":#{call.number},"at":#{@lines.at},#{written}}))
    end

    def record_late?(call, own, failure)
      function = call.function
      inner = @late.equal?(failure[0])
      @late = failure[0]
      return false if inner || function.cut[:sampled].zero? || function.failures >= FULL_CALLS || @lines.full || @records <= 0
      function.failures += 1
      function.cut[:sampled] -= 1
      @records -= 1
      call.number = (@number += 1)
      own.calls.last&.failure = failure
      true
    end

    def within?(function, line)
      line >= function.line && line <= function.last
    end

    # Ruby reports an exception that leaves a method as a return of nil, from the line that it left. A normal return is
    # reported from the line of `end`, and a `return` in a `rescue` from the line of `def`.
    def thrown?(call, line)
      function = call.function
      return false unless call.failure
      function.line == function.last ? !function.rescues : line != function.last && line != function.line
    end

    def arguments(point)
      own = point.self
      names = point.parameters.map { |_, name| name }.select { |name| name && /\A[[:alpha:]_]\w*\z/.match?(name) }
      scope = point.binding
      limit = @limits[:value]
      values = names.map { |name| [name, scope.local_variable_get(name)] }
      # A method at the top of a file belongs to every object.
      values.unshift([:self, own]) unless point.defined_class.equal?(Object)
      values.map { |name, value| "[#{Values.quote(name.to_s)},#{Values.text(value, limit)}]" }.join(",")
    end

    def shown(path)
      path.start_with?("#{@root}/") ? path[(@root.size + 1)..] : path
    end
  end
end
