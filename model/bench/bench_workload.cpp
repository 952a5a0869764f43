// SPDX-License-Identifier: Apache-2.0
#include "model/bench/bench_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "model/data/memory_store.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::model::bench {

using common::Outcome;
using components::MachineRun;
using components::WorkloadFailure;
using data::HostCopyParams;
using data::OpRecord;

namespace {

/// Returns the SIP of a host copy. The hosts of several ranks share one component.
std::uint32_t sip_of(const HostCopyParams& copy) {
  for (const data::Placed& part : copy.parts) {
    for (const data::Stretch& stretch : part.block.stretches) {
      return topology::decode_phys_addr(stretch.pa).sip;
    }
  }
  return 0;
}

/// The PE or host that issued an operation. A program issues its operations in order; the order
/// between two programs depends on the fabric.
struct Program {
  bool of_pe = true;  ///< the host comes first
  std::uint32_t sip = 0;
  std::uint32_t cube = 0;
  std::uint32_t pe = 0;

  friend bool operator==(const Program&, const Program&) = default;
  [[nodiscard]] auto key() const { return std::tie(of_pe, sip, cube, pe); }

  [[nodiscard]] std::string name() const {
    namespace names = topology::node_names;
    return of_pe ? names::pe(sip, cube, pe) : "host " + names::sip(sip);
  }
};

Program program_of(const OpRecord& record, const topology::TopologyGraph& graph) {
  if (const auto* const copy = std::get_if<HostCopyParams>(&record.params)) {
    return {false, sip_of(*copy), 0, 0};
  }
  const topology::Node& node = graph.node(record.component);
  return {true, node.sip, node.cube, node.pe};
}

struct ProgramOperation {
  Program program;
  const OpRecord* record = nullptr;
};

/// Returns true for a note of the verifier, which the bench did not ask for.
bool is_peek(const OpRecord& record) {
  const auto* const copy = std::get_if<HostCopyParams>(&record.params);
  return copy != nullptr && !copy->to_device && copy->result >= runtime::Session::kFirstPeek;
}

/// Returns the operations of the log by program, an order that does not depend on time.
std::vector<ProgramOperation> in_order_of_programs(const data::OpLog& log,
                                                   const topology::TopologyGraph& graph) {
  std::vector<ProgramOperation> operations;
  for (const OpRecord& record : log.records()) {
    if (is_peek(record)) continue;
    operations.push_back({program_of(record, graph), &record});
  }
  std::stable_sort(operations.begin(), operations.end(),
                   [](const auto& a, const auto& b) { return a.program.key() < b.program.key(); });
  return operations;
}

/// Sorts launches by device, an order that does not depend on time; the launches of one device keep
/// their order.
std::vector<runtime::LaunchRecord> launches_by_device(std::vector<runtime::LaunchRecord> launches) {
  const auto key = [](const runtime::LaunchRecord& launch) {
    return std::tie(launch.device.sip, launch.device.cubes, launch.device.pes);
  };
  std::stable_sort(launches.begin(), launches.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return launches;
}

/// Names operations, for example "intercube-center#12 ipcq_copy sip0.cube3.pe1" for the 12th
/// operation of that PE in its kernel.
class OperationNames {
 public:
  explicit OperationNames(const std::vector<runtime::LaunchRecord>& launches)
      : launches_(launches) {}

  std::string next(const ProgramOperation& operation) {
    const runtime::LaunchRecord* const launch = launch_of(operation);
    if (operation.program != program_ || launch != launch_) {
      program_ = operation.program;
      launch_ = launch;
      count_ = 0;
    }
    return fmt::format("{}#{} {} {}", launch != nullptr ? launch->kernel : "copy", ++count_,
                       op_name(operation.record->params), operation.program.name());
  }

 private:
  [[nodiscard]] const runtime::LaunchRecord* launch_of(const ProgramOperation& operation) const {
    if (!operation.program.of_pe) return nullptr;
    const Program& program = operation.program;
    const runtime::LaunchRecord* first = nullptr;  // that ends after the operation
    for (const runtime::LaunchRecord& launch : launches_) {
      if (operation.record->end > launch.end ||
          !launch.device.has({program.sip, program.cube, program.pe})) {
        continue;
      }
      if (first == nullptr || launch.end < first->end) first = &launch;
    }
    return first;
  }

  const std::vector<runtime::LaunchRecord>& launches_;
  Program program_;
  const runtime::LaunchRecord* launch_ = nullptr;
  std::uint64_t count_ = 0;
};

void require_right_numbers(const RunResult& result) {
  std::uint64_t elements = 0;
  for (const auto* const list : {&result.checks, &result.contracts}) {
    for (const runtime::CheckReport& check : *list) {
      elements += check.elements;
      if (check.wrong == 0) continue;
      throw WorkloadFailure(Outcome::Mismatch,
                            fmt::format("{}: {} of {} numbers are wrong; first {}", check.name,
                                        check.wrong, check.elements, check.first_wrong));
    }
  }
  if (elements == 0) throw WorkloadFailure(Outcome::Vacuous, "the bench checks no numbers");
}

std::uint64_t hash_of_results(const std::vector<ProgramOperation>& operations,
                              const RunResult& result) {
  common::ByteHash hash;
  for (const ProgramOperation& operation : operations) {
    const auto* const copy = std::get_if<HostCopyParams>(&operation.record->params);
    if (copy == nullptr || copy->to_device) continue;
    const data::Array& numbers = result.results.at(copy->result);
    hash.add(fmt::format("{} {} {}\n", data::name_of(numbers.type()), numbers.rows(),
                         numbers.columns()));
    hash.add({reinterpret_cast<const char*>(numbers.bytes().data()), numbers.bytes().size()});
  }
  // The data of members of collectives do not depend on the order of their calls in time.
  std::uint64_t peeked = 0;
  for (const auto& [number, numbers] : result.peeks) {
    const data::Bytes& bytes = numbers.bytes();
    common::ByteHash one;
    one.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    peeked += one.value();
  }
  hash.add(fmt::format("{}", peeked));
  return hash.value();
}

/// run_bench() with its failures as those of a workload.
RunResult run_to_end(const Bench& bench, const topology::TopologyGraph& graph,
                     const RunOptions& options) {
  const auto failed = [&](Outcome outcome, const std::exception& error) {
    return WorkloadFailure(outcome, fmt::format("bench '{}': {}", bench.name, error.what()));
  };
  try {
    return run_bench(bench, graph, options);
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(error.what());
  } catch (const NothingSubmitted& error) {
    throw failed(Outcome::Vacuous, error);
  } catch (const TimeLimitReached& error) {
    throw failed(Outcome::Timeout, error);
  } catch (const RunDeadlocked& error) {
    throw failed(Outcome::Deadlock, error);
  } catch (const RunFailed& error) {
    throw failed(Outcome::Mismatch, error);
  } catch (const data::ReplayError& error) {
    throw failed(Outcome::Mismatch, error);
  }
}

}  // namespace

BenchWorkload::BenchWorkload(const Bench& bench, const topology::TopologyGraph& graph,
                             const std::map<std::string, std::string>& parameters,
                             runtime::CclSource ccl)
    : bench_(bench),
      graph_(graph),
      parameters_(resolve_parameters(bench, parameters)),
      ccl_(std::move(ccl)) {}

void BenchWorkload::limit_host_time(std::chrono::milliseconds limit,
                                    std::function<void(const std::string&)> on_timeout) {
  host_time_limit_ = limit;
  on_host_timeout_ = std::move(on_timeout);
}

MachineRun BenchWorkload::run(const components::MachineOptions& options) const {
  RunOptions run_options;
  run_options.parameters = parameters_;
  run_options.ccl = ccl_;
  run_options.verify = true;
  run_options.upload = true;  // the host's copies belong to the traffic of the fabric
  run_options.trace = options.trace;
  run_options.make_fabric = options.make_fabric;
  run_options.host_time_limit = host_time_limit_;
  run_options.on_host_timeout = on_host_timeout_;
  const RunResult result = run_to_end(bench_, graph_, run_options);
  require_right_numbers(result);

  MachineRun run;
  const std::vector<runtime::LaunchRecord> launches = launches_by_device(result.launches);
  for (const runtime::LaunchRecord& launch : launches) {
    run.operations.push_back(
        {fmt::format("{} {}", launch.kernel, launch.device.name()), launch.start, launch.end});
  }
  const std::vector<ProgramOperation> operations =
      in_order_of_programs(result.recorder->log(), graph_);
  OperationNames names(launches);
  for (const ProgramOperation& operation : operations) {
    run.operations.push_back(
        {names.next(operation), operation.record->start, operation.record->end});
  }
  run.result_hash = hash_of_results(operations, result);
  return run;
}

std::string BenchWorkload::config() const {
  std::string text = "bench " + bench_.name;
  for (const auto& [name, value] : parameters_) text += fmt::format(" {}={}", name, value);
  std::string groups = ccl_.text;
  if (groups.empty() && std::filesystem::exists(ccl_.name)) {
    groups = common::read_text_file(ccl_.name);
  }
  return text + ", process groups " + common::hex64(common::hash_bytes(groups));
}

}  // namespace kernbench::model::bench
