#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds and runs the tests.
#
#   sh tests/run.sh --quick       what needs no build: format, style, wording, documents, layers, names, lists, module
#   sh tests/run.sh               that, and the tests that you run while you work, in build/tests
#   sh tests/run.sh --full        that, and all that is asked of a change: other compilers, sanitizers, platforms
#   sh tests/run.sh --daily       what a release is asked after that: programs, packages, clang-tidy, laws in depth
#   sh tests/run.sh --stage NAME  one stage of them
#   sh tests/run.sh --list        the names of the stages
#
# The last line is "N passed, N failed, N skipped"; the exit code is 0 when nothing failed. What is left out because
# something is missing counts as skipped and is named above that line; --full and --daily fail then. Nothing follows
# 'quick' or 'tests' when it has failed. What is missing is installed where that is possible, and nothing with
# ANEW_NO_INSTALL=1. ANEW_JOBS says how many compilers run at once (2), CXX which compiler the first stage uses: clang
# where it is there, which takes two thirds of the time of g++. In --full it is g++ without the core's unit tests,
# because clang follows with these and its sanitizers. Objects come from ccache where it is there. A second run of a
# stage waits for the first.
set -u
CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 2
. tests/support/need.sh

default_stages='quick tests'
full_stages='quick tests clang no-exceptions fuzz benchmarks platforms libcxx-tsan thorough'
daily_stages='depth programs figures release tidy platforms-all fuzz-longer'
stages=$default_stages
needs=need_tests
nothing_may_be_left_out=false
first_compiler=g++
first_groups=  # of unit tests: all
case ${1:-} in
  '')
    if command -v clang++-19 >/dev/null 2>&1; then first_compiler=clang++-19; fi
    ;;
  --quick) stages=quick needs=need_quick ;;
  --full)
    stages=$full_stages needs=need_full nothing_may_be_left_out=true
    # Clang builds the others with its sanitizers, and g++ builds them in the stage 'depth', which has none of these.
    first_groups=coroutine,history,many_strategies
    ;;
  --daily) stages="quick $daily_stages" needs=need_daily nothing_may_be_left_out=true ;;
  --list)
    for stage in $full_stages $daily_stages; do echo "$stage"; done
    exit 0
    ;;
  --stage)
    stages=${2:-}
    case " $full_stages $daily_stages " in
      *" $stages "*) ;;
      *)
        echo "no such stage: '$stages'; there are: $full_stages $daily_stages" >&2
        exit 2
        ;;
    esac
    case $stages in
      quick) needs=need_quick ;;
      tests) ;;
      *) case " $full_stages " in *" $stages "*) needs=need_full ;; *) needs=need_daily ;; esac ;;
    esac
    ;;
  *)
    sed -n '3,18s/^# \{0,1\}//p' tests/run.sh >&2
    exit 2
    ;;
esac

# What a stage needs is installed when it is its turn: a line that is badly formatted is refused before a package comes.
need_all need_quick

jobs=${ANEW_JOBS:-2}
python=$(command -v /usr/bin/python3 || command -v python3)
logs=build/logs
need_folder "$logs" 'copy the sources into a folder that you may write, and run this script there'
tallies=$logs/tally.$$  # of this run: stages of another may be running beside it
trap 'rm -f "$tallies".*' EXIT
trap 'exit 130' INT TERM
all_begin=$(date +%s)

# compiler NAME: as Meson is to call it
compiler() {
  if command -v ccache >/dev/null 2>&1; then
    echo "$PWD/tests/support/cached.sh $1"
  else
    echo "$1"
  fi
}
# An object is the same in another clone, and after another check-out.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

# ---------------------------------------------------------------------------------------------------------------------
# What the stages are made of. Their output goes to a log, which is shown when they fail.

note() { printf '%s\n' "$*" >&3; }

# in_turn COMMAND...: Meson looks for CMake, which writes to the working folder, and two at once would meet there
in_turn() {
  if command -v flock >/dev/null 2>&1; then
    flock "$logs/configure.lock" "$@"
  else
    "$@"
  fi
}

