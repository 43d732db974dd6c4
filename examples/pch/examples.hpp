// SPDX-License-Identifier: BSL-1.0
// What most examples include, compiled once. No example relies on it: the stage 'thorough' compiles each without.
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
