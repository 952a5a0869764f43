// SPDX-License-Identifier: Apache-2.0
#include "model/bench/mapping_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <set>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "common/parallel.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/launch_roofline.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

using common::SimTime;

namespace {

/// Mappings that are later than the best by more than this share are not simulated to their end.
constexpr double kCompeting = 0.1;

/// Longer work has enough for all cubes and PEs.
constexpr SimTime kLongest = SimTime::from_ps(500'000'000);

SimTime share_of(SimTime time, double share) {
  return SimTime::from_ns(time.ns() * share);
}

/// A mapping on a part of the SIPs.
struct Candidate {
  ParameterValues values;  ///< parameters without the part
  runtime::DevicePart part;
  double least_ns = 0;

  friend bool operator==(const Candidate& a, const Candidate& b) {
    return a.values == b.values && a.part == b.part;
  }
};

struct Timed {
  Candidate candidate;
  SimTime time;
  bool is_halved = false;  ///< the halves of its part have been tried
};

class Search {
 public:
  Search(const Bench& bench, const topology::TopologyGraph& graph, const RunOptions& options,
         unsigned jobs)
      : bench_(bench),
        graph_(graph),
        options_(options),
        jobs_(jobs),
        values_(resolve_parameters(bench, options.parameters)),
        part_(part_of(bench, values_, graph.spec())),
        has_cubes_(is_free("cubes")),
        has_pes_(is_free("pes")) {}

  MappedRun run() {
    const std::vector<Candidate> on_all = candidates_on(part_, {});
    if (on_all.size() < 2 && !has_cubes_ && !has_pes_) {
      return {run_bench(bench_, graph_, options_), options_, std::nullopt};
    }
    const Candidate& first = on_all.front();
    RunOptions options = with(first);
    options.trace = nullptr;  // it would have the hops of two runs
    options.record.reset();   // such a run takes no time
    MappedRun run{run_bench(bench_, graph_, options), with(first), MappingChoice()};
    best_ = first_ = {first, span_of(run.result)};
    measure_work(run.result);
    challenge(on_all);
    if (best_.time <= kLongest) {
      challenge(smaller_parts(first));
      while (const std::optional<Candidate> next = next_to_halve()) challenge(smaller_parts(*next));
    }
    if (!(best_.candidate == first) || options_.trace != nullptr || options_.record) {
      run.options = with(best_.candidate);
      run.result = run_bench(bench_, graph_, run.options);
    }
    run.mapping->chosen = {name_of(best_.candidate), best_.time};
    if (next_ && next_->time <= limit()) {
      run.mapping->next = TimedMapping{name_of(next_->candidate), next_->time};
    }
    run.mapping->simulated = tried_.size();
    return run;
  }

 private:
  /// Returns whether a common parameter of the bench is "auto".
  [[nodiscard]] bool is_free(const std::string& name) const {
    return bench_.any_part && !own_parameters(bench_, values_).contains(name) &&
           values_.at(name) == "auto";
  }

  /// Returns the mappings on a part, or one with the values `otherwise` if the bench has none.
  [[nodiscard]] std::vector<Candidate> candidates_on(const runtime::DevicePart& part,
                                                     const ParameterValues& otherwise) const {
    std::vector<Candidate> candidates;
    if (bench_.mappings) {
      for (const Mapping& mapping : bench_.mappings(values_, graph_.spec(), part)) {
        candidates.push_back({mapping.values, part, mapping.least_ns});
      }
    }
    if (candidates.empty()) candidates.push_back({otherwise, part});
    return candidates;
  }

  [[nodiscard]] topology::Grid cubes_of(const Candidate& candidate) const {
    return candidate.part.grid(graph_.spec());
  }
  [[nodiscard]] std::uint32_t pes_of(const Candidate& candidate) const {
    return candidate.part.pes_of_cube(graph_.spec());
  }

  /// Returns all parameters that the search sets.
  [[nodiscard]] ParameterValues all_values(const Candidate& candidate) const {
    ParameterValues values = candidate.values;
    if (has_cubes_) values["cubes"] = cubes_text(cubes_of(candidate));
    if (has_pes_) values["pes"] = std::to_string(pes_of(candidate));
    return values;
  }

  [[nodiscard]] RunOptions with(const Candidate& candidate) const {
    RunOptions options = options_;
    for (const auto& [name, value] : all_values(candidate)) options.parameters[name] = value;
    return options;
  }

  [[nodiscard]] std::string name_of(const Candidate& candidate) const {
    return Mapping{all_values(candidate)}.name();
  }

  /// Adds up the work of a run, which is that of every mapping.
  void measure_work(const RunResult& result) {
    for (const LaunchFigures& figures :
         launch_figures(result.launches, result.recorder->log(), graph_)) {
      macs_ += figures.macs;
    }
    std::set<std::uint32_t> sips;
    for (const runtime::LaunchRecord& launch : result.launches) sips.insert(launch.device.sip);
    sips_ = sips.size();
    regions_ = result.regions.size();
  }

  /// Returns a time that the multiply-adds take at least on the PEs of a candidate.
  [[nodiscard]] double least_ns(const Candidate& candidate) const {
    const std::uint64_t pes = sips_ * candidate.part.all_pes(graph_.spec());
    return std::max(candidate.least_ns, least_engine_time(macs_, pes, graph_.spec().pe).ns());
  }