# configure DIR COMPILER OPTION...: a fresh directory, or the one of the last time if that was for the same compiler
configure() {
  dir=$1
  cxx=$(compiler "$2")
  shift 2
  if [ "$(cat "$dir/configured-for" 2>/dev/null)" = "$cxx" ] &&
    in_turn env CXX="$cxx" meson setup --reconfigure "$dir" "$@"; then
    return 0
  fi
  rm -rf "$dir"
  in_turn env CXX="$cxx" meson setup "$dir" "$@" && echo "$cxx" >"$dir/configured-for"
}

# count_last_line FILE: which ends with "N passed, N failed, N skipped"
count_last_line() {
  tail -n 1 "$1" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) .*/\1 \2 \3/p' >>"$tally"
}

# skip_left_out DIR: what the build system could not find is skipped, each test by its name
skip_left_out() {
  grep -q . "$1/left_out.txt" 2>/dev/null || return 0
  sed "s|^|$1: |" "$1/left_out.txt" >>"$tallies.left-out"
  echo "0 0 $(grep -c . "$1/left_out.txt")" >>"$tally"
}

# check DIR TARGETS [OPTION OF meson test...]: builds what it can, runs the tests, counts them
check() {
  dir=$1 targets=$2
  shift 2
  rc=0
  skip_left_out "$dir"
  # shellcheck disable=SC2086
  if ! GLIBC_TUNABLES=$for_compilers ninja -C "$dir" -k 0 -j "$jobs" $targets >"$dir/build.log" 2>&1; then
    rc=1
    note "  $stage: the build failed:"
    grep -v '^\[[0-9]*/[0-9]*\] ' "$dir/build.log" | head -n 100 >&3
    echo '0 1 0' >>"$tally"
    # Meson refuses to run anything when one program is missing: name those that are there.
    for test in $("$python" tests/support/summarize.py --built "$dir"); do
      set -- "$@" "$test"
    done
  fi
  cat "$dir/build.log"
  built=$(date +%s)
  rm -f "$dir/meson-logs/testlog.json" "$dir/meson-logs/testlog.junit.xml"
  meson test -C "$dir" --no-rebuild --num-processes "$jobs" --print-errorlogs "$@" || rc=1
  # Under a wrapper Meson adds its name to that of the logs.
  for kind in json junit.xml; do
    for written in "$dir"/meson-logs/testlog-*."$kind"; do
      [ ! -f "$written" ] || mv "$written" "$dir/meson-logs/testlog.$kind"
    done
  done
  if [ ! -f "$dir/meson-logs/testlog.json" ] || ! summary=$("$python" tests/support/summarize.py "$dir"); then
    echo 'no test ran'
    return 1
  fi
  printf '%s\n' "$summary" | sed '$d' | if [ "$dir" = build/tests ]; then cat >&3; else cat; fi
  printf '%s\n' "$summary" | tail -n 1 >>"$tally"
  "$python" tests/support/summarize.py --skipped "$dir" | sed "s|^|$dir: |" >>"$tallies.left-out"
  return $rc
}

behaviour='--suite unit --suite laws'
# precompiled_mistakes SUFFIX: what the mistakes include
precompiled_mistakes() {
  for part in mistakes mistakes_asio; do
    echo "tests/mistakes/lib$part.a.p/$part.hpp.$1"
  done
}
# Clang asks for memory in steps of 64 MiB and in huge pages: a twenty-fifth of its time.
for_compilers=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864
# An eighth of g++'s time goes into collecting garbage that would fit into memory.
gcc_args=--param=ggc-min-heapsize=524288
first_compiler=${CXX:-$first_compiler}
case $first_compiler in
  *clang*) first_args= ;;
  *) first_args=$gcc_args ;;
