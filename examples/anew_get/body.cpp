// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "body.hpp"
#include "checksum.hpp"
#include "text.hpp"
#include "url_handle.hpp"

namespace anew_get {

namespace {

/// Of the page of an error so much is read, to keep the connection.
constexpr std::uint64_t most_skipped = std::uint64_t{1} << 20U;

/// The field of the last answer; nothing if it has none, or several.
std::optional<std::string> field(CURL* easy, char const* name) {
  curl_header* found = nullptr;
  if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK || found->amount != 1) return std::nullopt;
  return found->value;
}

bool has_field(CURL* easy, char const* name) {
  curl_header* found = nullptr;
  return curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK;
}

/// RFC 9110, 8.8.2.2: a date is strong if it is well before that of the answer. Both come from one clock.
bool is_strong_date(CURL* easy, std::string const& modified) {
  auto const answered = field(easy, "Date");
  if (!answered) return false;
  auto const at = curl_getdate(answered->c_str(), nullptr);
  auto const changed = curl_getdate(modified.c_str(), nullptr);
  constexpr auto a_minute = 60;
  return at != -1 && changed != -1 && at - changed >= a_minute;
}

/// RFC 9110, 8.8.3: a quoted text without control characters. A weak one begins with W/.
bool is_strong_tag(std::string_view tag) {
  return tag.size() > 2 && tag.front() == '"' && tag.back() == '"' &&
         std::all_of(tag.begin() + 1, tag.end() - 1,
                     [](char c) { return c != '"' && c > ' ' && static_cast<unsigned char>(c) != 0x7f; });
}

std::string validator_of(CURL* easy) {
  if (auto const ranges = field(easy, "Accept-Ranges"); ranges && *ranges == "none") return {};
  if (has_field(easy, "ETag")) {
    auto const tag = field(easy, "ETag");
    return tag && is_strong_tag(*tag) ? *tag : std::string{};
  }
  auto const modified = field(easy, "Last-Modified");
  return modified && is_strong_date(easy, *modified) ? *modified : std::string{};
}

/// A server signs the query of a place anew for each request.
std::string place_of(CURL* easy) {
  char const* url = nullptr;
  curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
  url_handle parsed;
  if (url == nullptr || curl_url_set(parsed.get, CURLUPART_URL, url, 0) != CURLUE_OK) return {};
  for (auto const part : {CURLUPART_QUERY, CURLUPART_FRAGMENT, CURLUPART_USER, CURLUPART_PASSWORD}) {
    curl_url_set(parsed.get, part, nullptr, 0);
  }
  return parsed.part(CURLUPART_URL);
}

std::string coding_of(CURL* easy) { return field(easy, "Content-Encoding").value_or(""); }

std::optional<std::uint64_t> announced(CURL* easy) {
  curl_off_t length = -1;
  curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length < 0) return std::nullopt;
  return static_cast<std::uint64_t>(length);
}

