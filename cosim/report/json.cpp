// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/description.hpp"
#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "cosim/report/transfer_paths.hpp"
#include "sim/report/rtl_forms.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using common::Outcome;
using common::SimTime;
using model::fabric::TimedTransfer;
using Json = nlohmann::json;

namespace {

/// Rounds to six decimals, which is precise enough and keeps 896 links readable.
double rounded(double utilization) {
  return std::round(utilization * 1e6) / 1e6;
}

class Report {
 public:
  Report(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip)
      : results_(results), sip_(sip), paths_(sip) {}

  [[nodiscard]] Json data() const {
    const maze::Shape shape = maze_shape(sip_);
    Json workloads = Json::array();
    for (const WorkloadResult& result : results_) workloads.push_back(workload(result));
    const sim::CoverageSummary coverage = rtl_coverage(results_);
    return {{"shape", {{"nx", shape.nx}, {"ny", shape.ny}, {"flit_w", shape.flit_w}}},
            {"period_ps", SimTime::from_ns(sip_.maze.clock_ns).ps()},
            {"order", common::name_of(topology::kDimensionOrderNames, sip_.maze.order)},
            {"nodes", common::name_of(model::fabric::kMazeNodeKindNames, nodes_of(results_))},
            {"failed_node", sip_.maze.failed_node ? Json(*sip_.maze.failed_node) : Json()},
            {"coverage", coverage.groups.empty() ? Json() : common::json_of(coverage)},
            {"workloads", std::move(workloads)}};
  }

 private:
  [[nodiscard]] Json workload(const WorkloadResult& result) const {
    Json runs = Json::array();
    for (const FabricRun& run : result.runs) runs.push_back(one_run(result, run));
    Json json = {
        {"name", result.workload.name},
        {"outcome", common::name(result.outcome)},
        {"reason", result.reason},
        {"offered", nullptr},
        {"transfers", result.runs.empty() ? 0 : result.runs.front().transfers},
        {"operations", nullptr},
        {"parting", result.parting ? failures_json(result.parting->rtl->failures) : Json()},
        {"runs", std::move(runs)},
        {"links", nullptr}};
    if (result.workload.machine != nullptr) json["operations"] = operations(result);
    if (const auto& offered = result.workload.offered) {
      json["offered"] = {{"load", offered->load},
                         {"senders", offered->senders},
                         {"warmup_cycles", offered->warmup},
                         {"cycles", offered->cycles}};
    }
    if (const FabricRun* run = run_of_links(result)) {
      Json utilization = Json::array();
      for (const double of_link : link_utilization(*run, sip_)) {
        utilization.push_back(rounded(of_link));
      }
      json["links"] = {{"fabric", common::name_of(kFabricKindNames, run->fabric)},
                       {"complete", run->outcome == Outcome::Pass},
                       {"packets", run->clocked->link_packets},
                       {"utilization", std::move(utilization)},
                       {"load", load(*run)}};
    }
    return json;
  }

  /// Returns one text per window: a number a line would take six times the space.
  [[nodiscard]] static Json load(const FabricRun& run) {
    const model::fabric::LinkWindows& windows = run.clocked->link_windows;
    Json texts = Json::array();
    for (const auto& packets : windows.packets) {
      texts.push_back(fmt::format("{}", fmt::join(packets, " ")));
    }
    return {{"window_cycles", windows.cycles}, {"sips", run.mazes}, {"packets", std::move(texts)}};
  }

  [[nodiscard]] Json one_run(const WorkloadResult& result, const FabricRun& run) const {
    std::size_t done = 0;
    for (const auto& played : run.played) done += played.done ? 1 : 0;
    const bool complete = run.outcome == Outcome::Pass;
    const ClockedResults clocked = run.clocked.value_or(ClockedResults{});
    const RtlResults rtl = run.rtl.value_or(RtlResults{});
    const bool has_numbers = run.machine && run.machine->result_hash;
    Json checkers = Json::array();
    for (const sim::CheckerResult& checker : rtl.checkers) {
      checkers.push_back(
          {{"name", checker.name}, {"checks", checker.checks}, {"failures", checker.failures}});
    }
    Json json = {
        {"fabric", common::name_of(kFabricKindNames, run.fabric)},
        {"outcome", common::name(run.outcome)},
        {"reason", run.reason},
        {"transfers_done", done},
        {"result_hash", has_numbers ? Json(common::hex64(*run.machine->result_hash)) : Json()},
        {"packets", run.packets},
        {"cycles", run.clocked ? Json(clocked.cycles) : Json()},
        // In hexadecimal: many JSON readers keep only 53 bits of a number.
        {"packet_hash", run.clocked ? Json(common::hex64(clocked.packet_hash)) : Json()},
        {"accepted", nullptr},
        {"grade", to_json(grade_of(run.fabric))},
        {"latency", complete ? latency(result.workload, run) : Json()},
        {"error", nullptr},
        {"checkers", std::move(checkers)},
        {"failures", failures_json(rtl.failures)},
        {"fault", rtl.fault ? fault(*rtl.fault) : Json()},
        {"model_hash", rtl.build_hash.empty() ? Json() : Json(rtl.build_hash)}};
    if (complete && result.workload.offered) {
      json["accepted"] = accepted_load(result.workload, run, sip_);
    }
    const FabricRun* reference = result.reference();
    if (complete && run.fabric == FabricKind::Analytic && reference != nullptr &&
        reference != &run) {
      json["error"] = error(result, run, *reference);
    }
    return json;
  }