esac
# It links a program with coverage in two seconds of the processor, and the system's linker in nine; one of g++ in 0.7
# instead of 2.5.
clang_link_args=-fuse-ld=lld
llvm=/usr/lib/llvm-19/bin  # where Debian's lld is; its name in the path has a number, which g++ does not try

# ---------------------------------------------------------------------------------------------------------------------
# The stages

stage_quick() {
  "$python" tests/support/quick.py --jobs "$jobs" . >"$logs/quick.out"
  rc=$?
  cat "$logs/quick.out"
  count_last_line "$logs/quick.out"
  return $rc
}

# What the stages 'tests', 'thorough' and 'depth' build, in one folder.
configure_first() {
  first_link_args=
  if [ -x $llvm/ld.lld ]; then first_link_args="-B$llvm -fuse-ld=lld"; fi
  configure build/tests "$first_compiler" -Doptimization=0 -Ddebug=false -Dcpp_args="$first_args" \
    -Dcpp_link_args="$first_link_args" -Dtests=enabled -Dexamples=enabled -Dprograms=false \
    -Dunit_groups="$first_groups"
}

stage_tests() {
  begin=$(date +%s)
  configure_first || return 1
  note "  configured after $(($(date +%s) - begin)) s"
  begin=$(date +%s)
  check build/tests all
  rc=$?
  note "  built in $((built - begin)) s, tested in $(($(date +%s) - built)) s"
  return $rc
}

# The rest of what g++ compiles: each public header alone, all headers in two units that are linked, and under the
# switches that users set; the wrong faces of the mistakes (clang reads both faces); the package as others install and
# include it; units of many builds in one program; and what tests/meson.build calls thorough. Unit tests that the stage
# 'clang' builds with its sanitizers are not among them.
stage_thorough() {
  configure_first || return 1
  check build/tests "header-tests odr-tests config-tests neighbours-tests once-tests thorough-examples
    $(precompiled_mistakes gch)" --suite headers --suite odr --suite compile-fail --suite configs --suite packaging \
    --suite neighbours --suite builds --suite thorough \
    --no-suite daily --no-suite fuzz --no-suite kit
}

# What is asked before a release alone, because it takes long and breaks seldom: the laws over 10^7 operations and a
# simulated year, the packages of others, and at full length what the stage 'clang' has built and memory matters to.
stage_depth() {
  configure_first || return 1
  depth=0
  # Many of them wait for a server that is killed.
  check build/tests "daily-tests $(precompiled_mistakes gch)" --suite daily --num-processes $((jobs * 2)) || depth=1
  sanitized full-length-tests --suite full-length --no-suite release || depth=1
  return $depth
}

# Clang's messages, its sanitizers of memory and of undefined behaviour, and coverage, counted in the source: gcov and
# gcovr add up the instantiations of a template, and call the way of every exception a branch. The table says what is
# not covered; tests/support/coverage.py says what counts. Without debug information, which is a tenth of the time: a
# sanitizer's report names functions; `meson configure build/clang -Ddebug=true` adds the lines. Whether a pointer is
# null or not aligned is asked in the stage 'fuzz' alone: a fifth of the time, and a null pointer ends a program anyway.
# No object names the folder of its clone, or the cache would not know it in another: profile.sh says where counters go,
# and coverage.py where the sources are.
sanitized() {
  targets=$1
  shift
  configure build/clang clang++-19 -Doptimization=0 -Ddebug=false -Db_sanitize=address,undefined -Db_lundef=false \
    -Dtests=enabled -Dexamples=enabled -Dcpp_args="-fno-sanitize-recover=all -fno-sanitize=null,alignment \
    -fprofile-instr-generate=/dev/null -fcoverage-mapping -fcoverage-compilation-dir=." \
    -Dcpp_link_args="$clang_link_args -fprofile-instr-generate" || return 1
  PROFILES=$PWD/build/clang/profiles
  export PROFILES
  rm -rf "$PROFILES"
  mkdir -p "$PROFILES"
  # What counts in a plug-in keeps the name of its file. Once it is unloaded, only strdup has a name.
  echo 'leak:strdup' >build/clang/not-ours
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS=suppressions=$PWD/build/clang/not-ours:print_suppressions=0 \
    check build/clang "$targets" "$@" --timeout-multiplier 5 --wrapper "$PWD/tests/support/profile.sh"
}

