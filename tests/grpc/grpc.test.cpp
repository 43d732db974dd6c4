// SPDX-License-Identifier: BSL-1.0
// What statuses mean, and unary calls against a server in this process.
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/bridges/grpc/async_unary.hpp"
#include "anew/grpc.hpp"
#include "anew/policies.hpp"
#include "anew/presets.hpp"
#include "anew/testing/manual_clock.hpp"

#include "ledger.grpc.pb.h"

namespace {

namespace net = anew::net;

using namespace std::chrono_literals;
using anew::error_kind;
using anew::retry_safety;
using anew::stop_reason;
using grpc::StatusCode;

anew::grpc::result failed(StatusCode code, bool was_sent, anew::grpc::pushback asked = {}) {
  return anew::grpc::result{{code, "text"}, was_sent, asked};
}

TEST(GrpcResult, MeansWhatItsCodeSays) {
  auto const never = anew::grpc::pushback::do_not_retry();
  for (int number = 0; number <= StatusCode::UNAUTHENTICATED; ++number) {
    auto const code = static_cast<StatusCode>(number);
    bool const late = code == StatusCode::DEADLINE_EXCEEDED, full = code == StatusCode::RESOURCE_EXHAUSTED,
               gone = code == StatusCode::UNAVAILABLE;
    for (bool const sent : {false, true}) {
      auto const passing = sent ? retry_safety::maybe : retry_safety::yes;
      auto const plain = anew::read_failure(failed(code, sent));
      EXPECT_EQ(plain.safety, gone || late ? passing : retry_safety::no) << number;
      EXPECT_EQ(plain.kind, late ? error_kind::timeout : error_kind::transient) << number;
      auto const pushed = anew::read_failure(failed(code, sent, 30ms));
      EXPECT_EQ(pushed.safety, gone || late || full ? passing : retry_safety::no) << number;
      EXPECT_EQ(pushed.kind, full ? error_kind::throttling : plain.kind) << number;
      EXPECT_EQ(pushed.hint, anew::asked_delay{30ms}) << number;
      EXPECT_EQ(anew::read_failure(failed(code, sent, never)).safety, retry_safety::no) << number;
      EXPECT_EQ(failed(code, sent).has_value(), code == StatusCode::OK);
    }
    auto const bare = anew::read_failure(grpc::Status{code, ""});
    EXPECT_EQ(bare.safety, gone || late ? retry_safety::maybe : retry_safety::no) << number;
    EXPECT_EQ(bare.kind, late ? error_kind::timeout : error_kind::transient) << number;
  }
}

TEST(GrpcResult, KnowsATargetFromAnAddress) {
  for (auto const* target : {"dns:///example.org:443", "dns:///127.0.0.1:1", "xds:///service", "example.org:443",
                             "127.0.0.1:1", "localhost:50051"})
    EXPECT_TRUE(anew::grpc::detail::is_a_target(target)) << target;
  for (auto const* peer : {"ipv4:127.0.0.1:1", "ipv6:%5B::1%5D:1", "unix:/tmp/socket", "unix-abstract:name",
                           "vsock:2:1", "inproc", "unknown", "", "[::1]:1"})
    EXPECT_FALSE(anew::grpc::detail::is_a_target(peer)) << peer;
}

TEST(GrpcResult, SaysWhyACallWasRefused) {
  auto const refused = [](stop_reason why) { return anew::refused_result<anew::grpc::result>::make(why); };
  EXPECT_EQ(refused(stop_reason::cancelled).error_code(), StatusCode::CANCELLED);
  EXPECT_EQ(refused(stop_reason::deadline).error_code(), StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(refused(stop_reason::gate_closed).error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(refused(stop_reason::gate_closed).error_message(), "not sent: gate_closed");
  EXPECT_FALSE(refused(stop_reason::gate_closed).was_sent());
}

/// Answers each request by the next of its steps, and by OK after the last. Notes what it was sent.
class scripted final : public ledger::Ledger::Service {
 public:
  using step = std::function<grpc::Status(grpc::ServerContext&)>;

  explicit scripted(std::vector<step> steps) : steps_{std::move(steps)} {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    grpc::ChannelArguments once;
    once.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
    stub = ledger::Ledger::NewStub(
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port_), grpc::InsecureChannelCredentials(), once));
  }
  ~scripted() override { server_->Shutdown(std::chrono::system_clock::now()); }

  grpc::Status Record(grpc::ServerContext* context, ledger::Entry const* in, ledger::Entry* out) override {
    step next;
    {
      std::scoped_lock const lock{mutex_};
      auto const sent = context->client_metadata().find("grpc-previous-rpc-attempts");
      auto const none = context->client_metadata().end();
      previous.push_back(sent == none ? "" : std::string{sent->second.data(), sent->second.size()});
      has_deadline.push_back(context->deadline() < std::chrono::system_clock::now() + 1h);
      if (previous.size() <= steps_.size()) next = steps_[previous.size() - 1];
    }
    out->set_id(in->id());
    return next ? next(*context) : grpc::Status::OK;
  }

  std::unique_ptr<ledger::Ledger::Stub> stub;
  std::vector<std::string> previous;
  std::vector<bool> has_deadline;

 private:
  std::vector<step> steps_;
  std::mutex mutex_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

scripted::step answer(StatusCode code, std::string pushback = "") {
  return [=](grpc::ServerContext& context) -> grpc::Status {
    if (!pushback.empty()) context.AddTrailingMetadata("grpc-retry-pushback-ms", pushback);
    return {code, "scripted"};
  };
}
grpc::Status hang(grpc::ServerContext& context) {
  auto const end = std::chrono::steady_clock::now() + 10s;  // so that the test fails, and does not hang
  while (!context.IsCancelled() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return context.IsCancelled() ? grpc::Status::CANCELLED : grpc::Status{StatusCode::INTERNAL, "is not cancelled"};
}

using quick =
    anew::strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::pushback_hint<>, anew::max_attempts<4>>;

struct client {
  explicit client(scripted& to) : of{&to} { request.set_id("one"); }
  auto operator()() {
    return anew::grpc::unary([this](grpc::ClientContext& context) {
      reply.Clear();
      return of->stub->Record(&context, request, &reply);
    });
  }
  auto async() {
    return anew::grpc::async_unary([this](grpc::ClientContext* context, auto done) {
      of->stub->async()->Record(context, &request, &reply, done);
    });
  }
  scripted* of;
  ledger::Entry request{}, reply{};
};

TEST(GrpcUnary, TellsTheServerOfPreviousAttemptsAndWaitsAsItAsks) {
  scripted server{{answer(StatusCode::UNAVAILABLE), answer(StatusCode::UNAVAILABLE, "30")}};
  client call{server};
  anew::testing::recording_sleeper sleeps;
  auto const end = anew::retry_outcome(quick{}, anew::idempotent(call()), sleeps);
  EXPECT_TRUE(end.succeeded());
  EXPECT_EQ(call.reply.id(), "one");
  EXPECT_EQ(server.previous, (std::vector<std::string>{"", "1", "2"}));
  EXPECT_EQ(server.has_deadline, (std::vector<bool>{false, false, false}));
  EXPECT_EQ(sleeps.delays, (std::vector<anew::duration>{1ms, 30ms}));
}

TEST(GrpcUnary, EndsWhereTheServerForbidsARetry) {
  scripted server{{answer(StatusCode::UNAVAILABLE, "-1"), answer(StatusCode::UNAVAILABLE, "soon")}};
  for (int n = 0; n != 2; ++n) {
    auto const end = anew::retry_outcome(quick{}, anew::idempotent(client{server}()));
    EXPECT_EQ(end.reason(), stop_reason::not_retryable);
    EXPECT_EQ(end.attempts(), 1U);
  }
}

TEST(GrpcUnary, DoesNotRepeatWhatASlowServerMayHaveExecuted) {
  scripted server{{answer(StatusCode::OK), hang, hang}};
  client call{server};
  EXPECT_TRUE(anew::retry_outcome(quick{}, call()).succeeded()) << "and so the channel is connected";
  auto const late = anew::retry_outcome(quick{}, anew::grpc::unary(
                                                     [&](grpc::ClientContext& context) {
                                                       return server.stub->Record(&context, call.request, &call.reply);
                                                     },
                                                     50ms));
  EXPECT_EQ(late.reason(), stop_reason::not_idempotent);
  EXPECT_EQ(late.result().error_code(), StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(late.result().was_sent());
}

TEST(GrpcUnary, RepeatsWhatNoServerCanHaveExecuted) {
  scripted server{{answer(StatusCode::UNAVAILABLE)}};
  auto const undeclared = anew::retry_outcome(quick{}, client{server}());
  EXPECT_EQ(undeclared.reason(), stop_reason::not_idempotent);
  EXPECT_TRUE(undeclared.result().was_sent());
  EXPECT_EQ(undeclared.result().message(), "scripted");
  auto const nobody = ledger::Ledger::NewStub(grpc::CreateChannel("127.0.0.1:1", grpc::InsecureChannelCredentials()));
  ledger::Entry entry;
  auto const unsent = anew::retry_outcome(quick{}, anew::grpc::unary([&](grpc::ClientContext& context) {
                                            return nobody->Record(&context, entry, &entry);
                                          }));
  EXPECT_EQ(unsent.reason(), stop_reason::attempts);
  EXPECT_EQ(unsent.attempts(), 4U);
  EXPECT_FALSE(unsent.result().was_sent());
  // The preset retries by the code alone; with what the status knows it is as careful.
  using careful = anew::with<quick, anew::idempotent_only<anew::grpc::status_classifier<>, anew::never_sent>>;
  scripted again{{answer(StatusCode::UNAVAILABLE), answer(StatusCode::UNAVAILABLE)}};
  EXPECT_EQ(anew::retry_outcome(careful{}, client{again}()).reason(), stop_reason::not_idempotent);
  anew::grpc::retry_policy<2, 1ms> const preset;
  EXPECT_TRUE(anew::retry_outcome(preset, client{again}()).succeeded());
  EXPECT_EQ(again.previous, (std::vector<std::string>{"", "", "1"}));
}

TEST(GrpcUnary, TakesTheTimeOfAnAttemptFromTheCall) {
  scripted server{{hang}};
  using limited = anew::with<quick, anew::attempt_timeout<100ms>, anew::unbounded>;
  auto const second = anew::retry_outcome(limited{}, anew::idempotent(client{server}()));
  EXPECT_TRUE(second.succeeded());
  EXPECT_GE(second.attempts(), 2U);  // on a machine that is busy an attempt more may be late
  EXPECT_EQ(server.previous.back(), std::to_string(second.attempts() - 1));
  EXPECT_THAT(server.has_deadline, testing::Each(true));
  scripted silent{{hang, hang, hang}};
  using short_call = anew::with<quick, anew::deadline<50ms>>;
  for (bool const declared : {true, false}) {
    auto const end = declared ? anew::retry_outcome(short_call{}, anew::idempotent(client{silent}()))
                              : anew::retry_outcome(short_call{}, client{silent}());
    EXPECT_EQ(end.reason(), stop_reason::deadline);
    EXPECT_EQ(end.attempts(), 1U);
    EXPECT_EQ(end.result().error_code(), StatusCode::DEADLINE_EXCEEDED);
  }
  auto const per_attempt = anew::retry(anew::never{}, anew::grpc::unary(
                                                          [&](grpc::ClientContext& context) {
                                                            ledger::Entry entry;
                                                            return silent.stub->Record(&context, entry, &entry);
                                                          },
                                                          50ms));
  EXPECT_TRUE(per_attempt.is_timeout());
}

TEST(GrpcUnary, IsCancelledByAStop) {
  std::stop_source stop;
  scripted server{{[&](grpc::ServerContext& context) { return stop.request_stop(), hang(context); }}};
  auto const end = anew::retry_outcome(quick{}, anew::idempotent(client{server}()), stop.get_token());
  EXPECT_EQ(end.reason(), stop_reason::cancelled);
  EXPECT_EQ(end.result().error_code(), StatusCode::CANCELLED);
  EXPECT_EQ(server.previous.size(), 1U);
}

TEST(GrpcAsyncUnary, DecidesAsTheBlockingCallDoes) {
  scripted server{{answer(StatusCode::UNAVAILABLE), hang}};
  client call{server};
  net::io_context context;
  anew::grpc::result end{grpc::Status::CANCELLED};
  using limited = anew::with<quick, anew::attempt_timeout<100ms>, anew::unbounded>;
  anew::async_retry(context, limited{}, anew::idempotent(call.async()),
                    [&](anew::grpc::result const& last) { end = last; });
  context.run();
  EXPECT_TRUE(end.ok()) << end.message();
  EXPECT_EQ(call.reply.id(), "one");
  EXPECT_GE(server.previous.size(), 3U);
  EXPECT_GE(std::stoi(server.previous.back()), 2);
}

TEST(GrpcAsyncUnary, TellsATimeOutFromAStop) {
  scripted server{{hang, hang}};
  client call{server};
  net::io_context context;
  using once = anew::with<quick, anew::attempt_timeout<50ms>, anew::max_attempts<1>>;
  std::vector<StatusCode> codes;
  auto const note = [&](anew::grpc::result const& last) { codes.push_back(last.error_code()); };
  anew::async_retry(context, once{}, call.async(), note);
  context.run();
  net::cancellation_signal stop;
  anew::async_retry(context, quick{}, call.async(), net::bind_cancellation_slot(stop.slot(), note));
  net::post(context, [&] { stop.emit(net::cancellation_type::total); });
  context.restart();
  context.run();
  EXPECT_EQ(codes, (std::vector{StatusCode::DEADLINE_EXCEEDED, StatusCode::CANCELLED}));
}

}  // namespace
