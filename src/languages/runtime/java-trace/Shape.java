package millwright;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** How values of a class are shown, without running code of the program. */
final class Shape {
    enum Kind { ARRAY, LIST, SET, MAP, ENTRY, ENUM, TEXT, CHARACTERS, HOLDER, WRAPPER, VECTOR, TYPE, THROWABLE, FIELDS, BARE }

    private static final int MOST_FIELDS = 24;
    /** Collections that are walked without a call of the program's code and without a lock. */
    private static final Pattern COLLECTIONS = Pattern.compile("java\\.util\\.(?:ArrayList(?:\\$SubList)?|LinkedList|ArrayDeque"
        + "|(?:Linked)?HashSet|TreeSet|PriorityQueue|(?:Regular|Jumbo)EnumSet|Arrays\\$ArrayList|ImmutableCollections\\$\\w+"
        + "|Collections\\$(?:Empty|Singleton)\\w*|(?:Linked)?HashMap\\$\\w+|TreeMap\\$(?:KeySet|Values|EntrySet)"
        + "|concurrent\\.(?:CopyOnWriteArray(?:List|Set)|ConcurrentLinked(?:Queue|Deque)|ConcurrentHashMap\\$\\w+View))");
    private static final Pattern MAPS = Pattern.compile("java\\.util\\.(?:(?:Linked|Weak|Identity)?HashMap|TreeMap|EnumMap|Hashtable"
        + "|Properties|ImmutableCollections\\$\\w+|Collections\\$(?:Empty|Singleton)\\w*|concurrent\\.Concurrent(?:Hash|SkipList)Map)");
    private static final Pattern ENTRIES = Pattern.compile("java\\.util\\.(?:AbstractMap\\$Simple\\w+|KeyValueHolder"
        + "|(?:Linked)?HashMap\\$(?:Node|TreeNode|Entry)|TreeMap\\$Entry|concurrent\\.ConcurrentHashMap\\$(?:Node|MapEntry))");
    /** Whose own text says what they are, and is made of nothing but their own. */
    private static final Pattern TEXTS = Pattern.compile("java\\.lang\\.(?:Byte|Short|Integer|Long|Float|Double|Boolean|Character)"
        + "|java\\.math\\.\\w+|java\\.time\\.[\\w.$]+|java\\.util\\.concurrent\\.atomic\\.(?:Atomic(?:Integer|Long|Boolean)|Long(?:Adder|Accumulator))"
        + "|java\\.util\\.(?:UUID|Date|Locale|Currency|BitSet|Optional(?:Int|Long|Double)|regex\\.Pattern)|java\\.io\\.File"
        + "|java\\.net\\.(?:URI|URL|Inet\\w+)|sun\\.nio\\.(?:fs\\.\\w+Path|cs\\.\\w+)|java\\.nio\\.\\w*Buffer\\w*|java\\.sql\\.(?:Date|Time|Timestamp)"
        + "|java\\.lang\\.reflect\\.(?:Method|Field|Constructor)|java\\.text\\.(?:ParsePosition|FieldPosition)");

    private static final ClassValue<Shape> SHAPES = new ClassValue<Shape>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return new Shape(type);
        }
    };

    final Kind kind;
    /** `Outer.Inner`, without its package. */
    final String name;
    /** Of FIELDS and THROWABLE: what the program's own classes declare. */
    final Field[] fields;
    final int moreFields;

    private Shape(Class<?> type) {
        name = nameOf(type);
        Kind found = kindOf(type);
        List<Field> own = new ArrayList<Field>();
        int more = 0;
        if (found == Kind.FIELDS || found == Kind.THROWABLE) {
            try {
                more = collect(type, own);
            } catch (Throwable unreadable) {
                // Its fields have types that cannot be loaded.
                if (found == Kind.FIELDS) found = Kind.BARE;
            }
        }
        kind = found;
        fields = own.toArray(new Field[0]);
        moreFields = more;
    }

    static Shape of(Class<?> type) {
        return SHAPES.get(type);
    }

    static String nameOf(Class<?> type) {
        if (type.isArray()) return nameOf(type.getComponentType()) + "[]";
        String name = type.getName();
        int lambda = name.indexOf("$$Lambda");
        if (lambda >= 0) return "lambda";
        return name.substring(name.lastIndexOf('.') + 1).replaceAll("(?<=\\w)\\$(?=[A-Za-z_])", ".");
    }

    private static Kind kindOf(Class<?> type) {
        if (type.isArray()) return Kind.ARRAY;
        if (Enum.class.isAssignableFrom(type)) return Kind.ENUM;
        if (Throwable.class.isAssignableFrom(type)) return Kind.THROWABLE;
        if (isPlatform(type)) return platformKind(type);
        if (java.lang.reflect.Proxy.isProxyClass(type) || type.isSynthetic() || type.getName().contains("$$Lambda")) return Kind.BARE;
        Class<?> base = type;
        while (!isPlatform(base)) base = base.getSuperclass();
        Kind inherited = platformKind(base);
        // Of a collection that is more than one of the platform's, as long as it is walked by the platform's code.
        if ((inherited == Kind.LIST || inherited == Kind.SET) && isInherited(type, "iterator", "size")) return inherited;
        if (inherited == Kind.MAP && isInherited(type, "entrySet", "size")) return inherited;
        return Kind.FIELDS;
    }

    private static Kind platformKind(Class<?> type) {
        String name = type.getName();
        if (Collection.class.isAssignableFrom(type) && COLLECTIONS.matcher(name).matches()) {
            return java.util.Set.class.isAssignableFrom(type) ? Kind.SET : Kind.LIST;
        }
        if (Map.class.isAssignableFrom(type) && MAPS.matcher(name).matches()) return Kind.MAP;
        if (Map.Entry.class.isAssignableFrom(type) && ENTRIES.matcher(name).matches()) return Kind.ENTRY;
        if (name.equals("java.util.Vector") || name.equals("java.util.Stack")) return Kind.VECTOR;
        if (name.matches("java\\.util\\.Collections\\$(?:Unmodifiable|Synchronized|Checked|SetFromMap).*")) return Kind.WRAPPER;
        if (type == StringBuilder.class || type == String.class) return Kind.CHARACTERS;
        if (name.matches("java\\.util\\.Optional|java\\.lang\\.ref\\.(?:Weak|Soft)Reference|java\\.util\\.concurrent\\.atomic\\.AtomicReference"))
            return Kind.HOLDER;
        if (type == Class.class) return Kind.TYPE;
        return TEXTS.matcher(name).matches() ? Kind.TEXT : Kind.BARE;
    }

    private static boolean isInherited(Class<?> type, String... methods) {
        try {
            for (String method : methods) {
                if (!isPlatform(type.getMethod(method).getDeclaringClass())) return false;
            }
            return true;
        } catch (Throwable unknown) {
            return false;
        }
    }

    /** Of the machine's own classes. */
    private static boolean isPlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getSystemClassLoader().getParent();
    }

    /** Those of the outermost class first; how many are left out. */
    private static int collect(Class<?> type, List<Field> found) {
        if (type == null || isPlatform(type)) return 0;
        int more = collect(type.getSuperclass(), found);
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
            if (found.size() >= MOST_FIELDS || !Peek.open(field)) more++;
            else found.add(field);
        }
        return more;
    }
}