stage_clang() {
  # The stage 'tests' has compared these numbers.
  # shellcheck disable=SC2086
  GTEST_FILTER='-PublishedDistributions.*' sanitized \
    "behaviour-tests kit-tests asio-tests tests/conformance/conformance $(precompiled_mistakes pch)" \
    $behaviour --suite kit --suite asio --suite compile-fail --suite covered --no-suite daily ||
    return 1
  rc=0
  "$python" tests/support/coverage.py build/clang "$PROFILES" include/anew 95 89 >build/clang/coverage || rc=1
  cat build/clang/coverage
  note "$(sed -n 's/^\(lines\|branches\):/  &/p' build/clang/coverage)"
  return $rc
}

# anew-get, anew-load, anew-plan and anew-fleet under the sanitizers; and by clang the neighbours at -O3, and the
# mistakes that a compiler does not know.
stage_programs() {
  sanitized 'program-tests neighbours-tests' --suite programs --suite neighbours --suite silent
}

# Groups of unit tests that ask about exceptions, and whose code an optimizer may get wrong.
no_exceptions_groups=core,detail,ext_json,hedge,machine,nesting,poll,retry,virtual
release_groups=gate,pacer,quota,retry,sharing

# Of one thread, and of many draws or operations: there is no race to find, and it takes this sanitizer a minute and a
# half.
numbers_of_one_thread=RateBreaker.OpensAndCloses:ClientThrottle.AnOverloadedServer*:RateLimit.KeepsItsFormula*
numbers_of_one_thread=$numbers_of_one_thread:WaitingLine.NothingUnderflows:Striped.CountsBeyond32Bits

# libc++ and the sanitizer of threads in one stage: each would compile the same files once more. libc++ reads every
# header, and runs what the threads run. GoogleTest is built from its sources here; what needs other libraries built for
# libstdc++ (anew-get) is not built. The messages are the compiler's, and were read in the stage before. Asio counts the
# owners of an executor with a fence, which the sanitizer does not know; without std::atomic it counts with
# read-modify-writes.
stage_libcxx_tsan() {
  configure build/libcxx-tsan clang++-19 -Doptimization=0 -Ddebug=false -Dtests=enabled -Dexamples=disabled \
    -Db_sanitize=thread -Db_lundef=false \
    -Dcpp_args='-stdlib=libc++ -fexperimental-library -DBOOST_ASIO_DISABLE_STD_ATOMIC' \
    -Dcpp_link_args="$clang_link_args -stdlib=libc++ -fexperimental-library" || return 1
  # shellcheck disable=SC2086
  TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 GTEST_FILTER="-$numbers_of_one_thread" \
    check build/libcxx-tsan 'static-tests odr-tests behaviour-tests tests/laws/laws_kit asio-thread-tests' \
    $behaviour --suite kit-threads --suite asio-threads --suite static --no-suite daily --timeout-multiplier 10
}

# Debian's GoogleTest is built with exceptions and RTTI; its headers adapt to a translation unit without them, and the
# two link. Test files whose subject is exceptions or RTTI are left out, by name, in tests/unit/meson.build, and so are
# the laws: drivers ask whether there are exceptions, policies do not. That every header compiles so with g++ is seen in
# the suite 'configs' of the stage 'thorough'.
stage_no_exceptions() {
  configure build/no-exceptions clang++-19 -Doptimization=0 -Ddebug=false -Dcpp_eh=none -Dtests=enabled \
    -Dexamples=disabled -Dunit_groups=$no_exceptions_groups -Dcpp_link_args="$clang_link_args" || return 1
  check build/no-exceptions 'static-tests unit-tests' --suite unit --suite static
}

