// SPDX-License-Identifier: BSL-1.0
// The module as a program: requests that end with a zero byte come in, an answer a line goes out.
#include <iostream>
#include <string>

#include "answer.hpp"

int main() {
  for (std::string asked; std::getline(std::cin, asked, '\0');) std::cout << playground::answer(asked) << '\n';
}
