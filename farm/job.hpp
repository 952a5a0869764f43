// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "common/outcome.hpp"

namespace kernbench::farm {

/// Version of job files and of their results.
inline constexpr std::uint64_t kJobSchema = 1;
/// The longest report that a result keeps.
inline constexpr std::size_t kKeptReportBytes = 65'536;

/// Extension of the results that parts of a command leave.
inline constexpr const char* kPartExtension = ".part";

/// A point of a job.
struct JobPoint {
  std::string key;                   ///< hash of everything that decides the result
  std::uint32_t attempt = 1;         ///< counts the starts of the point
  std::vector<std::string> command;  ///< words after the program
  /// File that the command leaves as its result. Empty: the command writes a report to the file
  /// that --json names.
  std::string result = {};
  /// File in which the command leaves its report, in place of the one that --json names.
  std::string report = {};
};

/// A chunk of points, which one process runs one after the other: the content of a job file.
struct Job {
  std::string folder;                ///< current folder of the commands
  std::string results;               ///< file to which the results are appended
  std::vector<std::string> targets;  ///< fields of the report that results have
  std::vector<JobPoint> points;
  std::string program = {};  ///< runs the commands; empty: `kernbench`
};

extern const common::InputKind kJobFile;

/// A line of the results of a job: the start of a point, or its end.
struct PointResult {
  std::string key;
  std::uint32_t attempt = 1;
  std::optional<common::Outcome> outcome{};  ///< absent at the start
  std::string message{};                     ///< first error of the command
  std::vector<nlohmann::json> targets{};     ///< null where the report has no such field
  bool has_report = false;
  std::string grade{};   ///< name of the grade of the figures; empty if the report has none
  std::string report{};  ///< text of the report; empty if there is none or it is too long
  double seconds = 0;    ///< host time of the command
  std::string worker{};  ///< name of the host
};

/// Throws common::BadInput if a text of the job is not UTF-8 or has a control character.
[[nodiscard]] std::string render_job(const Job& job);
/// Throws common::BadInput with all errors of the file.
[[nodiscard]] Job read_job(const std::filesystem::path& path);

/// Throws common::BadInput unless results can be appended to the file that the job names.
void check_results(const Job& job);
/// Throws common::BadInput unless the job's folder and program are on this machine.
void check_place(const Job& job);

/// Returns a line of JSON with a newline at the end.
[[nodiscard]] std::string render_result(const PointResult& result);
/// Returns the results of all complete lines from `offset` on, and moves `offset` behind them. A
/// missing file has none. Throws common::BadInput for a line that render_result() does not write.
[[nodiscard]] std::vector<PointResult> read_results(const std::filesystem::path& path,
                                                    std::uintmax_t& offset);

/// Returns the keys of the points that have their end in a file of results, and removes a line that
/// its writer has not finished. A missing file has none.
[[nodiscard]] std::set<std::string> ended_points(const std::filesystem::path& path);

/// Runs the points of a job, each as a process of its program, by default `kernbench`, and appends
/// a line to the results at the start and at the end of each. Stops at an interruption, which
/// leaves the running point without an end. Throws common::BadInput when the results cannot be
/// written, by check_results() and check_place(), and when a command does not leave the result of
/// its point: the engine starts the point again.
common::Outcome run_job(const Job& job, const std::string& kernbench);

}  // namespace kernbench::farm

template <>
const kernbench::common::Description<kernbench::farm::Job>& kernbench::common::description_of();