# Optimised, as the library is used, and therefore at full length: the unit tests of the loop and of what calls share,
# and the laws. Without RTTI too, which the optimizer does not ask about. Warnings are no errors: at -O3 g++ 12 warns in
# the standard library of a text that begins with a literal, "a" + std::to_string(n).
stage_release() {
  configure build/release g++ -Dbuildtype=release -Dwerror=false -Db_ndebug=true -Dcpp_rtti=false -Dtests=enabled \
    -Dexamples=disabled -Dcpp_args="$gcc_args" -Dunit_groups=$release_groups || return 1
  # shellcheck disable=SC2086
  check build/release behaviour-tests $behaviour --suite release
}

stage_tidy() {
  configure build/tidy clang++-19 -Dtests=enabled -Dexamples=enabled -Db_pch=false || return 1
  "$python" tests/support/tidy_units.py build/tidy >build/tidy/sources || return 1
  [ -s build/tidy/sources ] || return 1
  echo "$(wc -l <build/tidy/sources) translation units"
  # Only what is found in headers counts: GoogleTest's macros are not ours.
  xargs -P "$jobs" -n 1 clang-tidy-19 -p build/tidy/merged --quiet --warnings-as-errors='*' \
    --line-filter='[{"name": ".hpp"}]' <build/tidy/sources
}

# What must not change is a gate, in each run: instructions, bytes, lines, allocations, locks. Seconds, fleets and
# pictures are figures.
configure_benchmarks() {
  configure build/benchmarks g++ -Dbuildtype=release -Dtests=disabled -Dexamples=disabled -Dbenchmarks=enabled \
    -Dcpp_args="$gcc_args"
}

stage_benchmarks() {
  configure_benchmarks || return 1
  check build/benchmarks gate-tests --suite codegen
}

stage_figures() {
  configure_benchmarks || return 1
  ANEW_BENCHMARK_SMOKE=1 check build/benchmarks all --suite fleet || return 1
  ANEW_BENCHMARK_SMOKE=1 meson test -C build/benchmarks --no-rebuild --benchmark --print-errorlogs
}

# platforms OPTION...: the golden log on each, and tests where the width, the order of bytes or the system is new
platforms() {
  "$python" tests/platforms/run.py "$@" --jobs "$jobs" build/platforms >build/platforms.log 2>&1
  rc=$?
  cat build/platforms.log
  count_last_line build/platforms.log
  sed -n 's/^left out: /platforms: /p' build/platforms.log >>"$tallies.left-out"
  return $rc
}
stage_platforms() { platforms; }
stage_platforms_all() { platforms --daily; }

