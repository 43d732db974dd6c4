// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include <boost/asio/error.hpp>

#include "anew/aws/preset/amz_retry_after.hpp"
#include "anew/hint/retry_after.hpp"

#include "connection.hpp"

namespace anew_load {

attempt_counts& attempt_counts::operator+=(attempt_counts const& other) {
  begun += other.begun;
  requests += other.requests;
  missing_descriptors += other.missing_descriptors;
  connections += other.connections;
  if (refusal.empty()) refusal = other.refusal;
  for (std::size_t i = 0; i != ended.size(); ++i) ended[i] += other.ended[i];
  return *this;
}

hints hints_of(http::fields const& head) {
  auto const value = [&head](auto field) {
    auto const found = head.find(field);
    if (found == head.end()) return std::string_view{};
    return std::string_view{found->value().data(), found->value().size()};
  };
  hints got;
  if (auto const text = value(http::field::retry_after); !text.empty()) {
    got.retry_after = anew::parse_retry_after(text, std::chrono::system_clock::now());
  }
  if (auto const text = value("x-amz-retry-after"); !text.empty()) {
    got.amz_retry_after = anew::parse_amz_retry_after(text);
  }
  return got;
}

bool is_out_of_descriptors(error_code error) {
  return error == net::error::no_descriptors || error == boost::system::errc::too_many_files_open_in_system;
}

reply reply_of(connection::parser_type const& parser) {
  auto const& head = parser.get();
  reply got;
  got.what = trouble::none;
  got.sent = true;
  got.status = static_cast<std::uint16_t>(head.result_int());
  if (got.status < 200) got.what = trouble::nonsense;  // an unrequested protocol, or no status
  if (got.status < 400) return got;
  auto const asked = parser.chunked() ? head.body() : hints_of(head);
  got.retry_after = asked.retry_after;
  got.amz_retry_after = asked.amz_retry_after;
  return got;
}

reply reply_of(error_code error, bool sent, bool is_cancelled, connection const& on) {
  reply got;
  got.sent = sent;
  if (is_cancelled) {
    got.what = trouble::stopped;
  } else if (on.is_too_slow()) {
    got.what = trouble::too_slow;
  } else if (!sent) {
    got.what = is_out_of_descriptors(error) ? trouble::no_descriptor : trouble::no_connection;
  } else if (error == http::error::partial_message) {
    got.what = trouble::cut;
  } else if (error == http::error::end_of_stream ||
             error.category() != make_error_code(http::error::end_of_stream).category()) {
    got.what = on.has_answered() ? trouble::cut : trouble::lost;
  } else {
    got.what = trouble::nonsense;
  }
  return got;
}

}  // namespace anew_load
