// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/grade.hpp"
#include "common/outcome.hpp"

namespace kernbench::common {

struct InputKind;

/// Version of the envelope; files of any other version are rejected.
inline constexpr std::uint64_t kReportSchema = 1;

// Limits of an artefact that is read. A file within them takes less than 2 GB of memory.
inline constexpr std::size_t kMaxReportBytes = std::size_t{128} << 20U;
inline constexpr std::size_t kMaxReportDepth = 64;  ///< levels of nested lists and objects
inline constexpr std::size_t kMaxReportValues = 8'000'000;

/// A library that the program had loaded when it wrote a report.
struct ReportedPlugin {
  std::string name;
  std::string version;
  std::string hash;  ///< hash of its file
};

/// The envelope of every JSON artefact:
/// {schema, kind, outcome, grade, seed, config_hash, revision, plugins, command, data}; without
/// `grade` unless the model computed the data, and without `plugins` if there are none.
struct ReportEnvelope {
  std::string kind;  ///< kind of `data`, for example "sim-report" or "coverage"
  Outcome outcome = Outcome::Pass;
  std::optional<Grade> grade{};       ///< grade of all figures in `data` that have no other
  std::optional<std::uint64_t> seed;  ///< absent (null in the file) unless one seed determines data
  std::string config_hash;            ///< hash of all inputs that determine the result
  std::string revision;               ///< source revision of the program
  std::vector<ReportedPlugin> plugins{};
  std::string command;  ///< POSIX shell command that reproduces the artefact
  nlohmann::json data;
};

/// The envelope as a schema; `data` are anything.
extern const InputKind kEnvelopeFile;

/// Returns the text of the artefact: keys in the order above, with a trailing newline.
[[nodiscard]] std::string render_report(const ReportEnvelope& report);

/// The text before and after `data`, for artefacts whose data do not fit into memory.
struct ReportFrame {
  std::string head;
  std::string tail;
};
[[nodiscard]] ReportFrame frame_of_report(const ReportEnvelope& report);

/// Writes the artefact completely or not at all. Throws BadInput when `path` cannot be written.
void write_report(const std::filesystem::path& path, const ReportEnvelope& report);

/// Reads an artefact of this `kind`, with the control characters of its texts escaped. Throws
/// BadInput for any text that write_report() would not have written and for one that exceeds the
/// limits above, naming the file and, for a syntax error, the line and column.
[[nodiscard]] ReportEnvelope read_report(const std::filesystem::path& path, std::string_view kind);
/// Reads an artefact of any of these `kinds` in the same way.
[[nodiscard]] ReportEnvelope read_report(const std::filesystem::path& path,
                                         std::span<const std::string_view> kinds);
/// Reads the text of an artefact, which messages name `file`, in the same way.
[[nodiscard]] ReportEnvelope parse_report(const std::string& text, const std::string& file,
                                          std::span<const std::string_view> kinds);

template <>
const Description<ReportEnvelope>& description_of();

}  // namespace kernbench::common
