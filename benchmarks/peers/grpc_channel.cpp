// SPDX-License-Identifier: BSL-1.0
#include <time.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/client_unary_call.h>

#include "anew/anew.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/presets/grpc.hpp"

#include "interleaved.hpp"

/// What retries cost a gRPC client, by a channel's own retry policy and by anew around a channel without retries: client
/// and server in one process, over loopback. Counted is the processor time of the process, the server's included, which
/// is that of the call without retries for both. Prints one line a figure, as unit.cpp does.
template <>
struct anew::result_traits<grpc::Status> : anew::grpc::status_result {};

namespace {

using namespace std::chrono_literals;

std::atomic<unsigned> failures_to_come{0};

class reactor : public grpc::ServerGenericBidiReactor {
 public:
  reactor() {
    if (failures_to_come != 0) {
      --failures_to_come;
      Finish(grpc::Status{grpc::StatusCode::UNAVAILABLE, ""});
    } else {
      StartRead(&request_);
    }
  }
  void OnReadDone(bool is_ok) override {
    if (!is_ok) return Finish(grpc::Status::CANCELLED);
    StartWriteAndFinish(&request_, grpc::WriteOptions{}, grpc::Status::OK);
  }
  void OnDone() override { delete this; }

 private:
  grpc::ByteBuffer request_;
};

class service : public grpc::CallbackGenericService {
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* /*context*/) override {
    return new reactor;  // NOLINT(cppcoreguidelines-owning-memory): OnDone() deletes it
  }
};

std::shared_ptr<grpc::Channel> channel_to(int port, bool has_retries) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, has_retries ? 1 : 0);
  arguments.SetInt("grpc.use_local_subchannel_pool", 1);
  if (has_retries) {
    arguments.SetServiceConfigJSON(
        R"({"methodConfig": [{"name": [{}],
      "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.001s", "maxBackoff": "0.001s", "backoffMultiplier": 1,
                      "retryableStatusCodes": ["UNAVAILABLE"]}}]})");
  }
  return grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), arguments);
}

class client {
 public:
  explicit client(std::shared_ptr<grpc::Channel> channel) : channel_{std::move(channel)} {}
  grpc::Status call() {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    grpc::ByteBuffer answer;
    return grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(channel_.get(), method_, &context,
                                                                                 request_, &answer);
  }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  grpc::internal::RpcMethod method_{"/peers/Echo", grpc::internal::RpcMethod::NORMAL_RPC, channel_};
  grpc::Slice slice_{"a request of 32 bytes, sent back."};
  grpc::ByteBuffer request_{&slice_, 1};
};

// Neither has a throttle: the channel of 1.51 refuses retries after some hundred calls that were retried once, although
// all of them succeed.
using policy = anew::with<anew::grpc::retry_policy<4, 1ms, 1ms, anew::rational{1}>, anew::unlimited_quota>;
policy const strategy{};

double microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

unsigned failed = 0;

template <class Call>
double microseconds_of(Call const& call, unsigned failures) {
  unsigned const calls = interleaved::smoke() ? 10 : failures == 0 ? 100 : 25;
  auto const begin = microseconds();
  for (unsigned i = 0; i != calls; ++i) {
    failures_to_come = failures;
    if (!call().ok()) ++failed;
  }
  return (microseconds() - begin) / calls;
}

void print(char const* what, char const* peer, std::vector<double> const& figures) {
  std::printf("gRPC %s, client and server\t%s\t%s\t%.1f\t%.1f\t%.1f\tus\n", grpc::Version().c_str(), what, peer,
              interleaved::median(figures), interleaved::quantile(figures, 0.25), interleaved::quantile(figures, 0.75));
}

}  // namespace

int main() {
  service echo;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterCallbackGenericService(&echo);
  auto const server = builder.BuildAndStart();
  if (server == nullptr) {
    std::fputs("grpc_channel: cannot listen on 127.0.0.1\n", stderr);
    return 2;
  }
  client plain{channel_to(port, false)};
  client retrying{channel_to(port, true)};
  auto const bare = [&] { return plain.call(); };
  auto const by_channel = [&] { return retrying.call(); };
  auto const by_anew = [&] { return anew::retry(strategy, [&] { return plain.call(); }); };

  std::vector<double> success[3];
  std::vector<double> extra[2];
  unsigned const rounds = interleaved::smoke() ? 2 : 15;
  microseconds_of(bare, 0);
  microseconds_of(by_channel, 0);
  for (unsigned round = 0; round != rounds; ++round) {
    double const of_channel = microseconds_of(by_channel, 0);
    double const of_anew = microseconds_of(by_anew, 0);
    success[0].push_back(microseconds_of(bare, 0));
    success[1].push_back(of_channel);
    success[2].push_back(of_anew);
    extra[0].push_back(microseconds_of(by_channel, 1) - of_channel);
    extra[1].push_back(microseconds_of(by_anew, 1) - of_anew);
  }
  char const* const names[] = {"channel without retries", "the channel's retry policy", "anew around the channel"};
  for (int i = 0; i != 3; ++i) print("a call that succeeds", names[i], success[i]);
  for (int i = 0; i != 2; ++i) print("one attempt more", names[i + 1], extra[i]);
  server->Shutdown();
  if (failed != 0) std::fprintf(stderr, "grpc_channel: %u calls failed\n", failed);
  return failed == 0 ? 0 : 1;
}
