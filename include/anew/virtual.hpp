// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VIRTUAL_HPP
#define ANEW_VIRTUAL_HPP

/// Strategies whose type is chosen at run time: the classes of the Smithy guide, and adapters in both directions.
#include "anew/anew.hpp"
#include "anew/run_time/virtual/adjusted.hpp"
#include "anew/run_time/virtual/retry_info.hpp"
#include "anew/run_time/virtual/retry_strategy.hpp"
#include "anew/run_time/virtual/retry_token.hpp"
#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/token_acquisition_failed.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"

#endif