/// RFC 9112, 6.3: each length is a number, and all are one. libcurl reads digits as far as they go, and takes the last.
bool has_clear_length(CURL* easy) {
  if (has_field(easy, "Transfer-Encoding")) return true;
  std::optional<std::uint64_t> length;
  curl_header* found = nullptr;
  for (std::size_t i = 0; curl_easy_header(easy, "Content-Length", i, CURLH_HEADER, -1, &found) == CURLHE_OK; ++i) {
    std::string_view rest{found->value};
    for (;;) {
      auto const comma = rest.find(',');
      auto one = rest.substr(0, comma);
      one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
      one = one.substr(0, one.find_last_not_of(" \t") + 1);
      std::uint64_t value = 0;
      auto const [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
      if (error != std::errc{} || end != one.data() + one.size() || length.value_or(value) != value) return false;
      length = value;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return true;
}

struct content_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::optional<std::uint64_t> whole;
};

/// "bytes 5-9/10", "bytes 5-9/*".
std::optional<content_range> read_content_range(std::string_view text) {
  constexpr std::string_view unit = "bytes ";
  if (!text.starts_with(unit)) return std::nullopt;
  auto const* at = text.data() + unit.size();
  auto const* const end = text.data() + text.size();
  auto const number = [&](std::uint64_t& into) {
    auto const [rest, error] = std::from_chars(at, end, into);
    at = rest;
    return error == std::errc{};
  };
  auto const is_next = [&](char c) { return at != end && *at++ == c; };
  content_range range;
  if (!number(range.first) || !is_next('-') || !number(range.last) || !is_next('/')) return std::nullopt;
  if (std::string_view{at, end} != "*") {
    if (!number(range.whole.emplace()) || at != end || range.last >= *range.whole) return std::nullopt;
  }
  return range.first <= range.last ? std::optional{range} : std::nullopt;
}

}  // namespace

body::body(spool* into, wishes what)
    : into_{into}, wishes_{std::move(what)}, base_{into == nullptr ? 0 : into->size()} {}

void body::hold(beginning known, std::uint64_t size) {
  known_ = std::move(known);
  held_ = size;
  base_ -= size;
}

bool body::is_resumable() const { return wishes_.resumes && held_ > 0 && !known_.validator.empty(); }

std::optional<body::range> body::begin() {
  reading_ = reading::undecided;
  fault_.reset();
  thrown_ = nullptr;
  end_.reset();
  skipped_ = resumed_at_ = asked_from_ = 0;
  if (!is_resumable()) {
    restart();
    return std::nullopt;
  }
  // All of it came, but not the end of the transfer. A server refuses a range of nothing: the last byte comes again.
  if (known_.whole && held_ >= *known_.whole) {
    held_ = *known_.whole - 1;
    if (into_ != nullptr) into_->cut(base_ + held_);
    if (held_ == 0) return std::nullopt;
  }
  asked_from_ = held_;
  return range{std::to_string(held_) + "-", known_.validator};
}

void body::restart() {
  if (into_ != nullptr) into_->cut(base_);
  held_ = 0;
  known_ = {};
}

void body::drop() {
  if (!is_resumable() && tell_) tell_(nullptr);
  if (!is_resumable() || !tell_) restart();
}

bool body::mismatch(std::string words) {
  fault_ = fault{CURLE_OK, true, std::move(words)};
  restart();
  wishes_.resumes = false;
  return false;
}

bool body::is_within_limit(std::uint64_t size, char const* verb) {
  if (!wishes_.most || size <= *wishes_.most) return true;
  fault_ = fault{CURLE_FILESIZE_EXCEEDED, false,
                 verb + amount(size) + ", more than the " + amount(*wishes_.most) + " of --max-size"};
  return false;
}

/// Decides by the head what becomes of the bytes that follow.
bool body::open(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  reading_ = status >= 200 && status < 300 ? reading::keeps : reading::skips;
  if (reading_ == reading::skips) return true;
  if (!has_clear_length(easy)) {
    fault_ = fault{CURLE_WEIRD_SERVER_REPLY, false, "a length that cannot be read"};
    return false;
  }
  return status == 206 && !wishes_.takes_parts ? open_rest(easy) : open_whole(easy);
}

bool body::open_whole(CURL* easy) {
  restart();
  end_ = announced(easy);
  if (!end_ && has_field(easy, "Content-Length") && !has_field(easy, "Transfer-Encoding")) {
    // libcurl ignores a length that is too large.
    fault_ = fault{CURLE_WEIRD_SERVER_REPLY, false, "a length that cannot be read"};
    return false;
  }
  known_ = {place_of(easy), wishes_.resumes ? validator_of(easy) : std::string{}, end_, coding_of(easy)};
  if (!is_within_limit(end_.value_or(0), "announces ")) return false;
  if (tell_) tell_(known_.validator.empty() ? nullptr : &known_);
  return true;
}

bool body::open_rest(CURL* easy) {
  if (asked_from_ == 0) return mismatch("206 without a range asked for");
  auto const text = field(easy, "Content-Range");
  auto const part = text ? read_content_range(*text) : std::nullopt;
  if (!part) return mismatch("206 without a readable range");
  if (part->first != held_) return mismatch("206 with another range");
  if (part->whole && known_.whole && *part->whole != *known_.whole) return mismatch("206 of another size");
  auto const length = part->last - part->first + 1;
  if (announced(easy).value_or(length) != length) return mismatch("206 of another length");
  // A server that conforms repeats the ETag, and may omit the date.
  bool const by_tag = known_.validator.starts_with('"');
  auto const named = field(easy, by_tag ? "ETag" : "Last-Modified");
  if (named ? *named != known_.validator : by_tag) return mismatch("206 of another version");
  // It may be omitted as the date may.
  if (has_field(easy, "Content-Encoding") && coding_of(easy) != known_.coding) return mismatch("206 of another coding");
  if (place_of(easy) != known_.place) return mismatch("206 of another place");
  end_ = part->last + 1;
  // Without a size the range that was asked for goes to the end.
  if (!known_.whole) known_.whole = part->whole;
  resumed_at_ = held_;
  return is_within_limit(known_.whole.value_or(*end_), "announces ");
}

bool body::take(CURL* easy, std::string_view data) noexcept {
  try {
    if (reading_ == reading::undecided && !open(easy)) return false;
    if (reading_ == reading::skips) {
      skipped_ += data.size();
      return skipped_ <= most_skipped;
    }
    if (!is_within_limit(held_ + data.size(), "sent ")) return false;
    // libcurl holds an answer to its length, but does not read the range.
    if (resumed_at_ > 0 && data.size() > *end_ - held_) return mismatch("more than the range");
    if (into_ != nullptr) into_->write(data);
    held_ += data.size();
    if (wishes_.on_bytes) wishes_.on_bytes(held_, known_.whole);
    return true;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

std::optional<body::fault> body::end(CURL* easy, bool is_complete) {
  if (thrown_) std::rethrow_exception(thrown_);
  if (fault_) return fault_;
  bool opened = true;
  if (reading_ == reading::undecided) opened = open(easy);
  if (!opened) return fault_;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  if (reading_ == reading::skips) {
    if (status == 416 && asked_from_ > 0) {
      static_cast<void>(mismatch("416 for the rest: begins again"));
      return fault_;
    }
    // An error that is retried is so, however long its page is.
    if (skipped_ > most_skipped && status >= 400) return fault{CURLE_PARTIAL_FILE, false, ""};
    if (skipped_ > most_skipped) return fault{CURLE_WRITE_ERROR, false, "the page of a redirection is too long"};
    return std::nullopt;
  }
  if (!is_complete) return std::nullopt;
  if (resumed_at_ > 0 && held_ < known_.whole.value_or(*end_)) return fault{CURLE_PARTIAL_FILE, false, ""};
  if (!has_right_checksum()) {
    static_cast<void>(mismatch("the sha256 is another one"));
    return fault_;
  }
  return std::nullopt;
}

bool body::has_right_checksum() {
  if (wishes_.sha256.empty() || into_ == nullptr) return true;
  sha256 sum;
  into_->read(base_, [&](std::string_view piece) {
    sum.add(piece);
    return !wishes_.is_interrupted || !wishes_.is_interrupted();
  });
  return sum.hex() == wishes_.sha256;
}

}  // namespace anew_get
