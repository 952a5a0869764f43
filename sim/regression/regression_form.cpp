// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "sim/regression/fabric_size.hpp"
#include "sim/regression/regression_spec.hpp"
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::sim {
namespace {

constexpr std::array<common::EnumName<SuiteKind>, 2> kSuiteKinds = {{
    {"traffic", SuiteKind::Traffic},
    {"connectivity", SuiteKind::Connectivity},
}};
constexpr std::array<common::EnumName<ResetPattern>, 2> kResetPatterns = {{
    {"random", ResetPattern::Random},
    {"sweep", ResetPattern::Sweep},
}};
constexpr double kMaxCycles = 1e9;
constexpr double kMaxRun = 1e6;

/// The map `fabric` of a file.
struct FabricFile {
  FabricSize size;
  double clock_ns = 1.0;
};

/// The map `types`: the weight of each type of packet.
struct TypeWeights {
  double unicast = 0;
  double x_multicast = 0;
  double y_multicast = 0;
  double broadcast = 0;
};

}  // namespace

const common::InputKind kRegressionFile = {.name = "regression",
                                           .title = "A regression file of kernbench sim (YAML)",
                                           .form = common::form_of<RegressionSpec>};

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::BackPressureSpec;
using sim::FabricFile;
using sim::FabricSize;
using sim::RegressionSpec;
using sim::ResetSpec;
using sim::SuiteSpec;
using sim::TrafficSpec;
using sim::TypeWeights;

/// Adds the members of the size that `size` returns from a T.
template <typename T, typename Size>
void add_size(Description<T>& description, Size size) {
  description
      .add(
          "nx", [size](auto& one) -> auto& { return size(one).nx; }, "columns of nodes")
      .within(2, 16)
      .add(
          "ny", [size](auto& one) -> auto& { return size(one).ny; }, "rows of nodes")
      .within(2, 16)
      .add(
          "flit_bits", [size](auto& one) -> auto& { return size(one).flit_bits; },
          "data bits of a packet")
      .within(1, 32);
}

template <>
const Description<FabricSize>& description_of() {
  static const auto kAll = [] {
    Description<FabricSize> description;
    add_size(
        description, [](auto& size) -> auto& { return size; });
    description.all_optional();
    return description;
  }();
  return kAll;
}

template <>
const Description<FabricFile>& description_of() {
  static const auto kAll = [] {
    Description<FabricFile> description;
    add_size(
        description, [](auto& fabric) -> auto& { return fabric.size; });
    description.add("clock_ns", &FabricFile::clock_ns, "period of the clock in ns")
        .above(0)
        .at_most(1e6)
        .all_optional();
    return description;
  }();
  return kAll;
}

template <>
const Description<TypeWeights>& description_of() {
  static const auto kAll = Description<TypeWeights>()
                               .add("unicast", &TypeWeights::unicast)
                               .within(0, 1e6)
                               .add("x_multicast", &TypeWeights::x_multicast)
                               .within(0, 1e6)
                               .add("y_multicast", &TypeWeights::y_multicast)
                               .within(0, 1e6)
                               .add("broadcast", &TypeWeights::broadcast)
                               .within(0, 1e6)
                               .all_optional();
  return kAll;
}

template <>
const Description<TrafficSpec>& description_of() {
  static const std::vector<std::string_view> names = sim::pattern_names();
  static const auto kAll =
      Description<TrafficSpec>()
          .add_converted(
              "pattern",
              [](const TrafficSpec& spec) { return std::string(sim::pattern_name(spec)); },
              [](TrafficSpec& spec, const std::string& name) { sim::set_pattern(spec, name); },
              "pattern of links, or kind of traffic")
          .one_of({names.begin(), names.end()})
          .add("load", &TrafficSpec::load,
               "probability per cycle that a link of the pattern starts a packet; a mean of bursts")
          .above(0)
          .at_most(1)
          .add("qos_high", &TrafficSpec::qos_high, "share of packets with high QoS")
          .within(0, 1)
          .add_named("payload", &TrafficSpec::payload, sim::kPayloadModeNames,
                     "random, walking_ones, zeros and ones fill the data; raw draws all bits")
          .add("hotspot_node", &TrafficSpec::hotspot_node, "node that hotspot prefers")
          .within(0, 255)
          .add("hotspot_share", &TrafficSpec::hotspot_share, "share of packets to that node")
          .within(0, 1)
          .add("burst_length", &TrafficSpec::burst_length, "packets of a burst")
          .within(1, sim::kMaxRun)
          .add("walk_packets", &TrafficSpec::walk_packets, "packets of link_walk on each link")
          .within(1, sim::kMaxRun)
          .add("longest", &TrafficSpec::longest,
               "longest run in cycles of heavy_tailed and length_sweep")
          .within(1, sim::kLongestRun)
          .add_converted(
              "types",
              [](const TrafficSpec& spec) {
                return TypeWeights{spec.types[0], spec.types[1], spec.types[2], spec.types[3]};
              },
              [](TrafficSpec& spec, const TypeWeights& types) {
                spec.types = {types.unicast, types.x_multicast, types.y_multicast, types.broadcast};
              },
              "weights of the types of packets; without it all are unicasts")
          .add("trace_file", &TrafficSpec::trace_file,
               "trace of the pattern trace; its path is relative to this file")
          .all_optional();
  return kAll;
}

template <>
const Description<BackPressureSpec>& description_of() {
  static const auto kAll =
      Description<BackPressureSpec>()
          .add_named("kind", &BackPressureSpec::kind, sim::kBackPressureNames,
                     "behaviour of the receivers, each by itself but in all_stalled")
          .add("ready_probability", &BackPressureSpec::ready_probability,
               "of random: probability of ready in each cycle")
          .within(0, 1)
          .add("ready_cycles", &BackPressureSpec::ready_cycles, "of periodic: cycles ready")
          .within(1, sim::kMaxRun)
          .add("stalled_cycles", &BackPressureSpec::stalled_cycles,
               "of periodic: cycles not ready after them")
          .within(1, sim::kMaxRun)
          .add("stall_length", &BackPressureSpec::stall_length,
               "cycles of a stall of long_stalls and all_stalled")
          .within(1, sim::kMaxRun)
          .add("stall_interval", &BackPressureSpec::stall_interval,
               "mean cycles between two stalls")
          .within(1, sim::kMaxRun)
          .add("longest", &BackPressureSpec::longest,
               "longest run in cycles of heavy_tailed and length_sweep")
          .within(1, sim::kLongestRun)
          .all_optional();
  return kAll;
}

template <>
const Description<ResetSpec>& description_of() {
  static const auto kAll =
      Description<ResetSpec>()
          .add_named("pattern", &ResetSpec::pattern, sim::kResetPatterns,
                     "random: resets of drawn widths, a quarter of them a fraction "
                     "of a clock; sweep: each width and each fraction once")
          .add("longest", &ResetSpec::longest, "widest reset in clocks")
          .within(1, 10'000)
          .add("count", &ResetSpec::count, "number of resets")
          .within(1, 10'000)
          .defaults_to("1")
          .only_if("pattern", {"random"})
          .all_optional();
  return kAll;
}

template <>
const Description<SuiteSpec>& description_of() {
  static const auto kAll =
      Description<SuiteSpec>()
          .add("name", &SuiteSpec::name, "name for --suite and reports")
          .add_named(
              "kind", &SuiteSpec::kind, sim::kSuiteKinds,
              "connectivity drives one packet at a time over each link, and takes no other key")
          .add("traffic", &SuiteSpec::traffic, "packets that the senders offer")
          .add("back_pressure", &SuiteSpec::back_pressure, "stalls of the receivers")
          .add("script", &SuiteSpec::script,
               "packets, stalls and resets one by one, in place of traffic, back_pressure and "
               "resets; the case is not part of the coverage")
          .defaults_to("none")
          .add("cycles", &SuiteSpec::cycles, "cycles with new packets, before the fabric drains")
          .within(1, sim::kMaxCycles)
          .add("seeds", &SuiteSpec::seeds, "number of seeds, each a case")
          .within(1, 10'000)
          .add("watchdog_cycles", &SuiteSpec::watchdog_cycles,
               "cycles without movement on a link after which the watchdog fails the case; more "
               "than "
               "any stall of the receivers")
          .within(10, sim::kMaxCycles)
          .add("after_failure", &SuiteSpec::after_failure,
               "cycles that a case runs on after a failure")
          .within(0, sim::kMaxCycles)
          .add("reset_at", &SuiteSpec::reset_at, "cycles in which resets of four clocks begin")
          .items_at_least(1)
          .refine([](ValueForm& cycles) { cycles.items().most = sim::kMaxCycles; })
          .add("resets", &SuiteSpec::resets, "resets that each seed draws; not with reset_at")
          .add_converted(
              "checks", [](const SuiteSpec& suite) { return sim::names_of(suite.checks); },
              [](SuiteSpec& suite, const std::vector<std::string>& names) {
                sim::set_checks(suite.checks, names);
              },
              "checkers of the suite; default: all but delivery")
          .one_of(sim::checker_names())
          .not_empty()
          .add("faults", &SuiteSpec::faults, "faults, each in a case of its own for every seed")
          .optional_from("kind")
          .rest_only_if("kind", {"traffic"});
  return kAll;
}

template <>
const Description<RegressionSpec>& description_of() {
  static const auto kAll =
      Description<RegressionSpec>()
          .add("name", &RegressionSpec::name, "name of the regression in reports")
          .add("dut", &RegressionSpec::dut, "design under test")
          .one_of({"topo"})
          .optional()
          .add_converted(
              "fabric",
              [](const RegressionSpec& spec) {
                return FabricFile{sim::size_of(spec.shape), spec.clock_ns};
              },
              [](RegressionSpec& spec, const FabricFile& fabric) {
                spec.shape = sim::shape_of(fabric.size);
                spec.clock_ns = fabric.clock_ns;
              },
              "size of TOPO")
          .add("seed", &RegressionSpec::seed,
               "seed of the first case of every suite; further seeds count up")
          .add("packets_per_link", &RegressionSpec::packets_per_link,
               "packets that every link must deliver under every kind of back-pressure; 0 for no "
               "goal")
          .add("full_coverage", &RegressionSpec::full_coverage,
               "a missed functional bin fails the regression")
          .add("deep_coverage", &RegressionSpec::deep_coverage,
               "lengths of stalls and idle times, resets, states and events are bins, too")
          .optional_from("fabric")
          .add("suites", &RegressionSpec::suites, "suites in the order in which they run")
          .not_empty();
  return kAll;
}

}  // namespace kernbench::common
