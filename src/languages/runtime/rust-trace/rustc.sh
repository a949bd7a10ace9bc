#!/bin/sh
# Cargo's RUSTC_WRAPPER: compiles the crates below MILLWRIGHT_TRACE_ROOT, or one of MILLWRIGHT_TRACE_ROOTS (with `:` between them),
# with our runtime at hand, all others as they are.
# The runtime is compiled once for a compiler, a target and the libraries that values are shown with (serde, quote), into
# MILLWRIGHT_TRACE_BUILD. Lints end no build: what they would find is our text, of which there is none in a program that a test compares
# the compiler's words of.
set -u
here=${MILLWRIGHT_TRACE_RUNTIME:-$(dirname "$0")}
roots=${MILLWRIGHT_TRACE_ROOTS:-${MILLWRIGHT_TRACE_ROOT:-}}
build=${MILLWRIGHT_TRACE_BUILD:-}

source='' name='' out='' target='' serde='' quote='' before='' compiler='' suffix=''
libraries=''
for word in "$@"; do
  case $before in
    --crate-name) name=$word ;;
    --out-dir) out=$word ;;
    --target) target=$word ;;
    -L) libraries="$libraries $word" ;;
    --extern)
      case ${word##*/} in
        libserde-*.rmeta | libserde-*.rlib | libserde_core-*.rmeta | libserde_core-*.rlib)
          case $serde in */libserde-*) ;; *) serde=${word#*=} ;; esac ;;
        libquote-*.rmeta | libquote-*.rlib) quote=${word#*=} ;;
      esac ;;
  esac
  case $word in
    *.rs) [ "$before" = --crate-name ] || source=${source:-$word} ;;
    --out-dir=*) out=${word#*=} ;;
    --target=*) target=${word#*=} ;;
    -*) ;;
    *rustc | *rustc.exe | *rustdoc | *rustdoc.exe) [ -n "$before" ] || compiler=$word ;;
  esac
  case $before in
    '') case $word in -*) before=$word ;; *) compiler=${compiler:-$word} ;; esac ;;
    *) before=$word ;;
  esac
done
case $source in
  /* | '') ;;
  *) source=$PWD/$source ;;
esac
inside='' rest=$roots:
while [ -n "$rest" ]; do
  case $source in "${rest%%:*}"/*) inside=yes ;; esac
  rest=${rest#*:}
done
[ -n "$inside" ] && [ -n "$build" ] && [ -n "$name" ] || exec "$@"

# Prints the number of a text, for folder names.
number() {
  # shellcheck disable=SC2046
  set -- $(cksum)
  echo "$1-$2"
}

# Runs a command in a folder that is not there yet, once, whoever asks first; the others wait, unless who runs it is gone.
once() {
  folder=$1
  shift
  waited=0
  while [ ! -e "$folder/done" ] && [ ! -e "$folder/failed" ]; do
    if mkdir "$folder" 2>/dev/null; then
      echo "$$" >"$folder/by"
      if "$@" --out-dir "$folder" >"$folder/output" 2>&1; then : >"$folder/done"; else : >"$folder/failed"; fi
    else
      by=$(cat "$folder/by" 2>/dev/null)
      if [ -n "$by" ] && ! kill -0 "$by" 2>/dev/null && [ ! -e "$folder/done" ]; then rm -rf "$folder"; fi
      sleep 0.1
      waited=$((waited + 1))
      [ "$waited" -lt 6000 ] || return 1
    fi
  done
  [ -e "$folder/done" ]
}

documents=''
case $compiler in
  *rustdoc | *rustdoc.exe) documents=yes compiler=${RUSTC:-rustc} ;;
esac
[ -d "$build" ] || mkdir -p "$build"

# A compiler among its libraries stays what it is; one by a bare name, or rustup's own program, may be another in another folder.
version='' known=''
case $compiler in
  */*) [ ! -d "${compiler%/*}/../lib/rustlib" ] || known=$build/compiler-$(ls -liL "$compiler" | number) ;;
esac
[ ! -e "$known" ] || read -r version <"$known"
if [ -z "$version" ]; then
  version=$("$compiler" -vV | number)
  [ -z "$known" ] || { echo "$version" >"$known.$$" && mv "$known.$$" "$known"; }
fi
key="$version-$({ printf '%s' "$target"; cat "$here"/*.rs "$here"/front/*.rs; } | number)"
set_target=''
[ -z "$target" ] || set_target="--target $target"
options="--edition 2018 --crate-type rlib -O -C debuginfo=0 -C codegen-units=1 --cap-lints allow $set_target"
runtime=$build/runtime-$key
# shellcheck disable=SC2086
once "$runtime" "$compiler" --crate-name millwright_trace_rt $options -C metadata="$key" \
  -C extra-filename="-$key" --remap-path-prefix "$here=." "$here/lib.rs" || exec "$@"

# The libraries that values are shown with; without them where they do not fit.
compile_front() {
  front_key="$key-$(printf "%s" "$*" | sed "s,\.rmeta\|\.rlib,,g" | number)"
  front=$build/front-$front_key
  flags=''
  for one in $libraries; do flags="$flags -L $one"; done
  # shellcheck disable=SC2086
  once "$front" "$compiler" --crate-name millwright_trace $options -C metadata="$front_key" \
    -C extra-filename="-$front_key" --remap-path-prefix "$here=." $flags \
    --extern "millwright_trace_rt=$runtime/libmillwright_trace_rt-$key.rlib" "$@" "$here/front/front.rs"
}
with_serde() { compile_front --cfg millwright_serde --extern "serde=$serde" "$@"; }
with_quote() { compile_front --cfg millwright_quote --extern "quote=$quote" "$@"; }
{
  [ -n "$serde" ] && [ -n "$quote" ] && with_serde --cfg millwright_quote --extern "quote=$quote"
} || { [ -n "$serde" ] && with_serde; } || { [ -n "$quote" ] && with_quote; } || compile_front || exec "$@"

# Whoever links this crate later, as documentation tests do, finds the runtime beside it.
for each in "$runtime/libmillwright_trace_rt-$key.rlib" "$front/libmillwright_trace-$front_key.rlib"; do
  beside=$out/${each##*/}
  [ -z "$out" ] || [ -e "$beside" ] || ln "$each" "$beside" 2>/dev/null || cp "$each" "$beside.$$" 2>/dev/null && mv "$beside.$$" "$beside" 2>/dev/null
done
lints='--cap-lints allow'
[ ! -e "${source%.rs}.stderr" ] || lints=''
# shellcheck disable=SC2086
exec "$@" $lints -L "dependency=$runtime" -L "dependency=$front" \
  --extern "millwright_trace=$front/libmillwright_trace-$front_key.rlib"
