// SPDX-License-Identifier: Apache-2.0
#include "farm/job.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"
#include "common/grade.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"
#include "farm/child.hpp"
#include "farm/target.hpp"

namespace kernbench::common {

using farm::Job;
using farm::JobPoint;

template <>
const Description<JobPoint>& description_of() {
  static const auto kAll =
      Description<JobPoint>()
          .add("key", &JobPoint::key, "hash of everything that decides the result")
          .lines()
          .add("attempt", &JobPoint::attempt, "number of the start")
          .at_least(1)
          .add("command", &JobPoint::command, "words after the program")
          .lines()
          .not_empty()
          .add("result", &JobPoint::result, "file that the command leaves as its result")
          .lines()
          .absent_unless("the command writes a report to the file that --json names")
          .add("report", &JobPoint::report, "file in which the command leaves its report")
          .lines()
          .absent_unless("the command takes --json");
  return kAll;
}

template <>
const Description<Job>& description_of() {
  static const auto kAll =
      Description<Job>()
          .add_constant("schema", farm::kJobSchema)
          .add_constant("kind", std::string("job"))
          .add("program", &Job::program, "runs the commands")
          .lines()
          .absent_unless("another program than kernbench runs them")
          .add("folder", &Job::folder, "current folder of the commands")
          .lines()
          .add("results", &Job::results, "file to which the results are appended")
          .lines()
          .add("targets", &Job::targets, "fields of the report that results have")
          .lines()
          .add("points", &Job::points);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::farm {
namespace {

using common::Outcome;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Exit code of a child that could not become its program.
constexpr int kCannotStart = 127;

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Returns the outcome that an exit code stands for; Mismatch for 1, which Vacuous has too.
Outcome outcome_of_code(int code) {
  for (const Outcome outcome : {Outcome::Pass, Outcome::Mismatch, Outcome::Timeout,
                                Outcome::Deadlock, Outcome::BadInput, Outcome::Interrupted}) {
    if (common::exit_code(outcome) == code) return outcome;
  }
  return Outcome::InternalError;
}

/// Returns the first error that a command printed, without "error: " at its begin.
std::string first_error(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error: ") == std::string::npos) continue;
    return line.starts_with("error: ") ? line.substr(7) : line;
  }
  return {};
}

/// Returns the report with a command that names no file of the farm.
std::string kept_report(const std::string& text, const JobPoint& point) {
  if (text.size() > kKeptReportBytes) return {};
  OrderedJson report = OrderedJson::parse(text);
  std::string command = "kernbench";
  for (const std::string& word : point.command)
    command += fmt::format(" {}", common::shell_quote(word));
  report["command"] = command;
  return report.dump(1) + "\n";
}

/// Fills in what the report of a point says. A text that is not a report counts as none.
void read_report_of(const std::string& text, const JobPoint& point, const Job& job,
                    PointResult& result) {
  const Json report = Json::parse(text, nullptr, false);
  if (!report.is_object()) return;
  result.has_report = true;
  if (const Json name = field_of(report, "outcome"); name.is_string()) {
    result.outcome = common::outcome_from_name(name.get<std::string>()).value_or(*result.outcome);
  }
  for (std::size_t i = 0; i < job.targets.size(); ++i) {
    result.targets[i] = field_of(report, job.targets[i]);
  }
  try {
    if (report.contains("grade")) {
      result.grade = common::value_of<common::Grade>(report["grade"], "").name();
    }
  } catch (const std::exception&) {
    result.grade.clear();  // a report of another program
  }
  result.report = kept_report(text, point);
}

/// Runs a point. The result has no outcome if the run was interrupted.
PointResult run_point(const JobPoint& point, const Job& job, const std::string& program) {
  std::vector<std::string> words = {program};
  words.insert(words.end(), point.command.begin(), point.command.end());
  const std::filesystem::path report = std::filesystem::path(job.folder) / point.report;
  if (!point.report.empty()) {
    std::filesystem::remove(report);  // that of an earlier run
  } else if (point.result.empty()) {
    words.emplace_back(fmt::format("--json={}", Child::kReportPath));
  }
  const auto start = std::chrono::steady_clock::now();
  Child child(words, job.folder);
  for (bool told = false; !child.closed();) {
    constexpr int kLookAroundMs = 200;
    Child::collect_of_any({&child}, kLookAroundMs);
    if (!common::interrupted() || told) continue;
    child.end();
    told = true;
  }
  const ChildEnd end = child.wait();
  PointResult result;
  result.key = point.key;
  result.attempt = point.attempt;
  result.worker = host_name();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.targets.assign(job.targets.size(), Json());
  if (common::interrupted()) return result;
  result.outcome = end.signal != 0 ? Outcome::InternalError : outcome_of_code(end.exit_code);
  if (result.outcome == Outcome::Interrupted) {
    result.outcome.reset();
    return result;
  }
  if (end.signal != 0) {
    result.message =
        fmt::format("the command was ended by signal {} ({})", end.signal, strsignal(end.signal));
  } else {
    result.message = first_error(child.error_text());
    if (end.exit_code == kCannotStart && child.error_text().empty()) {
      result.message = fmt::format("the program '{}' could not be started", program);
    }
  }
  if (!point.report.empty()) {
    if (std::filesystem::exists(report)) {
      read_report_of(common::read_text_file(report, std::numeric_limits<std::size_t>::max()), point,
                     job, result);
    }
  } else if (point.result.empty()) {
    read_report_of(child.report_text(), point, job, result);
  } else if (!std::filesystem::exists(point.result)) {
    throw common::BadInput(fmt::format(
        "the command of point {} left no result; {}\n{}", point.key,
        end.signal != 0 ? result.message : fmt::format("its exit code was {}", end.exit_code),
        child.error_text()));
  }
  return result;
}

/// Throws common::BadInput for a text that read_job() does not take.
void require_readable(std::string_view text) {
  const auto refuse = [text](std::string_view what) {
    throw common::BadInput(
        fmt::format("'{}' {}, so that a job file cannot name it",
                    common::printable(text, std::numeric_limits<std::size_t>::max()), what));
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = common::utf8_length(rest);
    if (length == 0) refuse("is not UTF-8");
    if (rest.front() != '\n' && common::is_control(rest)) refuse("has a control character");
    rest.remove_prefix(length);
  }
}

/// Throws common::BadInput if the job names a program that cannot be run here.
void check_program(const Job& job) {
  if (job.program.empty()) return;
  const std::filesystem::path program = std::filesystem::path(job.folder) / job.program;
  std::error_code missing;
  const bool is_file = std::filesystem::is_regular_file(program, missing);
  if (is_file && access(program.c_str(), X_OK) == 0) return;
  throw common::BadInput(
      fmt::format("there is no program '{}' here for the commands of the job", job.program));
}

}  // namespace

std::string render_job(const Job& job) {
  require_readable(job.program);
  require_readable(job.folder);
  require_readable(job.results);
  for (const JobPoint& point : job.points) {
    for (const std::string& word : point.command) require_readable(word);
    require_readable(point.result);
    require_readable(point.report);
  }
  return common::to_json(job).dump(1) + "\n";
}

const common::InputKind kJobFile = {
    .name = "job", .title = "A job file of kernbench job run (JSON)", .form = common::form_of<Job>};

Job read_job(const std::filesystem::path& path) {
  const std::string text = common::read_text_file(path, common::kMaxYamlBytes);
  if (!Json::accept(text)) {
    throw common::BadInput(fmt::format("{}: error: the file is not JSON", path.string()));
  }
  common::Diagnostics diagnostics;
  // JSON is YAML, so the strict reader tells where an error is.
  const auto document = common::YamlDocument::parse(text, path.string(), diagnostics);
  common::Input<Job> job(document.root(), diagnostics);
  std::map<std::string, unsigned> lines;
  for (std::size_t i = 0; i < job->points.size(); ++i) {
    const std::string& key = job->points[i].key;
    const std::string place = fmt::format("points[{}].key", i);
    const auto [first, is_new] = lines.emplace(key, job.places().position(place).line);
    if (is_new || key.empty()) continue;
    job.error(place, fmt::format("the key '{}' is already that of the point in line {}", key,
                                 first->second));
  }
  diagnostics.throw_if_any();
  std::error_code missing;
  if (std::filesystem::equivalent(path, job->results, missing)) {
    throw common::BadInput(
        fmt::format("'{}' is the job file; its results need another file", job->results));
  }
  return *job;
}

void check_results(const Job& job) {
  std::error_code missing;
  const auto status = std::filesystem::status(job.results, missing);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw common::BadInput(
      fmt::format("cannot write the results to '{}': it is {}", job.results,
                  std::filesystem::is_directory(status) ? "a folder" : "not a regular file"));
}

void check_place(const Job& job) {
  if (!std::filesystem::is_directory(job.folder)) {
    throw common::BadInput(
        fmt::format("there is no folder '{}' here for the commands of the job", job.folder));
  }
  check_program(job);
}

std::string render_result(const PointResult& result) {
  OrderedJson line = {{"key", result.key}, {"attempt", result.attempt}};
  if (!result.outcome) return line.dump() + "\n";
  line["outcome"] = common::name(*result.outcome);
  line["message"] = result.message;
  line["targets"] = result.targets;
  line["has_report"] = result.has_report;
  line["grade"] = result.grade;
  line["report"] = result.report;
  line["host"] = {{"worker", result.worker}, {"seconds", result.seconds}};
  // A message may have bytes of any encoding.
  return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::vector<PointResult> read_results(const std::filesystem::path& path, std::uintmax_t& offset) {
  std::vector<PointResult> results;
  std::ifstream file(path, std::ios::binary);
  if (!file) return results;
  file.seekg(static_cast<std::streamoff>(offset));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    try {
      const Json json = Json::parse(line);
      PointResult& result = results.emplace_back();
      result.key = json.at("key");
      result.attempt = json.at("attempt");
      if (json.contains("outcome")) {
        result.outcome = common::outcome_from_name(json.at("outcome").get<std::string>());
        result.message = json.at("message");
        result.targets = json.at("targets").get<std::vector<Json>>();
        result.has_report = json.at("has_report");
        result.grade = json.at("grade");
        result.report = json.at("report");
        result.worker = json.at("host").at("worker");
        result.seconds = json.at("host").at("seconds");
      }
    } catch (const Json::exception&) {
      throw common::BadInput(
          fmt::format("{}: the results of a job are damaged at byte {}; remove "
                      "the file, and its points run again",
                      path.string(), offset));
    }
    offset += line.size() + 1;
  }
  return results;
}

std::set<std::string> ended_points(const std::filesystem::path& path) {
  std::set<std::string> ended;
  if (!std::filesystem::exists(path)) return ended;
  std::uintmax_t complete = 0;
  for (const PointResult& result : read_results(path, complete)) {
    if (result.outcome) ended.insert(result.key);
  }
  std::filesystem::resize_file(path, complete);
  return ended;
}

Outcome run_job(const Job& job, const std::string& kernbench) {
  check_results(job);
  check_place(job);
  // Some have ended before if a cluster starts the task again.
  const std::set<std::string> ended = ended_points(job.results);
  std::ofstream results(job.results, std::ios::binary | std::ios::app);
  const auto append = [&](const PointResult& result) {
    results << render_result(result) << std::flush;
    if (!results) {
      throw common::BadInput(fmt::format("cannot write the results to '{}'", job.results));
    }
  };
  for (const JobPoint& point : job.points) {
    if (common::interrupted()) return Outcome::Interrupted;
    if (ended.contains(point.key)) continue;
    append({.key = point.key, .attempt = point.attempt});
    const PointResult result = run_point(point, job, job.program.empty() ? kernbench : job.program);
    if (!result.outcome) return Outcome::Interrupted;
    append(result);
  }
  return Outcome::Pass;
}

}  // namespace kernbench::farm
