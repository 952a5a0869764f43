// SPDX-License-Identifier: Apache-2.0
// Many clients at once, slow clients, and a shutdown with open connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "common/diagnostics.hpp"
#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli::web::HttpLimits;
using cli_test::get;
using cli_test::RawClient;
using cli_test::RunningViewer;
using cli_test::small_system;
using std::chrono::milliseconds;
using ::testing::AnyOf;
using ::testing::StartsWith;

class ViewerCrowd : public ::testing::Test {
 protected:
  common::TempFolder folder_;
};

TEST_F(ViewerCrowd, AHundredClientsAtOnceAllGetTheirAnswers) {
  const RunningViewer viewer(small_system(), folder_.path());
  const std::string expected = get(viewer.port(), "/api/topology?view=cube").body;
  std::vector<std::thread> clients;
  std::atomic<int> right{0};
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back([&] {
      for (int round = 0; round < 3; ++round) {
        right += get(viewer.port(), "/api/topology?view=cube").body == expected ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 300);
}

TEST_F(ViewerCrowd, ClientsThatDribbleAreSentAwayAndKeepNobodyElseOut) {
  HttpLimits limits;
  limits.request_time = milliseconds(400);
  limits.workers = 8;
  const RunningViewer viewer(small_system(), folder_.path(), limits);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(std::make_unique<RawClient>(viewer.port()));
    slow.back()->send("GET / HTTP/1.1\r\nX: ");
  }
  std::thread dribble([&] {
    for (int round = 0; round < 30; ++round) {
      for (const auto& client : slow) client->send("x");
      std::this_thread::sleep_for(milliseconds(50));
    }
  });
  EXPECT_EQ(get(viewer.port(), "/").status, 200);
  dribble.join();
  for (const auto& client : slow) {
    EXPECT_THAT(client->receive(),
                AnyOf("", StartsWith("HTTP/1.1 408 ")));  // the connection is closed
  }
}

TEST_F(ViewerCrowd, ASlowClientIsToldSo) {
  HttpLimits limits;
  limits.request_time = milliseconds(100);
  const RunningViewer viewer(small_system(), folder_.path(), limits);
  const int port = viewer.port();
  EXPECT_EQ(cli_test::exchange(port, "GET / HTTP/1.1\r\nX: ").status, 408);
  EXPECT_EQ(cli_test::exchange(port, "GET / HT").status, 408);
  EXPECT_EQ(cli_test::exchange(port, "").status, 0);  // a silent client gets no response
}

TEST_F(ViewerCrowd, AClientThatDoesNotTakeItsResponseIsSentAway) {
  (void)folder_.write("large.txt", std::string(30'000'000, 'x'));
  HttpLimits limits;
  limits.response_time = milliseconds(300);
  limits.workers = 1;
  const RunningViewer viewer(small_system(), folder_.path(), limits);
  const RawClient lazy(viewer.port());
  lazy.send("GET /reports/large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(get(viewer.port(), "/").status, 200);  // by the only worker
}

TEST_F(ViewerCrowd, ThreeHundredSlowClientsKeepNobodyElseOut) {
  (void)folder_.write("large.txt", std::string(30'000'000, 'x'));
  HttpLimits limits;  // longer than the timeout of the test, so that all stay connected
  limits.request_time = limits.response_time = std::chrono::hours(1);
  const RunningViewer viewer(small_system(), folder_.path(), limits);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(std::make_unique<RawClient>(viewer.port()));
    // A third is silent, a third does not finish its request, and a third takes no response.
    if (i % 3 == 1) slow.back()->send("GET / HTTP/1.1\r\nX: ");
    if (i % 3 == 2) {
      slow.back()->send("GET /reports/large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
  }
  EXPECT_EQ(get(viewer.port(), "/api/topology?view=cube").status, 200);
  for (const auto& client : slow) EXPECT_TRUE(client->is_open());
}

TEST_F(ViewerCrowd, AConnectionTooManyClosesTheOldestThatHasAskedForNothing) {
  (void)folder_.write("large.txt", std::string(30'000'000, 'x'));
  HttpLimits limits;
  limits.request_time = limits.response_time = std::chrono::hours(1);
  limits.connections = 3;
  const RunningViewer viewer(small_system(), folder_.path(), limits);
  const RawClient busy(viewer.port());
  busy.send("GET /reports/large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
  busy.wait_for_data();
  const RawClient oldest(viewer.port());
  const RawClient newer(viewer.port());
  newer.send("GET / HT");
  EXPECT_EQ(get(viewer.port(), "/").status, 200);
  EXPECT_EQ(oldest.receive(), "");
  EXPECT_TRUE(busy.is_open());
  EXPECT_TRUE(newer.is_open());
}

TEST_F(ViewerCrowd, EndsAtOnceWhateverItsClientsDo) {
  (void)folder_.write("large.txt", std::string(30'000'000, 'x'));
  HttpLimits limits;  // longer than the timeout of the test
  limits.request_time = limits.response_time = std::chrono::hours(1);
  RunningViewer viewer(small_system(), folder_.path(), limits);
  const RawClient silent(viewer.port());
  const RawClient half(viewer.port());
  half.send("GET / HT");
  const RawClient lazy(viewer.port());
  lazy.send("GET /reports/large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(get(viewer.port(), "/").status, 200);
  viewer.finish();
  EXPECT_THROW((void)get(viewer.port(), "/"), std::runtime_error);
}

TEST_F(ViewerCrowd, EndsEvenBeforeItHasBegun) {
  for (int i = 0; i < 20; ++i) {
    RunningViewer viewer(small_system(), folder_.path());
    viewer.finish();
  }
}

TEST_F(ViewerCrowd, TwoViewersDoNotShareAPort) {
  const RunningViewer viewer(small_system(), folder_.path());
  cli::web::HttpServer other((HttpLimits()));
  try {
    other.bind("127.0.0.1", viewer.port());
    FAIL() << "it listens";
  } catch (const common::BadInput& error) {
    EXPECT_EQ(error.what(), "error: cannot listen on 127.0.0.1 port " +
                                std::to_string(viewer.port()) + ": Address already in use");
  }
}

TEST_F(ViewerCrowd, KnowsWhichAddressesNoOtherMachineReaches) {
  for (const char* address : {"127.0.0.1", "127.8.9.10", "::1"}) {
    EXPECT_TRUE(cli::web::is_loopback(address)) << address;
  }
  for (const char* address : {"0.0.0.0", "192.168.0.1", "::", "fe80::1", "localhost"}) {
    EXPECT_FALSE(cli::web::is_loopback(address)) << address;
  }
}

}  // namespace
}  // namespace kernbench
