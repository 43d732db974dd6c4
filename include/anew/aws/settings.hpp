// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_AWS_SETTINGS_HPP
#define ANEW_AWS_SETTINGS_HPP

/// The configuration of the AWS SDKs and tools: environment, shared files, strategies made of them, and reloading.

#include "anew/aws/settings/environment.hpp"
#include "anew/aws/settings/error.hpp"
#include "anew/aws/settings/files.hpp"
#include "anew/aws/settings/limits.hpp"
#include "anew/aws/settings/locations.hpp"
#include "anew/aws/settings/profile_file.hpp"
#include "anew/aws/settings/reloadable.hpp"
#include "anew/aws/settings/resolve.hpp"
#include "anew/aws/settings/result.hpp"
#include "anew/aws/settings/settings.hpp"
#include "anew/aws/settings/strategies.hpp"
#include "anew/aws/settings/strategy_store.hpp"

#endif
