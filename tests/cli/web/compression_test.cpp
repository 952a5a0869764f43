// SPDX-License-Identifier: Apache-2.0
// Tests which responses are compressed. get() decodes them, so all other tests read through it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/web/assets.hpp"
#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::exchange;
using cli_test::get;
using cli_test::HttpAnswer;
using ::testing::HasSubstr;
using ::testing::Not;

class Compression : public ::testing::Test {
 protected:
  [[nodiscard]] HttpAnswer ask(const std::string& target, const std::string& encodings,
                               const std::string& version = "1.1") const {
    return exchange(viewer_.port(), "GET " + target + " HTTP/" + version +
                                        "\r\nHost: localhost\r\n" + encodings + "\r\n");
  }

  common::TempFolder folder_;
  cli_test::RunningViewer viewer_{cli_test::small_system(), folder_.path()};
};

TEST_F(Compression, PacksWhatIsLargeForClientsThatAcceptGzip) {
  std::string numbers;
  for (int i = 0; i < 400'000; ++i) numbers += std::to_string(i * 7919) + '\n';  // many chunks
  (void)folder_.write("numbers.txt", numbers);
  const HttpAnswer answer = get(viewer_.port(), "/reports/numbers.txt");
  EXPECT_THAT(answer.head, HasSubstr("\r\nContent-Encoding: gzip\r\n"));
  EXPECT_THAT(answer.head, HasSubstr("\r\nVary: Accept-Encoding\r\n"));
  EXPECT_THAT(answer.head, Not(HasSubstr("Content-Length")));
  EXPECT_TRUE(answer.body == numbers);
  EXPECT_LT(answer.sent_bytes, numbers.size() / 2);
  const HttpAnswer view = get(viewer_.port(), "/api/topology?view=sip");
  EXPECT_LT(view.sent_bytes, view.body.size() / 4);
}

TEST_F(Compression, SendsPlainTextToAllOtherClients) {
  const auto files = cli::web::assets();
  const std::string page(std::find_if(files.begin(), files.end(), [](const auto& file) {
                           return file.path == "/main.js";
                         })->text);
  for (const char* encodings : {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n",
                                "Accept-Encoding: identity, gzip;q=0.0\r\n"}) {
    const HttpAnswer answer = ask("/main.js", encodings);
    EXPECT_THAT(answer.head, Not(HasSubstr("Content-Encoding"))) << encodings;
    EXPECT_THAT(answer.head, HasSubstr("\r\nVary: Accept-Encoding\r\n")) << encodings;
    EXPECT_THAT(answer.head,
                HasSubstr("\r\nContent-Length: " + std::to_string(page.size()) + "\r\n"));
    EXPECT_TRUE(answer.body == page);
  }
  for (const char* encodings :
       {"Accept-Encoding: GZIP\r\n", "Accept-Encoding: br, gzip;q=0.5\r\n"}) {
    EXPECT_THAT(ask("/main.js", encodings).head, HasSubstr("Content-Encoding: gzip")) << encodings;
  }
  // HTTP/1.0 does not know chunks.
  EXPECT_TRUE(ask("/main.js", "Accept-Encoding: gzip\r\n", "1.0").body == page);
}

TEST_F(Compression, LeavesShortResponsesAsTheyAre) {
  const HttpAnswer answer = get(viewer_.port(), "/api/reports");
  EXPECT_EQ(answer.status, 200);
  EXPECT_LT(answer.body.size(), 1024U);
  EXPECT_THAT(answer.head, Not(HasSubstr("Content-Encoding")));
  EXPECT_THAT(answer.head, HasSubstr("Content-Length"));
}

TEST_F(Compression, SendsPlainTextWhileTooManyResponsesAreBeingCompressed) {
  cli::web::HttpLimits limits;
  limits.gzip_streams = 1;
  std::string noise;
  for (std::uint32_t i = 1; noise.size() < 8'000'000; i = i * 1664525 + 1013904223) {
    noise += std::to_string(i);
  }
  (void)folder_.write("noise.txt",
                      noise);  // too large for the buffers of a client that reads nothing
  const cli_test::RunningViewer viewer(cli_test::small_system(), folder_.path(), limits);
  const cli_test::RawClient slow(viewer.port());
  slow.send("GET /reports/noise.txt HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
  slow.wait_for_data();
  EXPECT_THAT(get(viewer.port(), "/main.js").head, Not(HasSubstr("Content-Encoding")));
}

TEST_F(Compression, AnswersHeadWithTheHeadersOfGet) {
  const HttpAnswer answer = exchange(
      viewer_.port(), "HEAD /main.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
  EXPECT_THAT(answer.head, HasSubstr("\r\nContent-Encoding: gzip\r\n"));
  EXPECT_EQ(answer.sent_bytes, 0U);
}

TEST_F(Compression, OffersNoRanges) {
  const HttpAnswer answer = ask("/main.js", "Range: bytes=0-9\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, Not(HasSubstr("Accept-Ranges")));
}

}  // namespace
}  // namespace kernbench
