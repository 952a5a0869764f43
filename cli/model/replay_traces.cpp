// SPDX-License-Identifier: Apache-2.0
#include "cli/model/replay_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/run_end.hpp"
#include "cli/model/run_text.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/grade.hpp"
#include "common/hash.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"
#include "model/bench/runner.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/chakra/read_traces.hpp"
#include "model/chakra/replay.hpp"
#include "model/chakra/replay_report.hpp"
#include "model/chakra/timeline.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {

using common::Outcome;
using common::SimTime;
using model::chakra::KindFigures;
using model::chakra::NodeKind;
using model::chakra::ReplayResult;
using model::chakra::TraceSet;

namespace {

constexpr std::size_t kListedNames = 20;
constexpr std::size_t kLongestName = 80;

double microseconds(SimTime time) {
  return time.ns() / 1000.0;
}

std::string us(SimTime time) {
  return fixed_text(microseconds(time), 3);
}

/// Returns "rf_id (12), tid (3)" with at most kListedNames names.
template <typename Counts>
std::string list_of_counts(const Counts& counts) {
  std::vector<std::string> texts;
  for (const auto& [name, count] : counts) {
    if (texts.size() == kListedNames) {
      texts.push_back(fmt::format("and {} more", counts.size() - kListedNames));
      break;
    }
    texts.push_back(common::printable(fmt::format("{} ({})", name, count), kLongestName));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void print_replay(const TraceSet& traces, const ReplayResult& result, const common::Grade& grade) {
  TextTable nodes({"nodes", "number", "busy (us)", "waited (us)"});
  for (std::size_t i = 0; i < model::chakra::kNodeKinds; ++i) {
    const KindFigures& kind = result.kinds[i];
    if (kind.nodes == 0) continue;
    nodes.add({std::string(name_of(static_cast<NodeKind>(i))), sim::grouped(kind.nodes),
               us(kind.busy), us(kind.waited)});
  }
  print_table(nodes);
  print("\n");
  TextTable ranks(
      {"rank", "end (us)", "computing (us)", "on host (us)", "communicating (us)", "exposed (us)"});
  for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
    const model::chakra::RankFigures& figures = result.ranks[rank];
    ranks.add({std::to_string(rank), us(figures.end), us(figures.computing), us(figures.on_host),
               us(figures.communicating), us(figures.exposed)});
  }
  print_table(ranks);
  print("\n{:.3f} us in all ({}), {} operations simulated, {} reused, {} flit-hops\n",
        microseconds(result.end), grade.name(), result.simulated, result.reused,
        result.run.flit_hops);
  print_reasons(grade);
  if (result.overlapping != 0) {
    print("operations that do not meet the traffic of others in flight, because of reuse: {}\n",
          result.overlapping);
  }
  for (const model::chakra::CallFigures& call : result.calls) {
    const std::string size =
        call.bytes == 0 ? std::string() : fmt::format(" of {} bytes", call.bytes);
    print("{}{} of {}: {} call{}, {:.3f} to {:.3f} us\n", call.collective, size,
          call.group.empty() ? "all ranks" : fmt::format("group '{}'", call.group), call.calls,
          call.calls == 1 ? "" : "s", microseconds(call.shortest), microseconds(call.longest));
  }
  print_choices(result.run);
  if (!traces.unknown_types.empty()) {
    print("unknown types of nodes, which took no time: {}\n", list_of_counts(traces.unknown_types));
  }
  if (!traces.unknown_attributes.empty()) {
    print("attributes without effect: {}\n", list_of_counts(traces.unknown_attributes));
  }
}

void warn_of_replay(const TraceSet& traces, const ReplayResult& result) {
  if (traces.absent_dependencies != 0) {
    print_warning(fmt::format("{} dependenc{} on nodes that are not in the files count as done",
                              traces.absent_dependencies,
                              traces.absent_dependencies == 1 ? "y" : "ies"));
  }
  if (traces.dropped_dependencies != 0) {
    print_warning(fmt::format(
        "{} control dependencies are not followed: with them nodes would wait for each other",
        traces.dropped_dependencies));
  }
  if (result.without_time != 0) {
    print_warning(fmt::format(
        "{} computation{} took no time: neither duration, num_ops nor tensor_size is given",
        result.without_time, result.without_time == 1 ? "" : "s"));
  }
}

/// The options of a replay.
struct TraceOptions {
  std::string spec;
  std::vector<std::string> set;
  std::string ccl;
  std::string compute = "recorded";
  std::string reuse = "on";
  ReportFiles files;
  std::string trace;
  std::string trace_detail = "operations";
  std::optional<double> time_limit_us;  ///< limit of simulated time
  double timeout_s = 3600.0;            ///< limit of host time
};

void describe(Command& replay, TraceOptions& options, const Invocation& invocation) {
  const std::size_t first = replay.options().size();
  add_topology_option(replay, options.spec, invocation);
  add_ccl_option(replay, options.ccl, invocation);
  add_topology_set_option(replay, options.set);
  add_fabric_option(replay, options.set);
  replay
      .add_option("--compute", options.compute,
                  "Time of computations: recorded, their duration; ops, by their operations and "
                  "bytes")
      .check(one_of({"recorded", "ops"}));
  replay
      .add_option("--reuse", options.reuse,
                  "on: operations that were simulated before take the same time again; off: "
                  "simulate all")
      .check(one_of({"on", "off"}));
  add_report_files(replay, options.files);
  add_timeline_options(replay, options.trace, options.trace_detail);
  replay
      .add_option("--time-limit-us", options.time_limit_us,
                  "Limit of simulated time in us; exit code 3 when exceeded")
      .check(real_number(1e-3, 1e9));
  add_host_timeout_option(replay, options.timeout_s);
  for (std::size_t i = first; i < replay.options().size(); ++i) {
    replay.options()[i]->in_group(kReplayOfTraces);
  }
}

/// Replays the traces, prints the figures and writes the report and the timeline.
Outcome replay(const TraceOptions& options, const std::string& prefix,
               const Invocation& invocation) {
  model::bench::RunOptions run;
  run.ccl.name = options.ccl;
  run.show_progress = true;
  run.time_limit = options.time_limit_us ? common::SimTime::from_ns(*options.time_limit_us * 1000.0)
                                         : common::SimTime::max();
  run.host_time_limit = host_time_limit(options.timeout_s);
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const std::uint32_t ranks =
      model::ccl::read_ccl_config(run.ccl.name, resolved.graph.spec()).world_size;
  const TraceSet traces = model::chakra::read_traces(prefix, ranks);

  model::trace::HopTrace hops;
  if (options.trace_detail == "hops") run.trace = &hops;
  const std::string about = fmt::format("traces {}: ", prefix);
  run.on_host_timeout = [&about](const std::string& what) { end_by_host_timeout(about + what); };
  model::chakra::ReplayOptions how;
  how.compute = options.compute == "ops" ? model::chakra::ComputeTime::Operations
                                         : model::chakra::ComputeTime::Recorded;
  how.reuse = options.reuse == "on";
  how.spans = !options.trace.empty();
  return outcome_of_benches(about, [&] {
    const ReplayResult result = model::chakra::replay(traces, resolved.graph, run, how);
    print("traces {}: {} rank{}\n", prefix, traces.ranks.size(),
          traces.ranks.size() == 1 ? "" : "s");
    print_machine(resolved.graph.spec());
    print("\n");
    const common::Grade grade = grade_of(resolved.graph.spec(), result);
    print_replay(traces, result, grade);
    warn_of_replay(traces, result);
    if (options.files.any()) {
      const plot::ReportKind& kind = model::chakra::kReplayReport;
      common::ReportEnvelope report = topology_envelope(kind.name, Outcome::Pass, options.spec,
                                                        invocation, topology_settings(options.set));
      report.config_hash = common::hex64(common::hash_bytes(
          report.config_hash + common::hex64(traces.hash.value()) +
          common::read_text_file(run.ccl.name) + options.compute + options.reuse));
      report.grade = grade;
      report.data = common::to_json(
          model::chakra::ReplayReport{prefix, options.compute, how.reuse, traces, result});
      options.files.write(kind, report);
    }
    if (!options.trace.empty()) {
      std::ostringstream text;
      const std::string left_out =
          model::chakra::write_timeline(traces, result, resolved.graph, hops, text);
      if (!left_out.empty()) print("timeline: {}\n", left_out);
      common::write_file_atomically(options.trace, text.str());
    }
    return Outcome::Pass;
  });
}

}  // namespace

std::function<Outcome(const std::string& prefix)> describe_replay_of_traces(
    Command& command, const Invocation& invocation) {
  const auto options = std::make_shared<TraceOptions>();
  describe(command, *options, invocation);
  return [options, &invocation](const std::string& prefix) {
    return replay(*options, prefix, invocation);
  };
}

}  // namespace kernbench::cli
