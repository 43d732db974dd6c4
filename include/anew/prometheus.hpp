// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROMETHEUS_HPP
#define ANEW_PROMETHEUS_HPP

/// Metrics of calls for an exposer of prometheus-cpp
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/observer/prometheus_gauges.hpp"
#include "anew/policies/observer/prometheus_metrics.hpp"

#endif