  /// Returns all mappings on the halves of the part of a candidate.
  [[nodiscard]] std::vector<Candidate> smaller_parts(const Candidate& candidate) const {
    std::vector<runtime::DevicePart> parts;
    const topology::Grid cubes = cubes_of(candidate);
    const std::uint32_t pes = pes_of(candidate);
    const auto half = [](std::uint32_t size) { return (size + 1) / 2; };
    if (has_cubes_ && cubes.nodes() > 1) {
      parts.push_back({cubes.nx > cubes.ny ? topology::Grid{half(cubes.nx), cubes.ny}
                                           : topology::Grid{cubes.nx, half(cubes.ny)},
                       pes});
    }
    if (has_pes_ && pes > 1) parts.push_back({cubes, half(pes)});
    std::vector<Candidate> candidates;
    for (const runtime::DevicePart& part : parts) {
      const std::vector<Candidate> on_part = candidates_on(part, candidate.values);
      candidates.insert(candidates.end(), on_part.begin(), on_part.end());
    }
    return candidates;
  }

  /// Returns the fastest candidate that competes with the best, and whose halves are not tried yet.
  [[nodiscard]] std::optional<Candidate> next_to_halve() {
    auto fastest = timed_.end();
    for (auto timed = timed_.begin(); timed != timed_.end(); ++timed) {
      const bool is_open = !timed->is_halved && timed->time <= limit();
      if (is_open && (fastest == timed_.end() || timed->time < fastest->time)) fastest = timed;
    }
    if (fastest == timed_.end()) return std::nullopt;
    fastest->is_halved = true;
    return fastest->candidate;
  }

  /// Simulates the candidates that are new and not excluded.
  void challenge(const std::vector<Candidate>& candidates) {
    std::vector<Candidate> open;
    for (const Candidate& candidate : candidates) {
      const bool is_known = candidate == first_.candidate ||
                            std::find(tried_.begin(), tried_.end(), candidate) != tried_.end();
      if (is_known || least_ns(candidate) >= limit().ns()) continue;
      open.push_back(candidate);
      tried_.push_back(candidate);
    }
    std::vector<std::optional<SimTime>> times(open.size());
    common::in_parallel(open.size(), jobs_, [&](std::size_t i) { times[i] = time_of(open[i]); });
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (times[i]) take({open[i], *times[i]});
    }
  }

  /// Makes a mapping the best if it is faster, and than the first one by enough. Another one that
  /// is as good is the next.
  void take(const Timed& timed) {
    timed_.push_back(timed);
    const bool is_worthwhile = timed.time < share_of(first_.time, 1.0 - kWorthwhile);
    if (is_worthwhile && timed.time < best_.time) {
      next_ = std::exchange(best_, timed);
    } else if (!next_ || timed.time < next_->time) {
      next_ = timed;
    }
  }

  [[nodiscard]] SimTime limit() const { return share_of(best_.time, 1.0 + kCompeting); }

  /// Returns the time of a candidate; nothing if it is late or cannot run.
  [[nodiscard]] std::optional<SimTime> time_of(const Candidate& candidate) const {
    RunOptions plain = timed_only(with(candidate));
    plain.samples = false;
    plain.record.reset();
    plain.delays.reset();
    plain.region_limit = {regions_, limit()};
    try {
      return span_of(run_bench(bench_, graph_, plain));
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  const Bench& bench_;
  const topology::TopologyGraph& graph_;
  const RunOptions& options_;
  unsigned jobs_;
  ParameterValues values_;
  runtime::DevicePart part_;
  bool has_cubes_;
  bool has_pes_;
  std::uint64_t macs_ = 0;
  std::uint64_t sips_ = 0;
  std::size_t regions_ = 0;
  Timed first_{};
  Timed best_{};
  std::optional<Timed> next_;
  std::vector<Timed> timed_;  ///< that were not late, without the first
  std::vector<Candidate> tried_;
};

}  // namespace

SimTime span_of(const RunResult& result) {
  if (result.regions.empty()) return result.end;
  SimTime end;
  for (const runtime::MeasuredRegion& region : result.regions) end = std::max(end, region.end());
  return end - result.regions.front().start;
}

MappedRun run_mapped(const Bench& bench, const topology::TopologyGraph& graph,
                     const RunOptions& options, unsigned jobs) {
  return Search(bench, graph, options, jobs).run();
}

}  // namespace kernbench::model::bench

namespace kernbench::common {

using model::bench::MappingChoice;
using model::bench::TimedMapping;

template <>
const Description<TimedMapping>& description_of() {
  static const auto kAll = Description<TimedMapping>()
                               .add("name", &TimedMapping::name, "parameters in place of auto")
                               .not_empty()
                               .add("time_ps", &TimedMapping::time,
                                    "from the start of the first measured region to the end of the "
                                    "last, or of the run");
  return kAll;
}

template <>
const Description<MappingChoice>& description_of() {
  static const auto kAll =
      Description<MappingChoice>()
          .add("chosen", &MappingChoice::chosen)
          .add("next", &MappingChoice::next, "the fastest of the others")
          .absent_unless("another is at most 10 % later")
          .add("simulated", &MappingChoice::simulated, "other mappings that were simulated");
  return kAll;
}

}  // namespace kernbench::common
