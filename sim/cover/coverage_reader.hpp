#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"
#include "sim/cover/coverage_data.hpp"

namespace kernbench::sim {

/// Reads the `data` of one coverage file, strictly; every error is collected. The inside of
/// read_coverage_file().
class CoverageReader {
 public:
  /// All arguments must outlive it; `file` names the file in messages.
  CoverageReader(const nlohmann::json& data, std::string file, common::Diagnostics& diagnostics)
      : data_(data), file_(std::move(file)), diagnostics_(diagnostics) {}

  /// Nothing, or something incomplete, when there were errors.
  [[nodiscard]] std::optional<CoverageData> read();

 private:
  void error(const std::string& message) { diagnostics_.error({file_}, message); }
  void check_keys(const nlohmann::json& object, const std::string& prefix,
                  const std::vector<std::string_view>& keys);
  /// The value of a key; null when it is missing.
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
  /// One item for each port, or an error and null.
  [[nodiscard]] const nlohmann::json* ports(const nlohmann::json& item, const std::string& name,
                                            const CoverageData& coverage);
  /// Reads `count` hexadecimal words. `allowed(i)` has the bits that word i may have.
  template <typename Allowed>
  void words(const nlohmann::json& item, const std::string& name, std::size_t count,
             std::uint64_t* into, Allowed allowed);

  const nlohmann::json& data_;
  std::string file_;
  common::Diagnostics& diagnostics_;
};

}  // namespace kernbench::sim