  [[nodiscard]] Json latency(const Workload& workload, const FabricRun& run) const {
    Json histogram = Json::array();
    for (const auto& [cycles, count] : latency_histogram(workload, run, sip_)) {
      histogram.push_back({cycles, count});
    }
    const LatencySummary summary = summarize(run, first_measured(workload, sip_));
    return {{"mean_ps", summary.mean},
            {"median_ps", summary.median},
            {"p95_ps", summary.p95},
            {"max_ps", summary.max},
            {"histogram_cycles", std::move(histogram)}};
  }

  [[nodiscard]] Json error(const WorkloadResult& result, const FabricRun& run,
                           const FabricRun& reference) const {
    const LatencyError error = latency_error(run, reference);
    Json worst = Json::array();
    for (const std::size_t index : error.worst) {
      worst.push_back(result.workload.machine != nullptr ? operation(result, index)
                                                         : offender(result, index));
    }
    return {{"reference", common::name_of(kFabricKindNames, reference.fabric)},
            {"median", error.median},
            {"p95", error.p95},
            {"max", error.max},
            {"mean_signed", error.mean_signed},
            {"worst", std::move(worst)}};
  }

  /// Returns the latencies of an operation or a transfer by fabric, null where it did not complete.
  [[nodiscard]] static Json latencies(const WorkloadResult& result, std::size_t index) {
    Json latencies = Json::object();
    for (const FabricRun& run : result.runs) {
      const bool is_done = index < run.played.size() && run.played[index].done;
      latencies[std::string(common::name_of(kFabricKindNames, run.fabric))] =
          is_done ? Json(run.latency(index).ps()) : Json();
    }
    return latencies;
  }

  /// Returns the operations of the reference run.
  [[nodiscard]] static Json operations(const WorkloadResult& result) {
    Json all = Json::array();
    const FabricRun* reference = result.reference();
    if (reference == nullptr) return all;
    for (std::size_t i = 0; i < reference->machine->operations.size(); ++i) {
      all.push_back(operation(result, i));
    }
    return all;
  }

  [[nodiscard]] static Json operation(const WorkloadResult& result, std::size_t index) {
    Json starts = Json::object();
    for (const FabricRun& run : result.runs) {
      starts[std::string(common::name_of(kFabricKindNames, run.fabric))] =
          index < run.played.size() ? Json(run.played[index].submitted->ps()) : Json();
    }
    return {{"operation", index},
            {"name", result.reference()->machine->operations[index]},
            {"start_ps", std::move(starts)},
            {"latency_ps", latencies(result, index)}};
  }

  /// Returns the breakdown of a unicast's latency over the cycle reference, or null.
  [[nodiscard]] Json lost(const WorkloadResult& result, std::size_t index) const {
    const auto lost = lost_time_of(result, index);
    if (!lost) return {};
    return {{"path", lost->path(paths_.links())},
            {"place", lost->place(paths_.links())},
            {"cycles",
             {{"latency", lost->latency},
              {"serialization", lost->serialization},
              {"minimum", lost->minimum},
              {"behind_others", lost->behind_others},
              {"source_output", lost->source_output},
              {"first_link", lost->first_link},
              {"corner", lost->corner},
              {"second_link", lost->second_link},
              {"exit", lost->exit}}}};
  }

  [[nodiscard]] Json offender(const WorkloadResult& result, std::size_t index) const {
    const TimedTransfer& transfer = result.workload.transfers[index];
    const TransferPath path = paths_.of(transfer);
    const auto node_name = [&](const std::optional<unsigned>& node) {
      return node ? Json(paths_.links().coordinates(*node)) : Json();
    };
    Json links = Json::array();
    for (const topology::MazeLink& link : path.links) {
      links.push_back(paths_.links().link_name(link));
    }
    return {{"transfer", index},
            {"type", common::name_of(model::fabric::kTransferTypeNames, transfer.type)},
            {"qos", common::name_of(model::fabric::kQosNames, transfer.qos)},
            {"src", transfer.src},
            {"dst", path.destination ? Json(*path.destination) : Json()},
            {"bytes", transfer.bytes},
            {"at_ps", transfer.at.ps()},
            {"latency_ps", latencies(result, index)},
            {"lost", lost(result, index)},
            {"path",
             {{"source", node_name(path.source)},
              {"corner", node_name(path.corner)},
              {"destination", node_name(path.destination)},
              {"links", std::move(links)}}}};
  }

