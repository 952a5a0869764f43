// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/cover/covered_run.hpp"

namespace kernbench::sim {

/// Reads the `data` of one coverage file strictly and collects all errors. An implementation detail
/// of read_coverage_file().
class CoverageReader {
 public:
  /// `data` and `diagnostics` must outlive the reader. `file` names the file in messages.
  CoverageReader(const nlohmann::json& data, std::string file, common::Diagnostics& diagnostics)
      : data_(data), file_(std::move(file)), diagnostics_(diagnostics) {}

  /// Returns nothing or incomplete data when there were errors.
  [[nodiscard]] std::optional<CoverageData> read();
  /// Returns the runs that read() found.
  [[nodiscard]] const std::vector<CoveredRun>& runs() const { return runs_; }

 private:
  void error(const std::string& message) { diagnostics_.error({file_}, message); }
  void check_keys(const nlohmann::json& object, const std::string& prefix,
                  const std::vector<std::string_view>& keys);
  /// Returns the value of a key, or a JSON null when it is missing.
  [[nodiscard]] static const nlohmann::json& value(const nlohmann::json& object,
                                                   std::string_view key);
  std::optional<std::uint64_t> number(const nlohmann::json& item, const std::string& name,
                                      std::uint64_t min, std::uint64_t max);
  std::optional<maze::Shape> shape();
  void fabric(CoverageData& coverage);
  void links(CoverageData& coverage);
  void stages(CoverageData& coverage);
  void payload(CoverageData& coverage);
  void packets(CoverageData& coverage);
  void deep(CoverageData& coverage);
  void read_runs();
  /// Returns `item` when it has one entry per port; otherwise reports an error and returns null.
  [[nodiscard]] const nlohmann::json* ports(const nlohmann::json& item, const std::string& name,
                                            const CoverageData& coverage);
  /// Reads `count` hexadecimal words. `allowed(i)` is the mask of bits that may be set in word i.
  template <typename Allowed>
  void words(const nlohmann::json& item, const std::string& name, std::size_t count,
             std::uint64_t* into, Allowed allowed);

  const nlohmann::json& data_;
  std::string file_;
  common::Diagnostics& diagnostics_;
  std::vector<CoveredRun> runs_;
};

}  // namespace kernbench::sim
