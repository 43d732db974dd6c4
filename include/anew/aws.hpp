// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_AWS_HPP
#define ANEW_AWS_HPP

/// The strategies of the AWS SDKs, and the settings that choose one.
#include "anew/ports/aws.hpp"
#include "anew/presets/aws.hpp"

#endif
