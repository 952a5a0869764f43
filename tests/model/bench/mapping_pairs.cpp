// SPDX-License-Identifier: Apache-2.0
#include "tests/model/bench/mapping_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "model/bench/mapping_search.hpp"
#include "model/ccl/algorithm.hpp"
#include "tests/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

using common::SimTime;

namespace {

constexpr std::uint64_t kSeed = 20261129;
constexpr unsigned kJobs = 2;

topology::TopologyGraph machine(std::uint32_t sips, std::uint32_t w, std::uint32_t h,
                                double hbm = 1.0) {
  topology::TopologySpec spec;
  spec.system.sips = sips;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  spec.cube.memory_map.hbm_total_bw_gbs *= hbm;
  spec.cube.links.router_to_hbm.bw_gbs *= hbm;
  return topology::compile_topology(spec);
}

/// Draws whole numbers, the same on every platform.
class Draw {
 public:
  /// Returns a number from `least` to `most`; each power of two between them is as likely.
  std::uint64_t size(double least, double most) {
    const double share = static_cast<double>(engine_() >> 11U) / 9007199254740992.0;  // 2^53
    return static_cast<std::uint64_t>(least * std::pow(most / least, share));
  }
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  std::string of(const std::vector<std::string>& values) { return values[below(values.size())]; }

