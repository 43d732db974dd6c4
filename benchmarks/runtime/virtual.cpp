// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "anew/anew.hpp"
#include "anew/virtual.hpp"

#include "interleaved.hpp"
#include "loops.hpp"
#include "outside.hpp"

/// What the virtual interface adds to a call: the same strategy driven as it is, and through a view of a reference to
/// the abstract class.
namespace {

using namespace loops;

std::int64_t volatile sink = 0;

template <auto Call>
void repeat(std::uint64_t n) {
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += Call();
  sink = sink + sum;
}

using bucket_strategy = anew::with<plain, cheap_bucket>;

/// Made where the compiler does not see of which type.
template <class Strategy>
[[gnu::noinline]] std::unique_ptr<anew::retry_strategy> make() {
  return std::make_unique<anew::virtual_strategy<Strategy>>();
}

template <class Strategy>
Strategy const composed{};
template <class Strategy>
struct behind_a_base {
  std::unique_ptr<anew::retry_strategy> owner = make<Strategy>();
  anew::strategy_view plain_view{*owner};
  decltype(anew::basic_strategy_view{*owner, Strategy{}.classifier()}) view{*owner, Strategy{}.classifier()};
};
template <class Strategy>
behind_a_base<Strategy> const virtually{};

template <class Strategy, auto Op>
int call_composed() {
  return by_anew_with<Op>(composed<Strategy>).value;
}
template <class Strategy, auto Op>
int call_virtual() {
  return by_anew_with<Op>(virtually<Strategy>.view).value;
}

template <class Strategy, auto Op>
[[gnu::noinline]] int throws_composed() {
  return anew::retry(composed<Strategy>, anew::throws_only([] { return Op(); }), no_sleep);
}
template <class Strategy, auto Op>
[[gnu::noinline]] int throws_virtual() {
  return anew::retry(virtually<Strategy>.plain_view, anew::throws_only([] { return Op(); }), no_sleep);
}

std::uint64_t allocated = 0;

void compare(char const* what, interleaved::way composed_way, interleaved::way virtual_way) {
  auto const times = interleaved::report(what, {{"composed", composed_way}, {"virtual", virtual_way}});
  std::printf("%-34s %-26s %10.2f\n", "", "difference", times[1].nanoseconds - times[0].nanoseconds);
  auto const before = allocated;
  virtual_way(1000);
  std::printf("%-34s %-26s %10.2f\n", "", "allocations per call", static_cast<double>(allocated - before) / 1000);
}

}  // namespace

void* operator new(std::size_t size) {
  ++allocated;
  if (void* const memory = std::malloc(size)) return memory;  // NOLINT(cppcoreguidelines-no-malloc)
  throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }                        // NOLINT
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }  // NOLINT

int main() {
  using outside::fails_once;
  using outside::returns;
  using outside::succeeds;
  using outside::throws_once;

  interleaved::print_header();
  compare("success, no quota", repeat<call_composed<plain, succeeds>>, repeat<call_virtual<plain, succeeds>>);
  compare("success, bucket", repeat<call_composed<bucket_strategy, succeeds>>,
          repeat<call_virtual<bucket_strategy, succeeds>>);
  compare("one failure, one success", repeat<call_composed<plain, fails_once>>,
          repeat<call_virtual<plain, fails_once>>);
  compare("the same, bucket", repeat<call_composed<bucket_strategy, fails_once>>,
          repeat<call_virtual<bucket_strategy, fails_once>>);
  compare("success, exceptions", repeat<throws_composed<catching, returns>>, repeat<throws_virtual<catching, returns>>);
  compare("one exception, one success", repeat<throws_composed<catching, throws_once>>,
          repeat<throws_virtual<catching, throws_once>>);
  return 0;
}
