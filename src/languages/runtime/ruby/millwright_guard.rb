# Reports changes of the test library in memory: of its methods and constants, of core types that assertions use, of its settings,
# and trace points. The project itself may make some, so the host compares with a run without the patch.
module MillwrightReport
  CORE = [BasicObject, Object, Kernel, Module, Class, Comparable, Integer, Float, String, Symbol, Array, Hash, NilClass, TrueClass,
          FalseClass, Exception, Proc, Method, UnboundMethod].freeze
  # The first tests are checked one by one. Definitions are noticed during all tests.
  MOST_LOOKS = 5
  # Test classes define these themselves.
  FREE = %i[setup teardown before_setup after_setup before_teardown after_teardown run inspect to_s initialize name].freeze

  class << self
    # `roots`: modules of the library. `contexts`: classes whose objects run the tests, with their ancestors.
    def keep(roots, contexts)
      @kept = {}.compare_by_identity
      @roots = {}.compare_by_identity
      @constants = {}.compare_by_identity
      @contexts = contexts
      watch_definitions
      roots.each do |one|
        @roots[one] = true
        @constants[one] = constants_of(one)
        keep_methods(one, false)
      end
      CORE.each { |one| keep_methods(one, false) }
      contexts.each { |one| keep_methods(one, true) }
      @asserting = contexts.flat_map { |one| names_of(one, true) + names_of(one.singleton_class, true) }.uniq - FREE
      @points = trace_points
      @watches = true
    end

    # `eager`: modules whose autoloaded parts are loaded now, before a project can change them on loading.
    def namespaces(*roots, eager: [])
      found = {}.compare_by_identity
      waiting = roots.dup
      while (one = waiting.shift)
        next if found[one]
        found[one] = true
        one.constants(false).each do |name|
          next if one.autoload?(name) && !eager.include?(one)
          inner = begin one.const_get(name, false); rescue LoadError, NameError; nil end
          waiting << inner if inner.is_a?(Module) && inner.name.to_s.start_with?("#{one.name}::")
        end
      end
      found.keys
    end

    def look
      return if @kept.nil?
      changes = []
      @kept.each do |owner, methods|
        methods.each do |name, before|
          now = method_of(owner, name)
          changes << [owner, name, now, before] unless now == before
        end
      end
      # Ruby and the libraries define some methods on first use.
      changes.each do |owner, name, now, before|
        file = now && now.source_location&.first
        is_own = now && (now.owner.equal?(before.owner) || @roots.key?(now.owner))
        note(owner, name, file) unless is_own && comes_along?(file)
      end
      @constants.each do |one, before|
        before.each { |name, value| note(one, name, nil, "replaced") unless value.equal?(value_of(one, name)) }
      end
      note(TracePoint, :enabled, nil, "on") if trace_points > @points
      @settings&.call
      tell_changes
    end

    def look_sometimes
      return if @kept.nil?
      @looks = (@looks || 0) + 1
      @looks <= MOST_LOOKS * 2 ? look : tell_changes
    end

    # Checks settings that change the library without changing its methods. The block notes each changed setting.
    def watch_settings(&settings)
      @settings = settings
    end

    # Notes calls of the library's settings from files other than the test file being loaded.
    def watch_calls(one, *names)
      report = self
      watched = Module.new do
        names.each do |name|
          define_method(name) do |*words, **more, &block|
            report.note_call(one, name, caller_locations(1, 1)&.first&.path)
            more.empty? ? super(*words, &block) : super(*words, **more, &block)
          end
        end
      end
      one.prepend(watched)
    end

    def note_call(one, name, file)
      own = relative(file)
      note(one, name, file, "called by #{own}") if own && own != @loading
    end

    def note_definition(owner, name)
      return if !@watches || @noting
      @noting = true
      note_method(owner, name) if @kept.key?(owner) && @kept[owner].key?(name) || of_tests?(owner) && @asserting.include?(name)
    ensure
      @noting = false
    end

    # Notes a singleton method of a module or class of the library, of a test class, or of an object of these.
    def note_single(object, name)
      return if !@watches || @noting
      @noting = true
      owner = class << object; self; end
      is_library = Module === object ? @roots.key?(object) : @roots.key?(owner.superclass)
      is_of_tests = Module === object ? of_tests?(object) : @contexts.any? { |one| one === object }
      is_test = is_of_tests && @asserting.include?(name)
      note_method(owner, name) if is_library || is_test || (Array === object && object.empty?)
    rescue TypeError
      nil
    ensure
      @noting = false
    end

    private

    def of_tests?(owner)
      @contexts.any? { |one| owner <= one }
    end

    # Evaluated code can claim any file name, so the evaluating file counts.
    def note_method(owner, name)
      file = caller_locations(3).map(&:absolute_path).find { |path| path && !path.start_with?("#{RUNTIME}/millwright_guard.rb") }
      note(owner, name, file) unless comes_along?(file)
    end

    def comes_along?(file)
      file && (file.start_with?("#{RUNTIME}/", OWN_LIBRARY) || (LIBRARY.match?(file) && relative(file).nil?))
    end

    def note(owner, name, file, said = nil)
      own = file && (relative(file) || file)
      @found ||= {}
      @found["#{describe_owner(owner)}##{name} is #{said || own || "gone"}"] ||= :new
    end

    # Omits addresses, so the text is equal in each run.
    def describe_owner(owner)
      owner.inspect.gsub(/0x\h+/, "0x")[0, 200]
    end

    def tell_changes
      new = (@found || {}).select { |_, state| state == :new }.keys
      new.each { |change| @found[change] = :told }
      new.each_slice(500) { |some| write("framework-changed", "changes" => some) } unless new.empty?
    end

    def names_of(owner, inherited)
      owner.instance_methods(inherited) + owner.private_instance_methods(inherited)
    end

    def keep_methods(one, inherited)
      [one, one.singleton_class].each do |owner|
        known = (@kept[owner] ||= {})
        names_of(owner, inherited).each { |name| known[name] ||= method_of(owner, name) }
      end
    end

    def method_of(owner, name)
      owner.instance_method(name)
    rescue NameError
      nil
    end

    def constants_of(one)
      one.constants(false).reject { |name| one.autoload?(name) }.map { |name| [name, value_of(one, name)] }
         .select { |_, value| value.is_a?(Module) }
    end

    def value_of(one, name)
      one.const_get(name, false)
    rescue NameError
      nil
    end

    def trace_points
      return 0 unless TracePoint.respond_to?(:stat)
      TracePoint.stat.values.flatten.grep(Integer).sum
    end

    # Notices a change when it is made, even if it is undone before the next check.
    def watch_definitions
      report = self
      verbose, $VERBOSE = $VERBOSE, nil
      Module.send(:define_method, :method_added) { |name| report.note_definition(self, name) }
      Kernel.send(:define_method, :singleton_method_added) { |name| report.note_single(self, name) }
      Module.send(:private, :method_added)
      Kernel.send(:private, :singleton_method_added)
    ensure
      $VERBOSE = verbose
    end
  end
end
