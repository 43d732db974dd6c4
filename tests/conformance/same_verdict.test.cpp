// SPDX-License-Identifier: BSL-1.0
// The bridges to libcurl and to Boost.Beast read the same answers alike. Where they do not, a table says why.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "bridges/answers.hpp"
#include "bridges/differences.hpp"
#include "bridges/verdict.hpp"
#include "scripted_peer.hpp"

namespace {

using namespace std::chrono_literals;
namespace peer = support::peer;
using bridges::verdict;

support::peer_script script_of(bridges::answer const& a) {
  support::peer_script script;
  if (!a.bytes.empty()) script.push_back(peer::send(a.bytes));
  if (a.never_ends) script.push_back(peer::silence());
  switch (a.afterwards) {
    case bridges::then::keeps: script.push_back(peer::again()); break;
    case bridges::then::finishes: script.push_back(peer::finish()); break;
    case bridges::then::resets: script.push_back(peer::reset()); break;
  }
  return script;
}

struct asked {
  verdict over_curl;
  verdict over_beast;
};

struct same_verdict : testing::Test {
  /// The answer's number is the target of the request.
  asked ask(std::size_t number, bool is_idempotent) {
    auto const& a = all.answers()[number];
    anew::duration const limit = a.never_ends ? anew::duration{200ms} : anew::duration{20s};
    bridges::call const c{.port = there.port(),
                          .target = "/" + std::to_string(number),
                          .method = a.method,
                          .is_idempotent = is_idempotent,
                          .limit = limit};
    auto const before = there.executed();
    auto const easy = bridges::over_curl_easy(c);
    auto const multi = bridges::over_curl_multi(c);
    auto const beast = bridges::over_beast(c);
    EXPECT_EQ(easy, multi) << a.name << '\n' << easy.text() << '\n' << multi.text();
    EXPECT_NE(beast.reason, "not ended") << a.name;
    EXPECT_EQ(there.executed() - before, easy.attempts + multi.attempts + beast.attempts) << a.name;
    if (!is_idempotent) {
      for (auto const& v : {easy, multi, beast}) EXPECT_TRUE(v.attempts == 1 || may_repeat(v)) << a.name << v.text();
    }
    return {easy, beast};
  }
  static bool may_repeat(verdict const& v) { return !v.reading.ends_with("may have run"); }

  bridges::corpus const all{};
  support::scripted_peer there{
      std::vector<support::peer_script>{{peer::read_request(), peer::choose([this](support::peer_request const& r) {
                                           return script_of(all.answers()[std::stoul(r.target.substr(1))]);
                                         })}}};
};

TEST_F(same_verdict, IsReachedOverEveryBridgeExceptWhereATableSaysWhy) {
  std::size_t different = 0;
  std::size_t explained = 0;
  std::set<std::string_view> needed;
  for (std::size_t number = 0; number < all.answers().size(); ++number) {
    auto const& name = all.answers()[number].name;
    auto const* const why = bridges::reason_for(name);
    for (bool const is_idempotent : {false, true}) {
      auto const [curl, beast] = ask(number, is_idempotent);
      if (curl == beast) continue;
      if (why != nullptr) {
        ++explained;
        needed.insert(why->answers);
        continue;
      }
      ++different;
      ADD_FAILURE() << name << (is_idempotent ? ", idempotent" : "") << "\n  curl   " << curl.text() << " ["
                    << curl.detail << "]\n  Beast  " << beast.text() << " [" << beast.detail << ']';
    }
  }
  EXPECT_GE(all.answers().size(), 200U);
  for (auto const& row : bridges::differences) {
    EXPECT_TRUE(needed.contains(row.answers)) << "no answer differs any more: " << row.answers;
  }
  std::printf("%zu answers, each declared idempotent and not: %zu differences without a reason, %zu with one of %zu\n",
              all.answers().size(), different, explained, bridges::differences.size());
}

/// An answer that was cut is a failure over every bridge; what is behind the cut does not count.
TEST_F(same_verdict, IsNeverSuccessForAHeadThatIsCut) {
  std::size_t cuts = 0;
  for (std::size_t number = 0; number < all.answers().size(); ++number) {
    auto const& a = all.answers()[number];
    if (!a.name.starts_with("cut ") || a.bytes.ends_with("\r\n\r\n")) continue;
    auto const last_head = a.bytes.rfind("HTTP/1.1");
    if (last_head != std::string::npos && a.bytes.find("\r\n\r\n", last_head) != std::string::npos) continue;
    ++cuts;
    for (auto const& v : {ask(number, false).over_curl, ask(number, false).over_beast}) {
      EXPECT_EQ(v.status, 0) << a.name << ": " << v.text();
      EXPECT_EQ(v.reading, "transient, may have run") << a.name << ": " << v.text();
      EXPECT_EQ(v.attempts, 1U) << a.name;
    }
  }
  EXPECT_GT(cuts, 200U);
}

/// A label of more than 63 bytes: the resolver refuses it without asking a name server.
TEST(SameVerdict, IsReachedForANameThatIsNotResolved) {
  bridges::call const c{.port = 80, .host = std::string(70, 'a'), .limit = 20s};
  for (auto const& v : {bridges::over_curl_easy(c), bridges::over_curl_multi(c), bridges::over_beast(c)}) {
    EXPECT_EQ(v.text(), "0 transient; attempts after 2") << v.detail;
  }
}

/// The page for users has the rows of the table, and no other.
TEST(Differences, AreThoseOfTheDocuments) {
  std::ifstream page{ANEW_DOCS "/reference/http_answers.md"};
  ASSERT_TRUE(page);
  std::vector<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("<!-- the table of differences")) rows.clear();
    if (line.starts_with("| ")) rows.push_back(line);
  }
  std::vector<std::string> expected{"| answer | libcurl | Boost.Beast | why |"};
  for (auto const& row : bridges::differences) {
    std::string line{"|"};
    for (auto const cell : {row.described, row.curl, row.beast, row.why}) line.append(" ").append(cell).append(" |");
    expected.push_back(line);
  }
  EXPECT_EQ(rows, expected);
}

}  // namespace
