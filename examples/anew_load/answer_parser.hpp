// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_ANSWER_PARSER_HPP
#define ANEW_LOAD_ANSWER_PARSER_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

#include "anew/base/duration.hpp"

namespace anew_load {

/// How long a server asks to wait.
struct hints {
  std::optional<anew::duration> retry_after;
  std::optional<anew::duration> amz_retry_after;
};

/// Reads an answer, and keeps of it what a reply says; so it allocates nothing. A field behind the body asks for nothing.
class answer_parser final : public boost::beast::http::basic_parser<false> {
  using error_code = boost::beast::error_code;
  using text = boost::beast::string_view;

 public:
  /// Its head may have so many bytes.
  answer_parser(bool is_head, std::uint32_t most_bytes) {
    header_limit(most_bytes);
    body_limit(boost::none);
    eager(true);
    skip(is_head);
  }

  /// 0 before the first line.
  [[nodiscard]] int status() const noexcept { return status_; }
  /// Another answer follows.
  [[nodiscard]] bool is_interim() const noexcept { return status_ >= 100 && status_ < 200 && status_ != 101; }
  /// Of an error.
  [[nodiscard]] hints asked() const;

 private:
  void on_request_impl(boost::beast::http::verb /*method*/, text /*method_text*/, text /*target*/, int /*version*/,
                       error_code& /*error*/) override {}
  void on_response_impl(int status, text /*reason*/, int /*version*/, error_code& /*error*/) override {
    status_ = status;
  }
  void on_field_impl(boost::beast::http::field name, text name_text, text value, error_code& /*error*/) override;
  void on_header_impl(error_code& error) override {
    if (is_encoded_ && !chunked()) error = boost::beast::http::error::bad_transfer_encoding;
  }
  void on_body_init_impl(boost::optional<std::uint64_t> const& /*length*/, error_code& /*error*/) override {}
  std::size_t on_body_impl(text piece, error_code& /*error*/) override { return piece.size(); }
  void on_chunk_header_impl(std::uint64_t /*size*/, text /*extensions*/, error_code& /*error*/) override {}
  std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, text piece, error_code& /*error*/) override {
    return piece.size();
  }
  void on_finish_impl(error_code& /*error*/) override {}

  int status_ = 0;
  bool is_encoded_ = false;  // for the transfer
  std::optional<std::string> retry_after_;
  std::optional<std::string> amz_retry_after_;
};

}  // namespace anew_load

#endif
