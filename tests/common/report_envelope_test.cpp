// SPDX-License-Identifier: Apache-2.0
#include "common/report_envelope.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

ReportEnvelope sample() {
  ReportEnvelope report;
  report.kind = "sim-report";
  report.outcome = Outcome::Mismatch;
  report.seed = std::numeric_limits<std::uint64_t>::max();
  report.config_hash = "00ff";
  report.revision = "abc";
  report.command = "kernbench sim --seed 1";
  report.data = {{"links", 896}};
  return report;
}

constexpr const char* kSampleText = R"({
 "schema": 1,
 "kind": "sim-report",
 "outcome": "mismatch",
 "seed": 18446744073709551615,
 "config_hash": "00ff",
 "revision": "abc",
 "command": "kernbench sim --seed 1",
 "data": {
  "links": 896
 }
}
)";

/// Returns the error of reading `text` as a sim-report; "<file>" stands for the file name.
std::string envelope_refusal(const std::string& text) {
  const TempFolder folder;
  const std::string path = folder.write("r.json", text).string();
  std::string message = bad_input_of([&] { (void)read_report(path, "sim-report"); });
  for (auto at = message.find(path); at != std::string::npos; at = message.find(path)) {
    message.replace(at, path.size(), "<file>");
  }
  return message;
}

std::string sample_with(const std::string& from, const std::string& to) {
  std::string text = kSampleText;
  return text.replace(text.find(from), from.size(), to);
}

TEST(ReportEnvelope, RendersItsKeysInOrder) {
  EXPECT_EQ(render_report(sample()), kSampleText);
}

TEST(ReportEnvelope, IsReadBackAsWritten) {
  const TempFolder folder;
  write_report(folder.path() / "r.json", sample());
  const ReportEnvelope report = read_report(folder.path() / "r.json", "sim-report");
  EXPECT_EQ(render_report(report), kSampleText);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(ReportEnvelope, MayHaveNoSeed) {
  const TempFolder folder;
  ReportEnvelope report = sample();
  report.seed.reset();
  write_report(folder.path() / "r.json", report);
  EXPECT_EQ(read_report(folder.path() / "r.json", "sim-report").seed, std::nullopt);
}

TEST(ReportEnvelope, SurvivesACommandThatIsNoUtf8) {
  ReportEnvelope report = sample();
  report.command = "kernbench \xff";
  EXPECT_NE(render_report(report).find("kernbench \xef\xbf\xbd"), std::string::npos);
}

TEST(ReportEnvelope, PointsAtASyntaxError) {
  const std::string message = envelope_refusal("{\n \"schema\": 1,\n \"kind\" 2}\n");
  EXPECT_EQ(message,
            "<file>:3:9: error: syntax error while parsing object separator - unexpected number "
            "literal; expected ':'\n"
            "    3 |  \"kind\" 2}\n"
            "      |         ^");
}

TEST(ReportEnvelope, RefusesAnEmptyOrTruncatedFile) {
  EXPECT_NE(envelope_refusal("").find("<file>:1:1: error: syntax error"), std::string::npos);
  EXPECT_NE(envelope_refusal("{\"schema\": 1").find("<file>:1:"), std::string::npos);
  EXPECT_NE(
      envelope_refusal(std::string(kSampleText) + "x").find("<file>:13:1: error: syntax error"),
      std::string::npos);
}

TEST(ReportEnvelope, RefusesDeepNestingAndTooManyValues) {
  EXPECT_EQ(envelope_refusal("{\n\"data\": " + std::string(50'000'000, '[')),
            "<file>:2:72: error: nested more than 64 levels deep");
  std::string values = "[1";
  for (int i = 0; i < 8'000'000; ++i) values += ",1";
  EXPECT_EQ(envelope_refusal(values + "]"),
            "<file>:1:15999999: error: the file has more than 8000000 values");
  EXPECT_EQ(envelope_refusal(std::string((std::size_t{128} << 20U) + 1, ' ')),
            "error: cannot read '<file>': it has more than 134217728 bytes");
}

TEST(ReportEnvelope, CountsNoBracketsInTexts) {
  ReportEnvelope report = sample();
  report.data = std::string(200, '[') + "\\\"" + std::string(200, '{');
  const TempFolder folder;
  write_report(folder.path() / "r.json", report);
  EXPECT_EQ(read_report(folder.path() / "r.json", "sim-report").data, report.data);
}

TEST(ReportEnvelope, PointsAtANumberThatIsTooLarge) {
  EXPECT_EQ(envelope_refusal("{\"schema\":\n 1e400}"),
            "<file>:2:2: error: the number '1e400' is too large\n"
            "    2 |  1e400}\n"
            "      |  ^");
}

TEST(ReportEnvelope, EscapesTheControlCharactersOfItsTexts) {
  ReportEnvelope report = sample();
  report.command = "clear\x1b[2J";
  report.data = {{"names", {"a\x1b]0;title\x07"}}};
  const TempFolder folder;
  write_report(folder.path() / "r.json", report);
  const ReportEnvelope read = read_report(folder.path() / "r.json", "sim-report");
  EXPECT_EQ(read.command, "clear\\x1b[2J");
  EXPECT_EQ(read.data["names"][0], "a\\x1b]0;title\\x07");
}

TEST(ReportEnvelope, FramesDataThatAreWrittenPieceByPiece) {
  ReportEnvelope report;
  report.kind = "op-log";
  report.command = "a \"null\" command";
  report.data = 7;
  const ReportFrame frame = frame_of_report(report);
  EXPECT_EQ(frame.head + "7" + frame.tail, render_report(report));
}

TEST(ReportEnvelope, RefusesAnotherKindOrSchema) {
  EXPECT_EQ(envelope_refusal(sample_with("sim-report", "coverage")),
            "<file>: error: this is a report of kind 'coverage', not 'sim-report'");
  EXPECT_EQ(envelope_refusal(sample_with("\"schema\": 1", "\"schema\": 2")),
            "<file>: error: the report has schema 2, this program reads 1");
}

TEST(ReportEnvelope, ReportsAllWrongKeysAtOnce) {
  EXPECT_EQ(
      envelope_refusal(R"({"schema": "1", "kind": "sim-report", "outcome": "passed", "seed": -1,
                           "config_hash": 3, "revision": "", "comand": "", "data": 0})"),
      "<file>: error: 'schema' must be 1, not '1'\n"
      "  hint: remove the quotes\n"
      "<file>: error: 'outcome' must be one of pass, vacuous, mismatch, timeout, deadlock, "
      "bad-input, interrupted, internal-error, not 'passed'\n"
      "  hint: did you mean 'pass'?\n"
      "<file>: error: 'seed' must be an integer from 0 to 18446744073709551615, not '-1'\n"
      "<file>: error: 'config_hash' must be text, not '3'\n"
      "  hint: put it in quotes\n"
      "<file>: error: missing key 'command'\n"
      "  hint: it must be text\n"
      "<file>: error: unknown key 'comand'\n"
      "  hint: did you mean 'command'?");
  EXPECT_EQ(envelope_refusal("[]"), "<file>: error: a report must be a JSON object");
}

}  // namespace
}  // namespace kernbench::common
