// SPDX-License-Identifier: BSL-1.0
// What most units of anew-replay include, compiled once.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/anew.hpp"
