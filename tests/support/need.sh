# SPDX-License-Identifier: BSL-1.0
# Finds out what is missing, and installs it where that is possible. To be read by a POSIX shell:
#
#     . tests/support/need.sh
#     needs() { need_program meson meson; need_header boost/hana.hpp 'libboost1.81-dev|libboost-dev'; }
#     need_all needs
#
# What counts is what is used (a program that runs, a header that the compiler finds), not the name of a package: a
# machine that has it from elsewhere is left alone. The second word is the package that has it, or the first of 'a|b'
# that there is.

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
need_missing=
need_packages=

need_add() {
  need_missing="$need_missing
  $1"
  case " $need_packages " in
    *" $2 "*) ;;
    *) need_packages="$need_packages $2" ;;
  esac
}

need_program() {
  command -v "$1" >/dev/null 2>&1 || need_add "the program $1" "$2"
}

need_file() {
  [ -e "$1" ] || need_add "the file $1" "$2"
}

# need_module MODULE PACKAGE: of the system's Python
need_module() {
  "$(command -v /usr/bin/python3 || echo python3)" -c "import $1" >/dev/null 2>&1 ||
    need_add "the Python module $1" "$2"
}

# need_header HEADER PACKAGE [COMPILER FLAG...]
need_header() {
  need_h=$1 need_p=$2
  shift 2
  [ $# -gt 0 ] || set -- "${CXX:-g++}"
  if command -v "${1%% *}" >/dev/null 2>&1; then
    # CXX may hold flags too.
    # shellcheck disable=SC2068
    echo "#include <$need_h>" | $@ -std=c++20 -E -x c++ - >/dev/null 2>&1 && return 0
  else
    # No compiler yet. It will look here.
    for need_dir in /usr/local/include /usr/include /usr/include/*-linux-gnu; do
      [ ! -e "$need_dir/$need_h" ] || return 0
    done
  fi
  need_add "the header <$need_h>" "$need_p"
}

# need_link WHAT PACKAGE COMPILER FLAG...: an empty program compiles and links with these flags
need_link() {
  need_w=$1 need_p=$2
  shift 2
  need_tmp=$(mktemp) || exit 2
  if echo 'int main() {}' | "$@" -x c++ - -o "$need_tmp" >/dev/null 2>&1; then
    rm -f "$need_tmp"
  else
    rm -f "$need_tmp"
    need_add "$need_w" "$need_p"
  fi
}

# The first of 'a|b' that apt knows, or a.
need_choose() {
  need_first=${1%%|*} need_rest=$1
  while [ -n "$need_rest" ]; do
    need_one=${need_rest%%|*}
    case $need_rest in
      *'|'*) need_rest=${need_rest#*|} ;;
      *) need_rest= ;;
    esac
    if apt-cache show "$need_one" >/dev/null 2>&1; then
      echo "$need_one"
      return
    fi
  done
  echo "$need_first"
}

need_chosen() {
  need_list=
  for need_x in $need_packages; do
    need_list="$need_list $(need_choose "$need_x")"
  done
  echo "${need_list# }"
}

# need_folder FOLDER REMEDY: exits with 2 where nothing can be written into it.
need_folder() {
  if mkdir -p "$1" 2>/dev/null && need_probe=$(mktemp "$1/.probe.XXXXXX" 2>/dev/null); then
    rm -f "$need_probe"
    return 0
  fi
  echo "cannot write into '$1'; $2" >&2
  exit 2
}

# need_turn FILE: waits until no other run holds the file. This run holds it as descriptor 9 until its end.
need_turn() {
  exec 9>"$1"
  command -v flock >/dev/null 2>&1 || return 0
  flock -n 9 && return 0
  echo "another run works here; waiting for it ($1)" >&2
  flock 9
}

# need_all FUNCTION: runs it; installs what it found missing, or says how to, and exits with 2. ANEW_NO_INSTALL=1
# forbids to install. Where CI is set, nothing waits for the disk: a machine that loses its power there is thrown away.
need_all() {
  need_missing="" need_packages=""
  "$1"
  [ -n "$need_packages" ] || return 0
  echo "missing:$need_missing"
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "Please install them; on Debian 12 they are in the packages: $(need_chosen)"
    exit 2
  fi
  if [ -n "${ANEW_NO_INSTALL:-}" ]; then
    echo "ANEW_NO_INSTALL is set, so nothing is installed. Please install the packages:"
    echo "  apt-get install -y --no-install-recommends $(need_chosen)"
    exit 2
  elif [ "$(id -u)" = 0 ]; then
    need_sudo=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    need_sudo='sudo -n'
  else
    echo "Please install them:"
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $(need_chosen)"
    exit 2
  fi
  echo "installing: apt-get update"
  $need_sudo apt-get update -qq || echo "apt-get update failed; trying with what is known"
  need_list=$(need_chosen)
  echo "installing: apt-get install $need_list"
  # shellcheck disable=SC2086
  if ! $need_sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    ${CI:+-o Dpkg::Options::=--force-unsafe-io} $need_list >/dev/null; then
    echo "This failed:"
    echo "  ${need_sudo:+sudo }apt-get install -y --no-install-recommends $need_list"
    exit 2
  fi
  need_missing="" need_packages=""
  "$1"
  if [ -n "$need_packages" ]; then
    echo "still missing after the installation:$need_missing"
    exit 2
  fi
}

# What demo, tests and all stages build with.
need_build_tools() {
  if [ -z "${CXX:-}" ]; then
    need_program g++ g++
  else
    need_program "${CXX%% *}" "$(basename "${CXX%% *}" | sed 's/^clang++/clang/')"
  fi
  need_program meson meson
  need_program ninja ninja-build
  need_program pkg-config 'pkg-config|pkgconf'
  need_program python3 python3
  need_header boost/hana.hpp 'libboost1.81-dev|libboost-dev'
}

# What anew-get is built with.
need_demo() {
  need_build_tools
  need_header CLI/CLI.hpp libcli11-dev
  need_header curl/curl.h libcurl4-openssl-dev
  need_header nlohmann/json.hpp nlohmann-json3-dev
  need_header zlib.h zlib1g-dev
  need_header openssl/ssl.h libssl-dev
}

# A real server that limits rates.
need_nginx() {
  need_program nginx nginx-light
}

# What is asked without building anything: --quick.
need_quick() {
  need_program python3 python3
  if [ -z "${CXX:-}" ]; then need_program g++ g++; fi
  need_header boost/hana.hpp 'libboost1.81-dev|libboost-dev'
  need_header curl/curl.h libcurl4-openssl-dev
  need_header hiredis/hiredis.h libhiredis-dev
  need_header range/v3/range_fwd.hpp librange-v3-dev
  need_header nlohmann/json.hpp nlohmann-json3-dev
  need_header gtest/gtest.h libgtest-dev
  need_program clang-format-19 clang-format-19
}

need_tests() {
  need_demo
  need_quick
  need_program openssl openssl
  need_header boost/asio.hpp 'libboost1.81-dev|libboost-dev'
  need_header gmock/gmock.h libgmock-dev
  need_header tl/expected.hpp libexpected-dev
  need_header benchmark/benchmark.h libbenchmark-dev
}

# What Meson looks for when it configures all tests, and what makes building them quicker.
need_built() {
  need_tests
  need_program ccache ccache
  need_program wasm-ld-19 lld-19
  need_program redis-server redis-server
  need_program cmake cmake
  need_program git git
  need_nginx
  need_header prometheus/counter.h prometheus-cpp-dev
  need_header sys/sdt.h systemtap-sdt-dev
  need_header sqlite3.h libsqlite3-dev
  need_header grpcpp/grpcpp.h libgrpc++-dev
  need_header google/protobuf/message.h libprotobuf-dev
  need_program protoc protobuf-compiler
  need_header spdlog/spdlog.h libspdlog-dev
  need_program grpc_cpp_plugin protobuf-compiler-grpc
  need_header postgresql/libpq-fe.h libpq-dev
  need_file "$(pg_config --bindir 2>/dev/null || echo /usr/lib/postgresql/15/bin)/pg_ctl" postgresql-15
}

need_full() {
  need_built
  need_program clang++-19 clang-19
  need_program llvm-symbolizer-19 llvm-19
  need_program llvm-cov-19 llvm-19
  need_link 'libc++ of clang 19' 'libc++-19-dev libc++abi-19-dev' clang++-19 -stdlib=libc++ -fexperimental-library
  need_link 'the sanitizers of clang 19' libclang-rt-19-dev clang++-19 -fsanitize=thread
  need_program valgrind valgrind
  need_program objdump binutils
  need_platforms
}

# Half of what there is to install is for the daily stages alone.
need_daily() {
  need_full
  need_program clang-tidy-19 clang-tidy-19
  need_program clang-scan-deps-19 clang-tools-19
  need_packages_of_others
  need_program riscv64-linux-gnu-g++ g++-riscv64-linux-gnu
  need_program x86_64-w64-mingw32-g++-win32 g++-mingw-w64-x86-64-win32
  need_program arm-none-eabi-g++ gcc-arm-none-eabi
  need_file /usr/include/newlib/c++ libstdc++-arm-none-eabi-newlib
}

# What draws the pictures of the documents.
need_pictures() {
  need_build_tools
  need_header benchmark/benchmark.h libbenchmark-dev
  need_header nlohmann/json.hpp nlohmann-json3-dev
  need_module matplotlib python3-matplotlib
}

# The peers beside which benchmarks/peers sets this library.
need_peers() {
  need_program curl curl
  need_header curl/curl.h libcurl4-openssl-dev
  need_program valgrind valgrind
  need_header grpcpp/grpcpp.h libgrpc++-dev
  need_program node nodejs
  need_program npm npm
}

# What builds and checks packages.
need_packages_of_others() {
  need_program dpkg-buildpackage dpkg-dev
  need_file /usr/share/build-essential/list build-essential
  need_program dh debhelper
  need_program help2man help2man
  need_program lintian lintian
  need_program bazel bazel-bootstrap
  need_program nix-instantiate nix-bin
}

# Compilers for the processors and systems of each change, and what runs their programs.
need_platforms() {
  for need_triple in aarch64-linux-gnu arm-linux-gnueabihf s390x-linux-gnu i686-linux-gnu; do
    need_program "$need_triple-g++" "g++-$need_triple"
  done
  need_program x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix
  need_program clang++-16 clang-16
  need_program qemu-s390x qemu-user
  need_program qemu-i386 qemu-user
  if [ ! -x /usr/lib/wine/wine64 ]; then need_program wine64 wine64; fi
  need_program node nodejs
  need_file /usr/include/wasm32-wasi/errno.h wasi-libc
  need_file /usr/lib/llvm-19/include/wasm32-wasi/c++/v1/version libc++-19-dev-wasm32
  need_file /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a libclang-rt-19-dev-wasm32
  need_file /usr/src/googletest/googletest/src/gtest-all.cc googletest
}
