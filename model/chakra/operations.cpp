// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "common/diagnostics.hpp"
#include "model/chakra/memory_kernel.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::chakra {

using common::SimTime;
using runtime::Placement;
using runtime::Tensor;

namespace {

enum class Tag : std::uint8_t { Batch, Planned };

constexpr data::DataType kElement = data::DataType::F16;
constexpr std::uint64_t kRegionBytes = std::uint64_t{1} << 20U;  ///< of a PE, for loads and stores

std::uint64_t divided(std::uint64_t amount, std::uint64_t by) {
  return amount / by + (amount % by == 0 ? 0 : 1);
}

/// Returns names that a process group accepts, all different.
std::vector<std::string> names_for(const std::vector<TraceGroup>& groups) {
  std::set<std::string> taken = {"world", "all"};
  std::vector<std::string> names;
  for (const TraceGroup& group : groups) {
    std::string name = group.name.empty() ? "all" : group.name;
    for (char& c : name) {
      const bool valid = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '-' || c == '_';
      if (!valid) c = '_';
    }
    while (!group.name.empty() && !taken.insert(name).second) name += '_';
    names.push_back(std::move(name));
  }
  return names;
}

/// Returns the elements of a block of rows in each tensor of an operation.
std::uint64_t block_elements(const Operation& operation) {
  const std::string_view name = kCollectives[operation.collective].collective;
  const bool divides = operation.kind == Operation::Kind::Collective &&
                       (name == "reduce_scatter" || name == "scatter" || name == "all_to_all");
  const std::uint64_t blocks = divides ? operation.ranks.size() : 1;
  return divided(operation.bytes, blocks * bytes_of(kElement));
}

bool is_memory(const Operation& operation) {
  return operation.kind == Operation::Kind::Load || operation.kind == Operation::Kind::Store;
}

}  // namespace

Operations::Operations(const TraceSet& traces, bool reuse, Done done)
    : traces_(traces),
      reuse_(reuse),
      done_(std::move(done)),
      group_names_(names_for(traces.groups)),
      ranks_(traces.ranks.size()) {}

engine::Simulation& Operations::simulation() const {
  return ranks_[0].worker->kb().session().machine().simulation();
}

ccl::Group& Operations::group_of(ccl::Worker& worker, std::uint32_t group) const {
  const bool is_world = group == 0 && traces_.ranks.size() == worker.world_size();
  return worker.group(is_world ? "world" : group_names_[group], traces_.groups[group].ranks);
}

std::pair<Tensor, Tensor> Operations::tensors_of(ccl::Worker& worker, const Operation& operation,
                                                 std::uint32_t place) {
  const std::uint64_t columns = block_elements(operation);
  const auto tensor = [&](std::uint64_t rows, bool output) -> Tensor {
    if (rows == 0) return nullptr;
    Tensor& known = ranks_[worker.rank()].tensors[{rows, columns, output}];
    if (!known) {
      known = worker.kb().tensor(rows, columns, kElement,
                                 {Placement::Replicate, Placement::ColumnWise});
    }
    return known;
  };
  if (operation.kind == Operation::Kind::Message) {
    return {tensor(place == 0 ? 1 : 0, false), tensor(place == 0 ? 0 : 1, true)};
  }
  const ccl::Collective& collective =
      *ccl::find_collective(kCollectives[operation.collective].collective);
  const ccl::CallShape shape{static_cast<std::uint32_t>(operation.ranks.size()), operation.root};
  const Tensor input = tensor(collective.input_blocks(place, shape), false);
  const std::uint32_t output_blocks = collective.output_blocks(place, shape);
  const bool in_place = collective.name == "all_reduce" || collective.name == "broadcast";
  if (in_place) return {tensor(1, false), tensor(1, false)};
  return {input, tensor(output_blocks, true)};
}

void Operations::prepare(ccl::Worker& worker) {
  const std::uint32_t rank = worker.rank();
  ranks_[rank].worker = &worker;
  const RankTrace& trace = traces_.ranks[rank];
  std::uint64_t memory_bytes = 0;
  try {
    for (const Node& node : trace.nodes) {
      if (node.kind == NodeKind::Load || node.kind == NodeKind::Store) {
        memory_bytes = std::max(memory_bytes, node.bytes);
      } else if (node.kind == NodeKind::Send || node.kind == NodeKind::Receive) {
        const bool sends = node.kind == NodeKind::Send;
        (void)tensors_of(worker, {Operation::Kind::Message, 0, 0, 0, node.bytes}, sends ? 0 : 1);
      } else if (node.kind == NodeKind::Collective) {
        const CollectiveCall& call = trace.calls[node.detail];
        const std::vector<std::uint32_t>& ranks = traces_.groups[call.group].ranks;
        const auto place = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
        (void)tensors_of(worker,
                         {Operation::Kind::Collective, call.collective, call.group, call.root,
                          node.bytes, ranks},
                         static_cast<std::uint32_t>(place));
      }
    }
    if (memory_bytes == 0) return;
    const std::uint64_t pes = std::uint64_t{worker.kb().cubes()} * worker.kb().pes();
    const std::uint64_t region = std::min(divided(memory_bytes, pes), kRegionBytes);
    ranks_[rank].memory = worker.kb().tensor(1, region * pes, data::DataType::I8,
                                             {Placement::ColumnWise, Placement::ColumnWise});
  } catch (const memory::OutOfMemory& error) {
    throw common::BadInput(
        fmt::format("the tensors of rank {} do not fit: {}", rank, error.what()));
  }
}

