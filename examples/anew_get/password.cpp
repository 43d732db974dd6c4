// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "password.hpp"

namespace anew_get {

namespace {

// Of an ASCII terminal, where its driver does not act on them.
constexpr char interrupt = 3;
constexpr char end_of_input = 4;
constexpr char backspace = 8;
constexpr char kill_line = 21;
constexpr char erase = 127;

std::optional<std::string> line_from(int terminal) {
  std::string line;
  for (char c = 0; ::read(terminal, &c, 1) == 1;) {
    if (c == '\n' || c == '\r') return line;
    if (c == interrupt || c == end_of_input) return std::nullopt;
    if (c == kill_line) {
      line.clear();
    } else if (c == backspace || c == erase) {
      if (!line.empty()) line.pop_back();
    } else {
      line += c;
    }
  }
  return std::nullopt;
}

void say(int terminal, std::string const& text) {
  if (::write(terminal, text.data(), text.size()) < 0) return;  // then its reader does not answer either
}

}  // namespace

/// The keys of the terminal are read one by one and make no signal: one that ended the program would leave a terminal that
/// shows nothing.
std::optional<std::string> asked_password(std::string const& question) {
  int const terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal < 0) return std::nullopt;
  std::optional<std::string> answer;
  ::termios before{};
  if (::tcgetattr(terminal, &before) == 0) {
    auto silent = before;
    silent.c_lflag &= ~static_cast<::tcflag_t>(ECHO | ICANON | ISIG);
    say(terminal, question);
    if (::tcsetattr(terminal, TCSAFLUSH, &silent) == 0) {
      answer = line_from(terminal);
      ::tcsetattr(terminal, TCSAFLUSH, &before);
    }
    say(terminal, "\n");
  }
  ::close(terminal);
  return answer;
}

}  // namespace anew_get
