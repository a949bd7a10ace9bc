/** The modules of Python's own library, by the first part of their names. */
export const pythonLibrary: ReadonlySet<string> = new Set(
  "abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo".split(
    " ",
  ),
);

/** Compiled modules, which other modules of the library import. */
export const compiledLibrary =
  "_asyncio _bisect _blake2 _bz2 _compression _contextvars _csv _ctypes _curses _datetime _decimal _elementtree _hashlib _heapq _json _lsprof _lzma _markupbase _md5 _multiprocessing _opcode _pickle _posixshmem _posixsubprocess _pydatetime _pydecimal _queue _random _sha1 _sha2 _sha256 _sha3 _sha512 _socket _sqlite3 _ssl _statistics _strptime _struct _threading_local _typing _uuid _weakrefset _zoneinfo".split(
    " ",
  );