void Operations::issue(Operation operation, std::uint64_t tag) {
  if (issued_.empty()) simulation().schedule(simulation().now(), *this, {Tag::Batch, 0});
  issued_.push_back({std::move(operation), tag});
}

void Operations::on_event(engine::EventArgument argument) {
  if (argument.tag<Tag>() == Tag::Batch) return begin_batch();
  const Planned planned = planned_[argument.index()];
  free_plans_.push_back(argument.index());
  --planned_in_flight_;
  --in_flight_;
  done_(planned.tag, planned.place, planned.time);
}

void Operations::begin_batch() {
  const std::vector<Issued> batch = std::exchange(issued_, {});
  std::vector<Operation> key;
  for (const Issued& issued : batch) key.push_back(issued.operation);
  const bool idle = in_flight_ == 0;
  if (planned_in_flight_ != 0) overlapping_ += batch.size();
  recording_.reset();
  if (reuse_ && idle) {
    if (const auto known = known_.find(key); known != known_.end()) {
      return take_over(batch, known->second);
    }
    recording_ = Recording{std::move(key), simulation().now(), {}};
  }
  for (const Issued& issued : batch) in_flight_ += issued.operation.ranks.size();
  simulated_ += batch.size();
  for (std::size_t number = 0; number < batch.size(); ++number) simulate(batch[number], number);
}

void Operations::take_over(const std::vector<Issued>& batch, const std::vector<Part>& parts) {
  const SimTime now = simulation().now();
  reused_ += batch.size();
  in_flight_ += parts.size();
  planned_in_flight_ += parts.size();
  for (const Part& part : parts) {
    if (free_plans_.empty()) {
      free_plans_.push_back(static_cast<std::uint32_t>(planned_.size()));
      planned_.emplace_back();
    }
    const std::uint32_t plan = free_plans_.back();
    free_plans_.pop_back();
    planned_[plan] = {
        batch[part.number].tag, part.place, {now + part.time.start, now + part.time.end}};
    simulation().schedule(planned_[plan].time.end, *this, {Tag::Planned, plan});
  }
}

void Operations::simulate(const Issued& issued, std::size_t number) {
  const Operation& operation = issued.operation;
  for (std::uint32_t place = 0; place < operation.ranks.size(); ++place) {
    ccl::Worker& worker = *ranks_[operation.ranks[place]].worker;
    const auto start = std::make_shared<SimTime>();
    worker.kb().notify([this, start] { *start = simulation().now(); });
    request(worker, operation, place);
    worker.kb().notify([this, start, place, number, tag = issued.tag] {
      const OperationTime time{*start, simulation().now()};
      --in_flight_;
      if (recording_) {
        const SimTime begin = recording_->begin;
        recording_->parts.push_back({number, place, {time.start - begin, time.end - begin}});
        if (in_flight_ == 0) {
          known_.emplace(std::move(recording_->batch), std::move(recording_->parts));
          recording_.reset();
        }
      }
      done_(tag, place, time);
    });
  }
}

void Operations::request(ccl::Worker& worker, const Operation& operation, std::uint32_t place) {
  if (is_memory(operation)) {
    const bool stores = operation.kind == Operation::Kind::Store;
    worker.kb().launch(stores ? "store" : "load",
                       [region = ranks_[worker.rank()].memory->view(), bytes = operation.bytes,
                        stores](kernel::Tl& tl) { move_bytes(tl, region, bytes, stores); });
    return;
  }
  const auto [input, output] = tensors_of(worker, operation, place);
  ccl::Member member = worker.in(group_of(worker, operation.group));
  if (operation.kind == Operation::Kind::Collective) {
    member.run(kCollectives[operation.collective].collective, output, input, operation.root);
  } else if (place == 0) {
    member.send(input, operation.ranks[1]);
  } else {
    member.receive(output, operation.ranks[0]);
  }
}

}  // namespace kernbench::model::chakra
