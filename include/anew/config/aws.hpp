// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONFIG_AWS_HPP
#define ANEW_CONFIG_AWS_HPP

/// The configuration of the AWS SDKs and tools: environment, shared files, strategies made of them, and reloading.

#include "anew/config/environment.hpp"
#include "anew/config/error.hpp"
#include "anew/config/files.hpp"
#include "anew/config/limits.hpp"
#include "anew/config/locations.hpp"
#include "anew/config/profile_file.hpp"
#include "anew/config/reloadable.hpp"
#include "anew/config/resolve.hpp"
#include "anew/config/result.hpp"
#include "anew/config/settings.hpp"
#include "anew/config/strategies.hpp"
#include "anew/config/strategy_store.hpp"

#endif
