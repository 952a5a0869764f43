#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/outcome.hpp"

namespace kernbench::common {

/// Version of the envelope; a file with another one is refused.
inline constexpr std::uint64_t kReportSchema = 1;

/// The frame of every JSON artefact:
/// {schema, kind, outcome, seed, config_hash, revision, command, data}.
struct ReportEnvelope {
  std::string kind;  ///< what `data` is, e.g. "sim-report" or "coverage"
  Outcome outcome = Outcome::Pass;
  std::optional<std::uint64_t> seed;  ///< absent (null in the file) when no single seed made it
  std::string config_hash;            ///< of the inputs that determine the result; no host times
  std::string revision;               ///< of the program
  std::string command;                ///< as it can be pasted to get the same again
  nlohmann::json data;
};

/// The artefact's text, keys in the order above, with a newline at the end.
[[nodiscard]] std::string render_report(const ReportEnvelope& report);

/// What stands before and after `data`, for artefacts whose data are too long to be in memory.
struct ReportFrame {
  std::string head;
  std::string tail;
};
[[nodiscard]] ReportFrame frame_of_report(const ReportEnvelope& report);

/// Writes it whole or not at all. Throws BadInput when `path` cannot be written.
void write_report(const std::filesystem::path& path, const ReportEnvelope& report);

/// Reads an artefact of this `kind` back. Throws BadInput, naming the file (and line and column of
/// a syntax error), for anything that write_report() would not have written.
[[nodiscard]] ReportEnvelope read_report(const std::filesystem::path& path, std::string_view kind);

}  // namespace kernbench::common
