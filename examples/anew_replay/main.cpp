// SPDX-License-Identifier: BSL-1.0
// anew-replay: replays files of conformance vectors against the library. docs/reference/replay.md says what they hold.
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "modes.hpp"

namespace replay {

namespace {

constexpr char const* usage =
    "usage: anew-replay standard|backoff|cubic|rate|config|codes FILE...\n"
    "Replays the cases of each file against the library: one line per case, then the totals.\n"
    "Exit code: 0 nothing failed, 1 a case failed, 2 a file could not be replayed or the command is wrong.\n";

constexpr int all_passed = 0;
constexpr int case_failed = 1;
constexpr int trouble = 2;

struct mode {
  std::string_view name;
  void (*replay)(json const&, report&);
};

constexpr std::array<mode, 6> modes{{{"standard", &replay_standard},
                                     {"backoff", &replay_backoff},
                                     {"cubic", &replay_cubic},
                                     {"rate", &replay_rate},
                                     {"config", &replay_config},
                                     {"codes", &replay_codes}}};

source_text read(char const* path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw malformed{std::string{"cannot be opened: "}.append(std::strerror(errno))};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (in.bad()) throw malformed{"cannot be read"};
  auto root = json::parse(text);
  return {path, std::move(text), std::move(root)};
}

/// False when the file could not be replayed.
bool replay_file(mode const& chosen, char const* path, report& to) {
  try {
    auto const before = to.cases();
    auto const source = read(path);
    to.begin(source);
    chosen.replay(source.root, to);
    if (to.cases() == before) throw malformed{std::string{"holds no case for '"}.append(chosen.name).append("'")};
    return true;
  } catch (std::exception const& error) {
    std::cout.flush();
    std::cerr << "anew-replay: " << path << ": " << error.what() << '\n';
    return false;
  }
}

int main(std::span<char*> arguments) {
  if (arguments.size() > 1 && (std::string_view{arguments[1]} == "--help" || std::string_view{arguments[1]} == "-h")) {
    std::cout << usage;
    return all_passed;
  }
  if (arguments.size() < 3) {
    std::cerr << usage;
    return trouble;
  }
  mode const* chosen = nullptr;
  for (auto const& candidate : modes) {
    if (candidate.name == arguments[1]) chosen = &candidate;
  }
  if (chosen == nullptr) {
    std::cerr << "anew-replay: '" << arguments[1] << "' is no mode\n" << usage;
    return trouble;
  }
  report to{std::cout};
  bool replayed = true;
  for (char const* const path : arguments.subspan(2)) replayed = replay_file(*chosen, path, to) && replayed;
  to.write_totals();
  std::cout.flush();
  if (!replayed || !std::cout) return trouble;
  return to.failed() == 0 ? all_passed : case_failed;
}

}  // namespace

}  // namespace replay

int main(int argc, char** argv) { return replay::main({argv, static_cast<std::size_t>(argc)}); }