# fuzz SECONDS SECONDS: for so long each program, and that of the files that configure, which come from outside
fuzz() {
  short=$1 long=$2
  configure build/fuzz clang++-19 -Doptimization=0 -Ddebug=false -Db_sanitize=address,undefined -Db_lundef=false \
    -Dcpp_args='-g1 -fno-sanitize-recover=all' -Dcpp_link_args="$clang_link_args" -Dtests=enabled \
    -Dexamples=disabled || return 1
  check build/fuzz 'fuzz-tests replay-tests' --suite fuzz || return 1
  rc=0 ran=0 running=
  for program in build/fuzz/tests/fuzz/fuzz_*; do
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
    ran=$((ran + 1))
    name=$(basename "$program")
    found=build/fuzz/corpus/$name
    mkdir -p "$found"
    set -- "$found"
    seeds=tests/fuzz/corpus/${name#fuzz_}
    [ ! -d "$seeds" ] || set -- "$@" "$seeds"
    # At once: they share the processors.
    seconds=$short
    [ "$name" != fuzz_profile_file ] || seconds=$long
    "$program" -max_total_time=$seconds -timeout=5 -print_final_stats=1 -artifact_prefix="$found." "$@" \
      >"build/fuzz/$name.log" 2>&1 &
    running="$running $name:$!"
  done
  for one in $running; do
    wait "${one#*:}" || rc=1
    cat "build/fuzz/${one%%:*}.log"
  done
  echo "$ran programs"
  [ $ran -gt 0 ] || rc=1
  return $rc
}
stage_fuzz() { fuzz 20 30; }
stage_fuzz_longer() { fuzz 60 120; }

# ---------------------------------------------------------------------------------------------------------------------

# shellcheck disable=SC2016
add_up='{ p += $1; f += $2; s += $3 }
  END { print p + 0 " passed, " f + 0 " failed, " s + 0 " skipped"; exit f > 0 }'

# used: sets the seconds of the processor that the programs of this run have had so far. `times` in a pipe or in $()
# would answer for that shell.
used() {
  used_by=${tally:-$tallies.all}  # each row has files of its own
  times >"$used_by.times"
  awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$used_by.times" >"$used_by.used"
  read -r used <"$used_by.used"
  rm -f "$used_by.times" "$used_by.used"
}

# run_stage NAME: its output goes to its log, what it counts to a tally.
run_stage() {
  need_turn "$logs/$1.lock"
  log=$logs/$1.log
  tally=$tallies.$1
  : >"$tally"
  stage_begin=$(date +%s)
  used
  stage_used=$used
  echo "$1 ..."
  if "stage_$(echo "$1" | tr '-' '_')" >"$log" 2>&1 </dev/null 9>&-; then
    verdict=ok
    [ -s "$tally" ] || echo '1 0 0' >>"$tally"
  else
    verdict=FAILED
    tail -n 80 "$log"
    # A failure that no test stands for: the build, a gate, a tool.
    awk '{ failed += $2 } END { exit failed > 0 }' "$tally" && echo '0 1 0' >>"$tally"
  fi
  used
  echo "$1: $verdict after $(($(date +%s) - stage_begin)) s, $((used - stage_used)) s of the processor" \
    "($(awk "$add_up" "$tally"))"
}

# run_row STAGE...: one after the other
run_row() {
  for stage in "$@"; do run_stage "$stage"; done
}

exec 3>&1
row='' other_row=''
for stage in $stages; do
  case $stage in
    quick) run_stage quick ;;
    tests)
      # The libraries first. The compilers for other platforms come while the tests are built.
      if [ "$needs" = need_full ]; then
        need_all need_built
        (need_all need_full) 3>&- &
        installing=$!
      else
        need_all "$needs"
      fi
      run_stage tests
      if [ -n "${installing:-}" ] && ! wait "$installing"; then
        verdict=incomplete
        echo '0 1 0' >"$tallies.installing"
      fi
      ! $nothing_may_be_left_out || [ ! -s "$tallies.left-out" ] || verdict=incomplete
      ;;
    fuzz | clang | figures | release | tidy | platforms-all | fuzz-longer) other_row="$other_row $stage" ;;
    *) row="$row $stage" ;;
  esac
  # What is wrong or missing here is so everywhere.
  [ "${verdict:-ok}" = ok ] || break
done
# While a stage of one row configures, links or waits for its last test, the other row has work for the processors.
if [ "${verdict:-ok}" = ok ] && [ -n "$row$other_row" ]; then
  need_all "$needs"
  # shellcheck disable=SC2086
  if [ -n "$row" ] && [ -n "$other_row" ]; then
    trap 'trap "" TERM; kill 0; exit 130' INT TERM  # the rows too: the shell has them ignore an interrupt
    run_row $row &
    run_row $other_row &
    wait
  else
    run_row $row $other_row
  fi
fi

if [ -s "$tallies.left-out" ]; then
  echo "left out, because something is missing:"
  sort -u "$tallies.left-out" | sed 's/^/  /'
  if $nothing_may_be_left_out; then echo '0 1 0' >"$tallies.nothing-may-be-left-out"; fi
  rm -f "$tallies.left-out"
fi
used
echo "everything took $(($(date +%s) - all_begin)) s, $used s of the processor; the logs are in $logs"
cat "$tallies".* | awk "$add_up"
