// SPDX-License-Identifier: BSL-1.0

// Runs a fuzz target without a fuzzer: replays a corpus, then a fixed number of seeded mutations of it. The same
// arguments always make the same inputs, on every machine.
//
//   program [--mutations=N] [--seed=N] file-or-directory...

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

constexpr std::size_t longest_input = 4096;

// SplitMix64, so that the sequence does not depend on a standard library.
struct generator {
  explicit generator(std::uint64_t seed) : state_{seed} {}

  std::size_t below(std::size_t bound) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % bound);
  }

 private:
  std::uint64_t state_;
};

std::size_t position_in(std::string const& text, generator& random) { return random.below(text.size() + 1); }

std::string piece_of(std::string const& text, generator& random) {
  auto const first = position_in(text, random);
  return text.substr(first, random.below(16));
}

void mutate(std::string& text, std::vector<std::string> const& corpus, generator& random) {
  auto const byte = [&] { return static_cast<char>(random.below(256)); };
  auto const at = position_in(text, random);
  switch (random.below(7)) {
    case 0:
      if (at < text.size()) text[at] = byte();
      break;
    case 1:
      // A small step keeps digits digits and letters letters, which is where grammars have their limits.
      if (at < text.size()) text[at] = static_cast<char>(text[at] + (random.below(2) == 0 ? 1 : -1));
      break;
    case 2: text.insert(at, 1, byte()); break;
    case 3: text.insert(at, 1, static_cast<char>('0' + random.below(10))); break;
    case 4: text.erase(at, random.below(4)); break;
    case 5: text.insert(at, piece_of(text, random)); break;
    default: text.replace(at, random.below(8), piece_of(corpus[random.below(corpus.size())], random));
  }
  if (text.size() > longest_input) text.resize(longest_input);
}

void run(std::string const& input) {
  // The bytes reach the target in a buffer of their own size, as a fuzzer hands them over.
  std::vector<std::uint8_t> const bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void print_escaped(std::string const& input) {
  for (char const c : input) {
    if (c >= ' ' && c <= '~' && c != '\\')
      std::fputc(c, stderr);
    else
      std::fprintf(stderr, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  std::fputc('\n', stderr);
}

// What was running when a target gave up; a law that is broken calls std::abort.
std::string current_input;

std::string read(std::filesystem::path const& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

int run_all(std::vector<std::string_view> const& arguments) {
  std::uint64_t mutations = 100'000;
  std::uint64_t seed = 1;
  std::vector<std::filesystem::path> files;
  for (auto const argument : arguments) {
    if (argument.starts_with("--mutations=")) {
      mutations = std::stoull(std::string{argument.substr(12)});
    } else if (argument.starts_with("--seed=")) {
      seed = std::stoull(std::string{argument.substr(7)});
    } else if (std::filesystem::is_directory(argument)) {
      for (auto const& entry : std::filesystem::directory_iterator{argument}) files.push_back(entry.path());
    } else if (std::filesystem::is_regular_file(argument)) {
      files.emplace_back(argument);
    } else {
      std::fprintf(stderr, "no such file or option: %s\n", std::string{argument}.c_str());
      return EXIT_FAILURE;
    }
  }
  // A directory lists its files in any order; the mutations depend on it.
  std::sort(files.begin(), files.end());

  std::vector<std::string> corpus{std::string{}};
  for (auto const& file : files) corpus.push_back(read(file));

  for (auto const& input : corpus) run(current_input = input);
  generator random{seed};
  for (std::uint64_t i = 0; i != mutations; ++i) {
    current_input = corpus[random.below(corpus.size())];
    for (auto steps = random.below(6) + 1; steps != 0; --steps) mutate(current_input, corpus, random);
    run(current_input);
  }
  std::printf("%zu corpus files, %llu mutations with seed %llu: no law broken\n", files.size(),
              static_cast<unsigned long long>(mutations), static_cast<unsigned long long>(seed));
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) try {
  std::signal(SIGABRT, [](int) {
    std::fputs("input: ", stderr);
    print_escaped(current_input);
  });
  return run_all({argv + 1, argv + argc});
} catch (std::exception const& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  print_escaped(current_input);
  return EXIT_FAILURE;
}
