// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORDS_CLASSIFIER_HPP
#define ANEW_TEXT_WORDS_CLASSIFIER_HPP

#include <cstddef>
#include <vector>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/policies/classifier/http_statuses.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"
#include "anew/policies/classifier/retry_all.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

/// The words of classifiers, for anew/compose/notation. Only `retry_all` reads every kind of error.
namespace anew::inline ANEW_ABI::words {

struct retry_all : word_of<"retry_all", anew::retry_all> {};
struct retry_info : word_of<"retry_info", retry_info_classifier> {};
struct error_code : word_of<"error_code", error_code_classifier> {};
struct asio : word_of<"asio", asio_classifier> {};

struct status : written_as<"STATUS"> {
  static int value(word const& w, auto const& /*in*/) {
    if (w.names("4xx")) return anew::http::any_4xx;
    if (w.names("5xx")) return anew::http::any_5xx;
    w.expect_plain();
    auto const number = word::read_number<int>(w.name);
    if (!number || *number < 100 || *number > 599)
      w.refuse(word::quoted(w.name) + " must be a status from 100 to 599, 4xx or 5xx");
    return number.value_or(100);
  }
};
/// A `Policy` that is constructed from `http_statuses`, such as your own classifier.
template <class Policy>
struct http_status_of : word_of<"http_status", Policy, many<status>> {
  static Policy make(std::vector<int> const& named) {
    http_statuses statuses{named[0]};
    for (int const each : named) statuses.add(each);
    return Policy{statuses};
  }
};
using http_status = http_status_of<http_statuses>;

struct grpc_code : written_as<"CODE"> {
  static grpc::status_code value(word const& w, auto const& /*in*/) {
    w.expect_plain();
    auto const code = grpc::parse_status_code(w.name);
    if (!code || *code == grpc::status_code::ok)
      w.refuse(word::quoted(w.name) + " must be a code of gRPC for a failure, such as UNAVAILABLE");
    return code.value_or(grpc::status_code::unavailable);
  }
};
struct grpc_status : word_of<"grpc_status", grpc::status_classifier<grpc::run_time_codes>, many<grpc_code>> {
  static policy_type make(std::vector<grpc::status_code> const& named) {
    grpc::code_set set{};
    for (auto const code : named) set.add(code);
    return policy_type{set};
  }
};

// Combinations of the classifiers of words, in this order.
template <class... Words>
struct any_of : word_of<"any_of", anew::any_of<typename Words::policy_type...>, by<Words>...> {};
template <class... Words>
struct first_of : word_of<"first_of", anew::first_of<typename Words::policy_type...>, by<Words>...> {};
template <class Word>
struct not_ : word_of<"not", anew::not_<typename Word::policy_type>, by<Word>> {};  // NOLINT(*-identifier-naming)
template <class Word>
struct caused_by : word_of<"caused_by", anew::caused_by<typename Word::policy_type>, by<Word>> {};
template <class Word>
struct idempotent_only : word_of<"idempotent_only", anew::idempotent_only<typename Word::policy_type>, by<Word>> {};

}  // namespace anew::inline ANEW_ABI::words

#endif
