// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_HPP
#define ANEW_TEXT_HPP

/// Strategies and policies from text, and the promises that a text must keep.
#include "anew/text/core_words.hpp"
#include "anew/text/make_strategy.hpp"
#include "anew/text/read_policy.hpp"
#include "anew/text/read_strategy.hpp"
#include "anew/text/read_strategy_within.hpp"

#endif
