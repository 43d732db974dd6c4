// SPDX-License-Identifier: BSL-1.0
// Meant: what is not CURLE_OK is an error.
#include "given.hpp"

extern "C" {
typedef enum { CURLE_OK = 0, CURLE_COULDNT_CONNECT = 7 } CURLcode;
}
CURLcode perform() { return ++calls, CURLE_COULDNT_CONNECT; }

int main() { print(anew::retry_outcome(thrice<anew::retry_all>{}, perform, no_sleep)); }
