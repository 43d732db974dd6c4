// SPDX-License-Identifier: BSL-1.0
// Clients of a gRPC server that is killed and restarted. run_clerk.py has the books and the server, which is this
// program too: it writes the number of each entry that it records into a file, and holds the answers of all entries
// after the first HOLD until it is killed.
//
// usage: clerk serve PORT FILE HOLD
//        clerk call PORT CLIENTS CALLS
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <grpcpp/grpcpp.h>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/bridges/grpc/async_unary.hpp"
#include "anew/grpc.hpp"

#include "clerk.hpp"
#include "ledger.grpc.pb.h"

namespace {

using support::patient;

class service final : public ledger::Ledger::Service {
 public:
  service(char const* file, unsigned hold)
      : to_{::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)}, free_{hold} {}

  grpc::Status Record(grpc::ServerContext* /*context*/, ledger::Entry const* in, ledger::Entry* out) override {
    auto const line = in->id() + "\n";
    if (::write(to_, line.data(), line.size()) < 0) return {grpc::StatusCode::INTERNAL, "cannot write"};
    if (recorded_++ >= free_) {
      std::printf("held\n");
      std::fflush(stdout);
      std::unique_lock lock{mutex_};
      never_.wait(lock, [] { return false; });
    }
    out->set_id(in->id());
    return grpc::Status::OK;
  }

 private:
  int to_;
  unsigned free_;
  std::atomic<unsigned> recorded_ = 0;
  std::mutex mutex_;
  std::condition_variable never_;
};

int serve(std::string const& port, char const* file, unsigned hold) {
  service of{file, hold};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + port, grpc::InsecureServerCredentials());
  builder.RegisterService(&of);
  auto const server = builder.BuildAndStart();
  if (!server) return 1;
  std::printf("ready\n");
  std::fflush(stdout);
  server->Wait();
  return 0;
}

std::shared_ptr<grpc::Channel> channel_to(std::string const& port) {
  // [channel]
  grpc::ChannelArguments options;
  options.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);                  // the strategy alone repeats
  options.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);  // a second by default, in which each attempt fails
  options.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100);
  return grpc::CreateCustomChannel("127.0.0.1:" + port, grpc::InsecureChannelCredentials(), options);
  // [/channel]
}

anew::grpc::result record(ledger::Ledger::Stub* stub, patient const& strategy, std::string const& id, bool is_keyed) {
  ledger::Entry request, answer;
  request.set_id(id);
  // [call]
  auto call = anew::grpc::unary([&](grpc::ClientContext& context) { return stub->Record(&context, request, &answer); });
  return is_keyed ? anew::retry(strategy, anew::idempotent(call)) : anew::retry(strategy, call);
  // [/call]
}

anew::grpc::result record_by_asio(ledger::Ledger::Stub* stub, patient const& strategy, std::string const& id,
                                  bool is_keyed) {
  ledger::Entry request, answer;
  request.set_id(id);
  namespace net = anew::net;
  net::io_context context;
  anew::grpc::result end;
  auto const note = [&](anew::grpc::result const& last) { end = last; };
  // [async]
  auto call = anew::grpc::async_unary(
      [&](grpc::ClientContext* attempt, auto done) { stub->async()->Record(attempt, &request, &answer, done); });
  is_keyed ? anew::async_retry(context, strategy, anew::idempotent(call), note)
           : anew::async_retry(context, strategy, call, note);
  // [/async]
  context.run();
  return end;
}

// Half of the entries may be recorded twice, because they say so; half of the clients go through Asio.
void client(ledger::Ledger::Stub* stub, unsigned self, unsigned calls) {
  patient const strategy{};
  for (unsigned n = 0; n != calls; ++n) {
    bool const is_keyed = n % 2 == 0;
    auto const id = (is_keyed ? "keyed " : "once ") + std::to_string(self * calls + n);
    auto const end = (self % 2 == 0 ? record : record_by_asio)(stub, strategy, id, is_keyed);
    support::tell(id, end.ok(), end.is_retry_safe() == anew::retry_safety::maybe, end.error_message());
  }
}

void call(std::string const& port, unsigned clients, unsigned calls) {
  auto const stub = ledger::Ledger::NewStub(channel_to(port));
  std::vector<std::jthread> threads;
  for (unsigned self = 0; self != clients; ++self) threads.emplace_back(client, stub.get(), self, calls);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const args(argv + 1, argv + argc);
  auto const number = [&](std::size_t at) { return static_cast<unsigned>(std::atoi(args[at].c_str())); };
  if (args.size() == 4 && args[0] == "serve") return serve(args[1], args[2].c_str(), number(3));
  if (args.size() == 4 && args[0] == "call") return call(args[1], number(2), number(3)), 0;
  return 2;
}
