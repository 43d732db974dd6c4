// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string_view>

#include <boost/asio/error.hpp>

#include "anew/bridges/http/retry_after_field.hpp"
#include "anew/policies/hint/retry_after.hpp"
#include "anew/presets/aws/error.hpp"

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

void answer_parser::on_field_impl(http::field name, text name_text, text value, error_code& /*error*/) {
  if (name == http::field::transfer_encoding) is_encoded_ = true;
  if (status_ < 400 || is_header_done()) return;
  bool const is_amz = name == http::field::unknown && boost::beast::iequals(name_text, "x-amz-retry-after");
  if (name != http::field::retry_after && !is_amz) return;
  auto& kept = is_amz ? amz_retry_after_ : retry_after_;
  if (!kept) kept.emplace(value.data(), value.size());
}

hints answer_parser::asked() const {
  hints got;
  if (retry_after_) got.retry_after = anew::parse_retry_after(*retry_after_, std::chrono::system_clock::now());
  if (amz_retry_after_) got.amz_retry_after = anew::parse_amz_retry_after(*amz_retry_after_);
  return got;
}

void connection::expect_answer(bool is_head) { parser_.emplace(is_head, anew::most_head_bytes - interim_bytes_); }

bool connection::begins_as_http() const {
  constexpr std::string_view start = "HTTP/";
  auto const length = std::min(buffer_.size(), start.size());
  return std::string_view{static_cast<char const*>(buffer_.cdata().data()), length} == start.substr(0, length);
}

bool connection::has_whole_answer(error_code& error, std::size_t bytes) {
  exchanges();
  buffer_.commit(bytes);
  if (error == net::error::eof) {
    error = {};
    if (parser_->got_some()) {
      parser_->put_eof(error);
    } else {
      error = http::error::end_of_stream;
    }
    return true;
  }
  while (!error && buffer_.size() > 0) {
    auto const taken = parser_->put(buffer_.data(), error);
    buffer_.consume(taken);
    if (error == http::error::need_more) {
      error = {};
      if (parser_->status() != 0 || begins_as_http()) return false;
      error = http::error::bad_version;
    }
    if (error) return true;
    if (!parser_->is_done()) {
      if (taken == 0) return false;
    } else if (!parser_->is_interim()) {
      return true;
    } else {
      interim_bytes_ += static_cast<std::uint32_t>(taken);
      if (++interim_answers_ > anew::most_informational || interim_bytes_ >= anew::most_head_bytes) {
        error = http::error::header_limit;
      } else {
        expect_answer(parser_->skip());
      }
    }
  }
  return !!error;
}

bool is_out_of_descriptors(error_code error) {
  return error == net::error::no_descriptors || error == boost::system::errc::too_many_files_open_in_system;
}

reply reply_of(answer_parser const& answer) {
  reply got;
  got.what = trouble::none;
  got.sent = true;
  got.status = static_cast<std::uint16_t>(answer.status());
  if (got.status < 200) got.what = trouble::nonsense;  // an unrequested protocol, or no status
  if (got.status < 400) return got;
  auto const asked = answer.asked();
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
  } else if (error == http::error::header_limit) {
    got.what = trouble::too_long;
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
