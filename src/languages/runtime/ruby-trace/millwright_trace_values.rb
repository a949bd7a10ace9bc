# frozen_string_literal: true

module MillwrightTrace
  # Values as JSON texts of the trace's lines. Runs none of the program's code: an object is shown by its class and its
  # instance variables, not by its `inspect`.
  module Values
    SAFE = 1 << 53
    DEEPEST = 10
    SHOWN_DEEPEST = 4

    CLASS = Kernel.instance_method(:class)
    VARIABLES = Kernel.instance_method(:instance_variables)
    VARIABLE = Kernel.instance_method(:instance_variable_get)
    NAME = Module.instance_method(:name)
    TEXT = String.instance_method(:itself)
    MESSAGE = Exception.instance_method(:to_s)
    MEMBERS = Struct.instance_method(:members)
    MEMBER = Struct.instance_method(:[])
    EACH = Array.instance_method(:each)
    ARRAY_SIZE = Array.instance_method(:size)
    EACH_PAIR = Hash.instance_method(:each_pair)
    HASH_SIZE = Hash.instance_method(:size)
    TIME = Time.instance_method(:inspect)
    ESCAPES = Hash.new { |_, letter| format("\\u%04x", letter.ord) }
                  .merge!("\"" => "\\\"", "\\" => "\\\\", "\n" => "\\n", "\r" => "\\r", "\t" => "\\t")

    # It is not plain data, or it is too long.
    class NotPlain < StandardError; end

    # Text with the room that is left.
    class Writing
      attr_accessor :room, :cut

      def initialize(room)
        @room, @cut = room, false
      end
    end

    module_function

    def quote(text)
      text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::ASCII_8BIT
      text = text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace) unless text.encoding == Encoding::UTF_8
      text = text.scrub unless text.valid_encoding?
      %("#{text.gsub(/["\\\x00-\x1f\x7f\u2028\u2029]/) { |letter| ESCAPES[letter] }}")
    end

    # JSON `{"j": …}`, `{"d": …}` or `{"t": …}`.
    def text(value, limit)
      return long_text(value, limit) if CLASS.bind_call(value).equal?(String) && plain_text?(value) && value.size > limit
      begin
        %({"j":#{plain(value, [limit], 0)}})
      rescue NotPlain
        writing = Writing.new(limit)
        shown = show(value, writing, 0)
        cut = writing.cut || shown.size > 2 * limit
        cut ? %({"d":#{quote(shown[0, 2 * limit])},"cut":#{shown.size + 1}}) : %({"d":#{quote(shown)}})
      end
    rescue StandardError
      %({"t":#{quote(class_name(value))}})
    end

    def class_name(value)
      NAME.bind_call(CLASS.bind_call(value)) || "object"
    end

    def message(error, limit)
      name = class_name(error)
      text = MESSAGE.bind_call(error)
      return name unless String === text
      text = "#{text[0, limit]}…" if text.size > limit
      text.empty? || text == name ? name : "#{name}: #{text}"
    rescue StandardError
      name
    end

    def long_text(value, limit)
      %({"j":#{quote(value[0, limit])},"cut":#{value.size}})
    end

    def plain_text?(value)
      value.encoding == Encoding::UTF_8 || value.encoding == Encoding::US_ASCII ? value.valid_encoding? : false
    end

    # `room`: an array with the number of characters left.
    def plain(value, room, depth)
      text = plain_part(value, room, depth)
      room[0] -= text.size + 1 unless text.start_with?("[", "{")
      raise NotPlain if room[0].negative?
      text
    end

    def plain_part(value, room, depth)
      kind = CLASS.bind_call(value)
      if kind.equal?(NilClass) then "null"
      elsif kind.equal?(TrueClass) then "true"
      elsif kind.equal?(FalseClass) then "false"
      elsif kind.equal?(Integer) && value.abs <= SAFE then value.to_s
      elsif kind.equal?(Float) && value.finite? then value.to_s
      elsif kind.equal?(String) && plain_text?(value) && value.size <= room[0] then quote(value)
      elsif kind.equal?(Array) && depth < DEEPEST && value.size <= room[0]
        "[#{value.map { |one| plain(one, room, depth + 1) }.join(",")}]"
      elsif kind.equal?(Hash) && depth < DEEPEST && value.size <= room[0] && !value.empty? then plain_hash(value, room, depth)
      else raise NotPlain
      end
    end

    def plain_hash(value, room, depth)
      pairs = []
      EACH_PAIR.bind_call(value) do |key, one|
        raise NotPlain unless CLASS.bind_call(key).equal?(String)
        pairs << "#{plain(key, room, depth + 1)}:#{plain(one, room, depth + 1)}"
      end
      "{#{pairs.join(",")}}"
    end

    # As Ruby's own `inspect` writes it, for people.
    def show(value, writing, depth)
      shown = show_part(value, writing, depth)
      writing.room -= shown.size unless shown.end_with?("]", "}", ">")
      shown
    end

    def show_part(value, writing, depth)
      case value
      when nil, true, false, Integer, Float, Symbol, Regexp, Rational, Complex then basic(value)
      when String then show_text(value, writing)
      when Array then show_items(value, ARRAY_SIZE, EACH, "[]", writing, depth) { |one| show(one, writing, depth + 1) }
      when Hash
        show_items(value, HASH_SIZE, EACH_PAIR, "{}", writing, depth) do |(key, one)|
          "#{show(key, writing, depth + 1)} => #{show(one, writing, depth + 1)}"
        end
      when Module then NAME.bind_call(value) || "#<Class>"
      when Exception then "#<#{message(value, [writing.room, 20].max)}>"
      when Range then "#{show(value.begin, writing, depth + 1)}#{value.exclude_end? ? "..." : ".."}#{show(value.end, writing, depth + 1)}"
      when Time then TIME.bind_call(value)
      else show_object(value, writing, depth)
      end
    end

    def basic(value)
      value.inspect
    end

    def show_text(value, writing)
      room = [writing.room, 10].max
      return "".dup.replace(value).inspect if value.size <= room
      writing.cut = true
      "#{"".dup.replace(value)[0, room].inspect}…"
    end

    def show_items(value, size, each, ends, writing, depth)
      total = size.bind_call(value)
      return ends[0] + "…" + ends[1] if total.positive? && (depth >= SHOWN_DEEPEST || writing.room <= 0)
      shown = []
      each.bind_call(value) do |*one|
        if writing.room <= 0
          writing.cut = true
          shown << "… #{total - shown.size} more"
          break
        end
        shown << yield(one.size == 1 ? one.first : one)
      end
      ends[0] + shown.join(", ") + ends[1]
    end

    def show_object(value, writing, depth)
      name = class_name(value)
      fields = fields_of(value)
      return "#<#{name}>" if fields.empty?
      return "#<#{name} …>" if depth >= SHOWN_DEEPEST || writing.room <= 0
      writing.room -= name.size + 4
      parts = fields.map { |field, one| "#{field}=#{writing.room <= 0 ? "…" : show(one.call, writing, depth + 1)}" }
      writing.cut = true if writing.room <= 0
      "#<#{name} #{parts.join(", ")}>"
    end

    def fields_of(value)
      members = Struct === value ? MEMBERS.bind_call(value).map { |name| [name, -> { MEMBER.bind_call(value, name) }] } : []
      members + VARIABLES.bind_call(value).map { |name| [name, -> { VARIABLE.bind_call(value, name) }] }
    end
  end
end
