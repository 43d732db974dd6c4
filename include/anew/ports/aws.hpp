// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_HPP
#define ANEW_PORTS_AWS_HPP

/// The configuration of the AWS SDKs and tools: environment, shared files, strategies made of them, and reloading.

#include "anew/ports/aws/file_source.hpp"
#include "anew/ports/aws/make_strategy.hpp"
#include "anew/ports/aws/profile_file.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/ports/aws/settings.hpp"
#include "anew/ports/aws/strategy_store.hpp"

#endif
