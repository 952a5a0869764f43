// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/report_envelope.hpp"
#include "plot/report_kind.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// A case of a soak that did not pass.
struct SoakFailure {
  std::uint64_t seed = 0;
  std::string suite;
  std::string reason;
  std::string command;  ///< runs exactly this case again
  friend bool operator==(const SoakFailure&, const SoakFailure&) = default;
};

/// A soak: the cases of one regression with seed after seed, a seed a chunk. Its state after any
/// chunk is a file, from which it continues.
struct Soak {
  std::string config;                      ///< path of the regression as given
  std::string config_hash;                 ///< hash of the regression
  std::string model_hash;                  ///< DutInfo::build_hash
  std::optional<maze::Shape> shape;        ///< absent for a network of any topology
  std::string topology;                    ///< network of any topology; else empty
  std::vector<std::string> channels = {};  ///< its channels, by name
  std::uint64_t first_seed = 1;
  std::uint64_t chunks = 0;
  std::uint64_t cases = 0;
  std::uint64_t cycles = 0;
  std::uint64_t packets = 0;
  std::uint64_t failing_cases = 0;
  std::vector<SoakFailure> failures;  ///< the first kKeptFailures
  /// Packets by [port*nodes + receiving node]; of a network of any topology flits, by channel.
  std::vector<std::uint64_t> link_packets;
  std::vector<std::uint64_t> link_longest_stalls;  ///< cycles; of a MAZE, indexed like packets

  static constexpr std::size_t kKeptFailures = 20;

  /// Returns the seed of the next chunk.
  [[nodiscard]] std::uint64_t next_seed() const { return first_seed + chunks; }
  [[nodiscard]] std::size_t links() const { return shape ? shape->links() : channels.size(); }
  /// Returns what is counted on each link.
  [[nodiscard]] const char* noun() const { return shape ? "packet" : "flit"; }
  /// Adds a chunk that was run to its end.
  void add(const RegressionResult& chunk);
  friend bool operator==(const Soak&, const Soak&) = default;
};

/// Returns Mismatch after a failing case, Vacuous without packets, else Pass.
[[nodiscard]] common::Outcome outcome_of(const Soak& soak);

/// The report of a soak, which is also its state.
extern const plot::ReportKind kSoakReport;

/// Returns the report; `header` provides revision and command.
[[nodiscard]] common::ReportEnvelope soak_report(const Soak& soak, common::ReportEnvelope header);
/// Reads a state. Throws common::BadInput for any file that is not a report of soak_report().
[[nodiscard]] Soak read_soak(const std::filesystem::path& path);

/// Returns the summary for the terminal.
[[nodiscard]] std::string soak_summary(const Soak& soak, std::uint64_t goal);
/// Returns a table of all links: packets and longest stall, or flits.
[[nodiscard]] std::string soak_links(const Soak& soak);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::Soak>& kernbench::common::description_of();