 private:
  std::mt19937_64 engine_{kSeed};
};

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

ParameterValues draw_values(const std::string& bench, Draw& draw) {
  if (bench == "gemm") {
    const std::uint64_t m = draw.size(8, 2048);
    const std::uint64_t k = draw.size(16, 2048);
    return {{"m", text(m)}, {"k", text(k)}, {"n", text(draw.size(8, 2048))}};
  }
  if (bench == "attention") {
    const std::uint64_t queries = draw.size(1, 3000);
    const std::uint64_t keys = draw.size(64, 3000);
    return {{"queries", text(queries)},
            {"keys", text(keys)},
            {"size", draw.of({"64", "128"})},
            {"causal", draw.of({"no", "no", "yes"})}};
  }
  if (bench == "softmax" || bench == "layernorm") {
    const std::uint64_t rows = draw.size(1, 2048);
    const double most = std::min(131072.0, 4194304.0 / static_cast<double>(rows));
    return {{"rows", text(rows)}, {"columns", text(draw.size(64, most))}};
  }
  if (bench == "mlp") {
    return {{"batch", text(draw.size(4, 512))},
            {"inputs", text(draw.size(64, 768))},
            {"hidden", text(4 * draw.size(32, 256))},
            {"outputs", text(draw.size(64, 512))},
            {"type", draw.of({"f32", "f16"})}};
  }
  if (bench == "transformer") {
    return {{"model", places::source("/configs/models/tiny.yaml")},
            {"layers", "1"},
            {"batch", text(1 + draw.below(4))},
            {"prompt", text(16 * draw.size(1, 16))},
            {"decode", "1"}};
  }
  return {{"collective", draw.of({"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                  "reduce", "all_to_all"})},
          {"bytes", text(1024 * draw.size(1, 128))}};
}

/// Returns the time of the regions with these values; nothing if it is more than `limit`.
std::optional<SimTime> time_of(const MappingPair& pair, const RunOptions& base,
                               const ParameterValues& values, std::size_t regions, SimTime limit) {
  RunOptions options = base;
  for (const auto& [name, value] : values) options.parameters[name] = value;
  options.region_limit = {regions, limit};
  try {
    return span_of(run_bench(find_bench(pair.bench), mapping_machines()[pair.machine], options));
  } catch (const std::exception&) {  // later than the limit, or it does not fit
    return std::nullopt;
  }
}

/// Returns parts of a SIP: all cubes, halves and quarters, with all PEs and half of them.
std::vector<ParameterValues> parts_of(const topology::TopologySpec& spec) {
  std::set<std::pair<std::string, std::string>> parts;
  for (const std::uint32_t x : {1U, 2U}) {
    for (const std::uint32_t y : {1U, 2U}) {
      for (const std::uint32_t pes : {1U, 2U}) {
        const topology::Grid grid{std::max(spec.sip.cube_mesh_w / x, 1U),
                                  std::max(spec.sip.cube_mesh_h / y, 1U)};
        parts.emplace(cubes_text(grid), std::to_string(std::max(spec.cube.pes() / pes, 1U)));
      }
    }
  }
  std::vector<ParameterValues> values;
  for (const auto& [cubes, pes] : parts) values.push_back({{"cubes", cubes}, {"pes", pes}});
  return values;
}

}  // namespace

const std::vector<topology::TopologyGraph>& mapping_machines() {
  static const std::vector<topology::TopologyGraph> kAll = [] {
    std::vector<topology::TopologyGraph> all;
    all.push_back(machine(1, 4, 4));
    all.push_back(machine(1, 8, 4));
    all.push_back(machine(1, 4, 4, 0.5));
    all.push_back(machine(2, 2, 2));
    all.push_back(machine(1, 2, 1));
    all.push_back(machine(1, 1, 1));
    return all;
  }();
  return kAll;
}

std::vector<MappingPair> drawn_pairs() {
  const std::vector<std::pair<std::string, std::size_t>> counts = {
      {"gemm", 70},        {"attention", 70}, {"softmax", 35},   {"layernorm", 35},
      {"transformer", 30}, {"mlp", 30},       {"collective", 30}};
  std::vector<MappingPair> pairs;
  Draw draw;
  for (const auto& [bench, count] : counts) {
    for (std::size_t i = 0; i < count; ++i) {
      // A collective needs two SIPs.
      const std::size_t machine = bench == "collective" ? 3 : i % mapping_machines().size();
      pairs.push_back({bench, draw_values(bench, draw), machine});
    }
  }
  return pairs;
}

PairResult measure_pair(const MappingPair& pair) {
  const Bench& bench = find_bench(pair.bench);
  const topology::TopologyGraph& graph = mapping_machines()[pair.machine];
  RunOptions options;
  options.parameters = pair.values;
  options.ccl = {"pairs", "backend: ahbm\n"};
  const MappedRun mapped = run_mapped(bench, graph, options, kJobs);
  const SimTime chosen = span_of(mapped.result);
  const std::size_t regions = mapped.result.regions.size();

  PairResult result{pair};
  SimTime best = chosen;
  const auto compare = [&](const ParameterValues& values, const RunOptions& with,
                           const std::string& name) {
    const auto time = time_of(pair, with, values, regions, best);
    if (!time || *time >= best) return;
    best = *time;
    result.best = name;
  };
  const ParameterValues values = resolve_parameters(bench, pair.values);
  if (bench.any_part) {
    for (const ParameterValues& part : parts_of(graph.spec())) {
      ParameterValues on_part = values;
      for (const auto& [name, value] : part) on_part[name] = value;
      const auto mappings = bench.mappings ? bench.mappings(values, graph.spec(),
                                                            part_of(bench, on_part, graph.spec()))
                                           : std::vector<Mapping>();
      if (mappings.empty()) compare(part, options, Mapping{part}.name());
      for (Mapping mapping : mappings) {
        mapping.values.insert(part.begin(), part.end());
        compare(mapping.values, options, mapping.name());
      }
    }
  } else {
    for (const ccl::Algorithm* algorithm : ccl::algorithms_of(values.at("collective"))) {
      RunOptions named = options;
      named.ccl.text +=
          fmt::format("algorithms: {{{}: {}}}\n", values.at("collective"), algorithm->name);
      compare({}, named, algorithm->name);
    }
  }
  result.ratio = chosen.ns() / best.ns();
  return result;
}

std::string text_of(const PairResult& result) {
  return fmt::format("{} {} on machine {}: {:.3f}{}", result.pair.bench,
                     Mapping{result.pair.values}.name(), result.pair.machine, result.ratio,
                     result.best.empty() ? "" : ", best " + result.best);
}

}  // namespace kernbench::model::bench
