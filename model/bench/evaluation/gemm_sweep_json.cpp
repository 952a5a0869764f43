// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/gemm_sweep_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::model::bench {

namespace {

/// Tolerance of comparisons with the roofline, whose sides are rounded quotients.
constexpr double kRounding = 1 + 1e-9;
/// Largest number in a report: a double holds it exactly, and sums of a few fit into 64 bits.
constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;

/// Reads the data of one report and collects all errors.
class SweepReader {
 public:
  SweepReader(std::string file, common::Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  GemmSweep read(const nlohmann::json& data) {
    GemmSweep sweep;
    if (!has_keys(data, "data", {"programs", "peak_gmacs", "hbm_gbs", "points"})) return sweep;
    sweep.roofline = {whole(data, "data", "programs", 1), positive(data, "data", "peak_gmacs"),
                      positive(data, "data", "hbm_gbs")};
    const nlohmann::json& points = data["points"];
    if (!points.is_array() || points.empty()) {
      error("'data.points' must be a list of at least one point");
      return sweep;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string where = fmt::format("data.points[{}]", i);
      const std::size_t errors = diagnostics_.size();
      const GemmPoint point = read_point(points[i], where);
      if (diagnostics_.size() == errors) check(sweep, point, where);
      sweep.points.push_back(point);
    }
    return sweep;
  }

 private:
  void error(std::string message) { diagnostics_.error({file_}, std::move(message)); }

  /// Checks that an object has all `keys`, and no others but `optional`.
  bool has_keys(const nlohmann::json& json, const std::string& where,
                std::initializer_list<std::string_view> keys, std::string_view optional = {}) {
    if (!json.is_object()) {
      error(fmt::format("'{}' must be an object", where));
      return false;
    }
    bool all = true;
    for (const std::string_view key : keys) {
      if (json.contains(key)) continue;
      error(fmt::format("'{}' lacks '{}'", where, key));
      all = false;
    }
    for (const auto& item : json.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) != keys.end()) continue;
      if (item.key() == optional) continue;
      error(fmt::format("'{}' has an unknown key '{}'", where, item.key()));
    }
    return all;
  }

