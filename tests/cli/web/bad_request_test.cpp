// SPDX-License-Identifier: Apache-2.0
// Requests that no browser sends, or that a browser sends for a foreign page. All are rejected, and
// the viewer keeps running.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::exchange;
using cli_test::get;
using cli_test::HttpAnswer;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class BadRequest : public ::testing::Test {
 protected:
  [[nodiscard]] int status(std::string_view text) const {
    return exchange(viewer_.port(), text).status;
  }
  [[nodiscard]] int status_for_host(const std::string& host) const {
    return status("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }
  void TearDown() override { EXPECT_EQ(get(viewer_.port(), "/").status, 200) << "it is down"; }

  common::TempFolder folder_;
  cli_test::RunningViewer viewer_{cli_test::small_system(), folder_.path()};
};

TEST_F(BadRequest, OnlyLocalhostAndAddressesAreHosts) {
  for (const char* host : {"localhost", "localhost:9000", "LocalHost", "127.0.0.1", "127.0.0.1:80",
                           "[::1]", "[::1]:8080", "192.168.1.7:8080"}) {
    EXPECT_EQ(status_for_host(host), 200) << host;
  }
  for (const char* host : {"rebound.example", "rebound.example:8080", "localhost.example",
                           "127.0.0.1.example", "", "[::1", "127.0.0.1@rebound.example", "1"}) {
    EXPECT_EQ(status_for_host(host), 403) << host;
  }
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 403);
  EXPECT_EQ(status("GET / HTTP/1.0\r\n\r\n"), 403);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\n\r\n"), 403);
}

TEST_F(BadRequest, AllowedNamesAreHostsToo) {
  const cli_test::RunningViewer viewer(cli_test::small_system(), folder_.path(), {},
                                       {"Viewer.example.com", "other"});
  const auto ask = [&](const std::string& host) {
    return exchange(viewer.port(), "GET /api/reports HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  };
  for (const char* host :
       {"viewer.example.com", "VIEWER.EXAMPLE.COM:443", "other:8080", "localhost", "127.0.0.1"}) {
    EXPECT_EQ(ask(host).status, 200) << host;
  }
  for (const char* host : {"example.com", "a.viewer.example.com", "viewer.example.com.evil.example",
                           "viewer.example.co", "others"}) {
    const HttpAnswer answer = ask(host);
    EXPECT_EQ(answer.status, 403) << host;
    EXPECT_EQ(answer.body,
              "{\"error\":\"the Host header must be localhost, an IP address or a name given by "
              "--allow-host\"}");
  }
}

TEST_F(BadRequest, OnlyGetAndHeadAreAnswered) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    const HttpAnswer answer = exchange(
        viewer_.port(), std::string(method) + " /api/reports HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_THAT(answer.head, HasSubstr("Allow: GET, HEAD\r\n"));
  }
}

TEST_F(BadRequest, MalformedRequestsAreRefused) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text :
       {"\r\n\r\n"sv, "GET\r\n\r\n"sv, "GET /\r\n\r\n"sv, "GET / HTTP/9.9\r\n\r\n"sv,
        "nonsense\r\n\r\n"sv, "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"sv,
        "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n"sv, "GET \0 HTTP/1.1\r\nHost: \0\r\n\r\n"sv}) {
    EXPECT_THAT(status(text), AnyOf(0, 400, 403)) << text;
  }
  EXPECT_THAT(status("GET / HTTP/1.1\r\nno colon\r\nHost: localhost\r\n\r\n"), AnyOf(0, 200, 400));
  EXPECT_THAT(status("GET /reports/%zz%1 HTTP/1.1\r\nHost: localhost\r\n\r\n"), AnyOf(400, 404));
}

TEST_F(BadRequest, AConnectionThatIsClosedAtOnceOrInTheMiddleIsForgotten) {
  for (int i = 0; i < 50; ++i) {
    const cli_test::RawClient silent(viewer_.port());
    const cli_test::RawClient half(viewer_.port());
    half.send("GET /index.html HTT");
    const cli_test::RawClient uninterested(viewer_.port());
    uninterested.send("GET /api/topology?view=cube HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
}

TEST_F(BadRequest, OversizeRequestsAreRefused) {
  const std::string a_lot(200'000, 'a');
  EXPECT_THAT(status("GET /" + a_lot + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              AnyOf(400, 414, 431));
  EXPECT_THAT(status("GET /" + a_lot.substr(0, 8000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              AnyOf(404, 414));
  EXPECT_THAT(status("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + a_lot + "\r\n\r\n"),
              AnyOf(400, 431));
  std::string many = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 20'000; ++i) many += "X: y\r\n";
  EXPECT_THAT(status(many + "\r\n"), AnyOf(400, 431));
}

TEST_F(BadRequest, BodiesAreRefused) {
  const std::string body(5'000'000, 'b');
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"), 400);
  EXPECT_EQ(
      status("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
      400);
  EXPECT_THAT(status("POST /api/reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n"
                     "\r\n" +
                     body),
              AnyOf(0, 405));  // the server may hang up before all is sent
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"), 200);
}

TEST_F(BadRequest, LongListsOfRangesAreNothingSpecial) {
  (void)folder_.write("a.txt", "0123456789");
  std::string ranges = "bytes=0-0";
  while (ranges.size() < 7'000) ranges += ",1-1";
  const HttpAnswer answer =
      exchange(viewer_.port(),
               "GET /reports/a.txt HTTP/1.1\r\nHost: localhost\r\nRange: " + ranges + "\r\n\r\n");
  EXPECT_THAT(answer.status, AnyOf(200, 416));
  EXPECT_EQ(exchange(viewer_.port(),
                     "GET /reports/a.txt HTTP/1.1\r\nHost: localhost\r\nRange: bytes=2-3\r\n\r\n")
                .body,
            "0123456789");
}

TEST_F(BadRequest, OneConnectionCarriesOneRequest) {
  const std::string one = "GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const HttpAnswer answer = exchange(viewer_.port(), one + one);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(answer.body.find("HTTP/1.1"), std::string::npos);
}

TEST_F(BadRequest, EveryAnswerForbidsWhatABrowserNeedNotDo) {
  for (const char* target :
       {"/", "/main.js", "/api/reports", "/nothing", "/reports/nothing.html"}) {
    const HttpAnswer answer = get(viewer_.port(), target);
    EXPECT_THAT(answer.head, HasSubstr("X-Content-Type-Options: nosniff\r\n")) << target;
    EXPECT_THAT(answer.head, HasSubstr("Cross-Origin-Resource-Policy: same-origin\r\n"));
    EXPECT_THAT(answer.head, HasSubstr("Referrer-Policy: no-referrer\r\n"));
    EXPECT_THAT(answer.head, HasSubstr("Content-Security-Policy: default-src 'none'; "
                                       "script-src 'self'; style-src 'self';"));
    EXPECT_EQ(answer.head.find("Access-Control"), std::string::npos);
    EXPECT_EQ(answer.head.find("unsafe"), std::string::npos);
  }
}

}  // namespace
}  // namespace kernbench
