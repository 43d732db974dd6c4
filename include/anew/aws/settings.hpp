// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_AWS_SETTINGS_HPP
#define ANEW_AWS_SETTINGS_HPP

/// The configuration of the AWS SDKs and tools: environment, shared files, strategies made of them, and reloading.

#include "anew/aws/settings/config_error.hpp"
#include "anew/aws/settings/environment.hpp"
#include "anew/aws/settings/file_source.hpp"
#include "anew/aws/settings/limits.hpp"
#include "anew/aws/settings/locations.hpp"
#include "anew/aws/settings/make_strategy.hpp"
#include "anew/aws/settings/profile_file.hpp"
#include "anew/aws/settings/reloadable.hpp"
#include "anew/aws/settings/resolve.hpp"
#include "anew/aws/settings/result.hpp"
#include "anew/aws/settings/settings.hpp"
#include "anew/aws/settings/strategy_store.hpp"
#include "anew/aws/settings/visit_strategy.hpp"

#endif