  std::uint64_t whole(const nlohmann::json& json, const std::string& where, const char* key,
                      std::uint64_t min, std::uint64_t max = kMost) {
    const nlohmann::json& value = json[key];
    if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      if (number >= min && number <= max) return number;
    }
    error(fmt::format("'{}.{}' must be a whole number from {} to {}, not {}", where, key, min, max,
                      shown(value)));
    return min;
  }

  double positive(const nlohmann::json& json, const std::string& where, const char* key) {
    const nlohmann::json& value = json[key];
    if (value.is_number() && value.get<double>() > 0) return value.get<double>();
    error(fmt::format("'{}.{}' must be a number above 0, not {}", where, key, shown(value)));
    return 1;
  }

  /// Reads one of the names of an enumeration.
  template <typename Enum, std::size_t N>
  Enum one_of(const std::array<common::EnumName<Enum>, N>& names, const nlohmann::json& json,
              const std::string& where, const char* key) {
    const nlohmann::json& value = json[key];
    std::string known;
    for (const auto& [name, meant] : names) {
      if (value == name) return meant;
      known += fmt::format("{}\"{}\"", known.empty() ? "" : " or ", name);
    }
    error(fmt::format("'{}.{}' must be {}, not {}", where, key, known, shown(value)));
    return names[0].second;
  }

  std::vector<trace::PathPart> limits(const nlohmann::json& json, const std::string& where) {
    std::vector<trace::PathPart> parts;
    if (!json.is_array()) {
      error(fmt::format("'{}' must be a list", where));
      return parts;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string part = fmt::format("{}[{}]", where, i);
      if (!has_keys(json[i], part, {"name", "time_ps"})) continue;
      const nlohmann::json& name = json[i]["name"];
      if (!name.is_string()) error(fmt::format("'{}.name' must be a name", part));
      parts.push_back(
          {name.is_string() ? name.get<std::string>() : "", time(json[i], part, "time_ps")});
    }
    return parts;
  }

  common::SimTime time(const nlohmann::json& json, const std::string& where, const char* key) {
    return common::SimTime::from_ps(static_cast<std::int64_t>(whole(json, where, key, 0)));
  }

  /// Reads the spread of a time.
  Spread spread(const nlohmann::json& json, const std::string& where) {
    Spread spread;
    if (!has_keys(json, where, {"runs", "seed", "least_delay_ps", "most_delay_ps", "times"})) {
      return spread;
    }
    spread.runs = whole(json, where, "runs", 1);
    spread.seed = whole(json, where, "seed", 0, ~std::uint64_t{0});
    spread.least_delay = time(json, where, "least_delay_ps");
    spread.most_delay = time(json, where, "most_delay_ps");
    const nlohmann::json& times = json["times"];
    if (!times.is_array() || times.size() != 1) {
      error(fmt::format("'{}.times' must be a list of one time", where));
      return spread;
    }
    const std::string first = where + ".times[0]";
    if (!has_keys(times[0], first,
                  {"name", "undisturbed_ps", "least_ps", "median_ps", "most_ps"})) {
      return spread;
    }
    if (!times[0]["name"].is_string()) error(fmt::format("'{}.name' must be a name", first));
    const TimeBand band{times[0]["name"].is_string() ? times[0]["name"].get<std::string>() : "",
                        time(times[0], first, "undisturbed_ps"), time(times[0], first, "least_ps"),
                        time(times[0], first, "median_ps"), time(times[0], first, "most_ps")};
    if (band.least > band.median || band.median > band.most) {
      error(fmt::format("'{}' must have its median from 'least_ps' to 'most_ps'", first));
    }
    spread.bands = {band};
    return spread;
  }

  static std::string shown(const nlohmann::json& value) {
    return value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, 60);
  }

  GemmPoint read_point(const nlohmann::json& json, const std::string& where) {
    GemmPoint point;
    if (!has_keys(json, where,
                  {"series", "m", "k", "n", "mapping", "stage_a", "stage_b", "took_ps", "macs",
                   "read_bytes", "written_bytes", "limits"},
                  "spread")) {
      return point;
    }
    const nlohmann::json& series = json["series"];
    if (!series.is_string() || series.get<std::string>().empty()) {
      error(fmt::format("'{}.series' must be a name", where));
    } else {
      point.gemm.series = series.get<std::string>();
    }
    point.gemm.m = whole(json, where, "m", 1);
    point.gemm.k = whole(json, where, "k", 1);
    point.gemm.n = whole(json, where, "n", 1);
    point.gemm.mapping = one_of(kSweepMappingNames, json, where, "mapping");
    point.gemm.a = one_of(kStagingNames, json, where, "stage_a");
    point.gemm.b = one_of(kStagingNames, json, where, "stage_b");
    point.took =
        common::SimTime::from_ps(static_cast<std::int64_t>(whole(json, where, "took_ps", 1)));
    point.macs = whole(json, where, "macs", 1);
    point.read_bytes = whole(json, where, "read_bytes", 1);
    point.written_bytes = whole(json, where, "written_bytes", 1);
    point.limits = limits(json["limits"], where + ".limits");
    if (json.contains("spread")) point.spread = spread(json["spread"], where + ".spread");
    return point;
  }

  void check(const GemmSweep& sweep, const GemmPoint& point, const std::string& where) {
    const auto same = [&](const GemmPoint& other) { return other.gemm == point.gemm; };
    if (std::any_of(sweep.points.begin(), sweep.points.end(), same)) {
      error(fmt::format("'{}' is the second point of {}", where, text_of(point.gemm)));
    }
    common::SimTime sum;
    for (const trace::PathPart& part : point.limits) sum = sum + part.time;
    if (sum != point.took) {
      error(fmt::format("'{}.limits' add up to {} ps, not to 'took_ps'", where, sum.ps()));
    }
    const double bound = sweep.roofline.bound(point.macs_per_byte());
    if (point.gmacs() > bound * kRounding) {
      error(fmt::format("'{}' is above the roofline: {:.6g} GMAC/s where {:.6g} are possible",
                        where, point.gmacs(), bound));
    }
  }

  std::string file_;
  common::Diagnostics& diagnostics_;
};

}  // namespace

nlohmann::json to_json(const GemmSweep& sweep) {
  nlohmann::json points = nlohmann::json::array();
  for (const GemmPoint& point : sweep.points) {
    nlohmann::json limits = nlohmann::json::array();
    for (const trace::PathPart& part : point.limits) {
      limits.push_back({{"name", part.name}, {"time_ps", part.time.ps()}});
    }
    points.push_back({{"series", point.gemm.series},
                      {"m", point.gemm.m},
                      {"k", point.gemm.k},
                      {"n", point.gemm.n},
                      {"mapping", common::name_of(kSweepMappingNames, point.gemm.mapping)},
                      {"stage_a", common::name_of(kStagingNames, point.gemm.a)},
                      {"stage_b", common::name_of(kStagingNames, point.gemm.b)},
                      {"took_ps", point.took.ps()},
                      {"macs", point.macs},
                      {"read_bytes", point.read_bytes},
                      {"written_bytes", point.written_bytes},
                      {"limits", std::move(limits)}});
    if (point.spread) points.back()["spread"] = common::json_of(*point.spread);
  }
  return {{"programs", sweep.roofline.programs},
          {"peak_gmacs", sweep.roofline.peak_gmacs},
          {"hbm_gbs", sweep.roofline.hbm_gbs},
          {"points", std::move(points)}};
}

GemmSweep read_gemm_sweep(const std::filesystem::path& path) {
  const common::ReportEnvelope report = common::read_report(path, kGemmSweepKind);
  common::Diagnostics diagnostics;
  GemmSweep sweep = SweepReader(path.string(), diagnostics).read(report.data);
  diagnostics.throw_if_any();
  return sweep;
}

}  // namespace kernbench::model::bench
