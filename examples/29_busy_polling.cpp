// SPDX-License-Identifier: BSL-1.0
// A game's frame loop: three hundred assets are loaded by a device that takes a few requests a frame and refuses the rest.
// Each asset is a call of its own; every frame looks at all of them. The frame loop reads the time once a
// frame; nothing waits, nothing is allocated, and there is no system call between two frames.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "anew/anew.hpp"
#include "anew/call/retry_machine.hpp"

using namespace std::chrono_literals;

// [clock]
/// The time of the frame, for a strategy that asks.
struct frame_clock {
  using role = anew::roles::clock;
  static constexpr bool is_steady = true;
  anew::time_point const* frame;
  [[nodiscard]] anew::time_point now() const noexcept { return *frame; }
};

/// The game's own random numbers: a replay of the game is a replay of its retries.
struct game_random {
  using role = anew::roles::random_source;
  std::uint64_t* state;
  std::uint64_t operator()() const noexcept {  // splitmix64
    std::uint64_t z = (*state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
};
// [/clock]

/// Takes six requests a frame; while the player turns around (frames 30 to 50) it is busy with something else.
class device {
 public:
  void begin_frame(int frame) noexcept { places_ = frame >= 30 && frame < 50 ? 0 : 6; }
  bool load() noexcept {
    ++asked;
    if (places_ == 0) return false;
    --places_;
    return true;
  }
  int asked = 0;

 private:
  int places_ = 0;
};

int main() {
  anew::time_point frame_time{};
  std::uint64_t seed = 7;
  // [poll]
  auto const strategy =
      anew::compose(anew::retry_if{[](std::false_type) { return true; }}, anew::exponential_backoff<32ms, 500ms>{},
                    anew::equal_jitter{}, anew::max_attempts<12>{}, anew::deadline<1500ms>{}, frame_clock{&frame_time},
                    game_random{&seed});

  struct asset {
    anew::retry_machine<std::remove_const_t<decltype(strategy)>> call;
    anew::next_step step = call.begin();
    anew::time_point due =
        step == anew::next_step::wait ? call.wait_ends_at() : anew::time_point{};  // a gate's or a pacer's
  };
  std::vector<asset> assets;
  assets.reserve(300);
  for (int n = 0; n != 300; ++n) assets.push_back({anew::retry_machine{strategy}});

  // [/poll]

  device disk;
  // [frame]
  auto const run_frame = [&] {
    for (auto& [call, step, due] : assets) {
      if (step == anew::next_step::wait && due > frame_time) continue;
      if (step == anew::next_step::wait) step = call.on_wait_over();
      if (step == anew::next_step::attempt) step = call.on_outcome(disk.load());
      if (step == anew::next_step::wait) due = call.wait_ends_at();
    }
  };
  // [/frame]

  for (int frame = 0; frame != 120; ++frame) {
    frame_time += 16ms;
    disk.begin_frame(frame);
    run_frame();
    if (frame % 15 != 14) continue;
    int loaded = 0;
    int waiting = 0;
    for (auto const& one : assets) {
      if (one.step == anew::next_step::wait) ++waiting;
      if (one.call.reason() == anew::stop_reason::succeeded) ++loaded;
    }
    auto const lost = static_cast<int>(assets.size()) - loaded - waiting;
    std::printf("frame %3d: %3d loaded, %3d wait, %3d given up, %4d requests\n", frame + 1, loaded, waiting, lost,
                disk.asked);
  }
  std::printf("%zu bytes for a call\n", sizeof(asset::call));
}