  [[nodiscard]] Json failures_json(const std::vector<sim::Failure>& failures) const {
    Json all = Json::array();
    for (const sim::Failure& failure : failures) {
      all.push_back({{"checker", failure.checker},
                     {"kind", failure.kind},
                     {"cycle", failure.cycle},
                     {"link", failure.link ? link(*failure.link) : Json()},
                     {"message", failure.message}});
    }
    return all;
  }

  [[nodiscard]] Json link(const sim::LinkEnd& end) const {
    return {{"node", end.node},
            {"port", end.port},
            {"name", paths_.links().link_name(paths_.links().leaving(end.node, end.port))}};
  }

  [[nodiscard]] Json fault(const sim::FaultResult& fault) const {
    return {{"kind", fault.kind},
            {"link", link(fault.link)},
            {"injected_at", fault.injected_at ? Json(*fault.injected_at) : Json()},
            {"caught_by", fault.caught_by}};
  }

  const std::vector<WorkloadResult>& results_;
  const topology::SipSpec& sip_;
  TransferPaths paths_;
};

}  // namespace

std::map<std::uint64_t, std::uint64_t> latency_histogram(const Workload& workload,
                                                         const FabricRun& run,
                                                         const topology::SipSpec& sip) {
  const std::int64_t period = SimTime::from_ns(sip.maze.clock_ns).ps();
  std::map<std::uint64_t, std::uint64_t> histogram;
  std::size_t first = first_measured(workload, sip);
  if (first == run.played.size()) first = 0;
  for (std::size_t i = first; i < run.played.size(); ++i) {
    ++histogram[static_cast<std::uint64_t>((run.latency(i).ps() + period - 1) / period)];
  }
  return histogram;
}

const FabricRun* run_of_links(const WorkloadResult& result) {
  for (const FabricKind kind : {FabricKind::Rtl, FabricKind::Cycle}) {
    if (const FabricRun* run = result.run(kind)) return run;
  }
  return nullptr;
}

nlohmann::json json_data(const std::vector<WorkloadResult>& results, const topology::SipSpec& sip) {
  return Report(results, sip).data();
}

std::string config_hash(const topology::SipSpec& sip, const std::vector<Workload>& workloads,
                        const Options& options) {
  const maze::Shape shape = maze_shape(sip);
  common::ByteHash hash;
  hash.add(fmt::format("{} {} {} {} {}\n", shape.nx, shape.ny, shape.flit_w,
                       SimTime::from_ns(sip.maze.clock_ns).ps(), static_cast<int>(sip.maze.order)));
  hash.add(fmt::format("{} {}\n",
                       common::name_of(model::fabric::kMazeNodeKindNames, options.run.nodes),
                       sip.maze.failed_node ? static_cast<int>(*sip.maze.failed_node) : -1));
  for (const FabricKind kind : options.fabrics) {
    hash.add(common::name_of(kFabricKindNames, kind));
    hash.add(" ");
  }
  const FabricRunOptions& run = options.run;
  const model::fabric::AnalyticParameters analytic =
      run.analytic.value_or(model::fabric::default_parameters(run.nodes));
  hash.add(fmt::format("\n{} {} {} {}\n", analytic.queue_packets, analytic.stage_packets,
                       analytic.restart_cycles, analytic.multicast_stride));
  hash.add(fmt::format("{} {} {} {}\n", run.receiver_stalls, run.seed, run.rtl.watchdog_cycles,
                       run.rtl.seed));
  if (const auto& fault = run.rtl.fault) {
    hash.add(fmt::format("{} {} {}", sim::fault_name(fault->kind), fault->cycle, fault->duration));
    if (fault->link) hash.add(fmt::format(" {} {}", fault->link->node, fault->link->port));
    hash.add("\n");
  }
  for (const Workload& workload : workloads) {
    hash.add(workload.name);
    if (workload.machine != nullptr) hash.add(" " + workload.machine_config);
    if (const auto& offered = workload.offered) {
      hash.add(fmt::format(" {} {} {} {}", offered->load, offered->senders, offered->warmup,
                           offered->cycles));
    }
    for (const TimedTransfer& transfer : workload.transfers) {
      hash.add(fmt::format("\n{} {} {} {} {} {}", transfer.at.ps(), transfer.src, transfer.dst,
                           static_cast<int>(transfer.type), static_cast<int>(transfer.qos),
                           transfer.bytes));
    }
    hash.add("\n");
  }
  return common::hex64(hash.value());
}

}  // namespace kernbench::cosim
