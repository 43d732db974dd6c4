// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_PLUGIN_FAR_ERROR_HPP
#define ANEW_TESTS_PLUGIN_FAR_ERROR_HPP

/// What an operation of the host's returns, and a classifier of the plug-in's reads. Visible, as what is thrown is: so it
/// is one type on both sides.
struct [[gnu::visibility("default")]] far_error {
  int number = 0;
};

#endif
