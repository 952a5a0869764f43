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
constexpr std::uint64_t kRegionBytes = std::uint64_t{1}
                                       << 20U;  ///< region of a PE for loads and stores

std::uint64_t divided(std::uint64_t amount, std::uint64_t by) {
  return amount / by + (amount % by == 0 ? 0 : 1);
}

/// Returns the first group with the same ranks, for each group.
std::vector<std::uint32_t> first_alike(const std::vector<TraceGroup>& groups) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> first;
  std::vector<std::uint32_t> result;
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    result.push_back(first.emplace(groups[group].ranks, group).first->second);
  }
  return result;
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
      first_alike_(first_alike(traces.groups)),
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
  for (std::size_t i = 1; i < kStreams; ++i) ranks_[rank].streams[i] = worker.kb().add_stream();
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
        if (ranks.size() == 1) continue;
        const auto place = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
        (void)tensors_of(worker,
                         {Operation::Kind::Collective, call.collective, call.group, call.root,
                          node.bytes, ranks},
                         static_cast<std::uint32_t>(place));
      }
    }
    if (memory_bytes == 0) return;
    const std::uint64_t pes = std::uint64_t{worker.kb().cubes()} * worker.kb().pes();
    const std::uint64_t region =
        divided(std::min(divided(memory_bytes, pes), kRegionBytes), bytes_of(kMemoryElement).bytes);
    ranks_[rank].memory = worker.kb().tensor(1, region * pes, kMemoryElement,
                                             {Placement::ColumnWise, Placement::ColumnWise});
  } catch (const memory::OutOfMemory& error) {
    throw common::BadInput(
        fmt::format("the tensors of rank {} do not fit: {}", rank, error.what()));
  }
}

void Operations::issue(Operation operation, std::uint64_t tag) {
  if (free_.empty()) {
    free_.push_back(static_cast<Id>(issued_.size()));
    issued_.emplace_back();
  }
  const Id id = free_.back();
  free_.pop_back();
  operation.group = first_alike_[operation.group];
  const std::size_t parts = operation.ranks.size();
  issued_[id] = {std::move(operation), tag, 0, parts, 0, {}, std::vector<SimTime>(parts)};
  for (std::uint32_t place = 0; place < parts; ++place) {
    const Operation& issued = issued_[id].operation;
    std::deque<Id>& queue = ranks_[issued.ranks[place]].queues[stream_of(issued, place)];
    queue.push_back(id);
    if (queue.size() == 1) advance(id);
  }
}

std::size_t Operations::stream_of(const Operation& operation, std::uint32_t place) {
  if (operation.kind != Operation::Kind::Message) return 0;
  auto& known = ranks_[operation.ranks[place]].stream_of_peer;
  const std::size_t next = 1 + known.size() % (kStreams - 1);
  return known.try_emplace({place == 0, operation.ranks[1 - place]}, next).first->second;
}

void Operations::advance(Id id) {
  if (++issued_[id].next_at != issued_[id].operation.ranks.size()) return;
  if (starting_.empty()) simulation().schedule(simulation().now(), *this, {Tag::Batch, 0});
  starting_.push_back(id);
}

void Operations::on_event(engine::EventArgument argument) {
  if (argument.tag<Tag>() == Tag::Batch) return begin_batch();
  const Planned planned = planned_[argument.index()];
  free_plans_.push_back(argument.index());
  --planned_in_flight_;
  --in_flight_;
  end_part(planned.id, planned.place);
}

void Operations::begin_batch() {
  const std::vector<Id> batch = std::exchange(starting_, {});
  const SimTime now = simulation().now();
  std::vector<Operation> key;
  for (std::size_t number = 0; number < batch.size(); ++number) {
    Issued& issued = issued_[batch[number]];
    issued.number = number;
    issued.begin = now;
    key.push_back(issued.operation);
  }
  recording_.reset();
  const bool idle = in_flight_ == 0;
  const auto known_batch = reuse_ && idle ? known_batches_.find(key) : known_batches_.end();
  if (known_batch != known_batches_.end()) {
    reused_ += batch.size();
    for (const Part& part : known_batch->second) plan(batch[part.number], part.place, part.time);
    return;
  }
  const bool alone = idle && batch.size() == 1;
  const std::uint64_t reused_before = reused_;
  for (const Id id : batch) {
    const auto known = known_.find(issued_[id].operation);
    const bool reuses = reuse_ && !alone && known != known_.end();
    if (planned_in_flight_ != 0 || (reuses && in_flight_ != 0)) ++overlapping_;
    if (!reuses) {
      ++simulated_;
      simulate(id);
      continue;
    }
    ++reused_;
    for (std::uint32_t place = 0; place < known->second.size(); ++place) {
      plan(id, place, known->second[place]);
    }
  }
  if (idle && reused_ == reused_before) recording_ = Recording{std::move(key), {}};
}

void Operations::plan(Id id, std::uint32_t place, SimTime time) {
  if (free_plans_.empty()) {
    free_plans_.push_back(static_cast<std::uint32_t>(planned_.size()));
    planned_.emplace_back();
  }
  const std::uint32_t number = free_plans_.back();
  free_plans_.pop_back();
  planned_[number] = {id, place};
  simulation().schedule(issued_[id].begin + time, *this, {Tag::Planned, number});
  ++in_flight_;
  ++planned_in_flight_;
}

void Operations::simulate(Id id) {
  const Operation operation = issued_[id].operation;
  in_flight_ += operation.ranks.size();
  for (std::uint32_t place = 0; place < operation.ranks.size(); ++place) {
    const Rank& rank = ranks_[operation.ranks[place]];
    const runtime::Stream stream = rank.streams[stream_of(operation, place)];
    rank.worker->kb().in(stream, [&] { request(*rank.worker, operation, place); });
    const auto ended = [this, id, place] {
      Issued& issued = issued_[id];
      issued.times[place] = simulation().now() - issued.begin;
      --in_flight_;
      if (recording_) {
        recording_->parts.push_back({issued.number, place, issued.times[place]});
        if (in_flight_ == 0) {
          known_batches_.emplace(std::move(recording_->batch), std::move(recording_->parts));
          recording_.reset();
        }
      }
      if (issued.left == 1) known_.emplace(issued.operation, issued.times);
      end_part(id, place);
    };
    rank.worker->kb().in(stream, [&] { rank.worker->kb().notify(ended); });
  }
}

void Operations::end_part(Id id, std::uint32_t place) {
  const std::uint64_t tag = issued_[id].tag;
  const SimTime begin = issued_[id].begin;
  const Operation& operation = issued_[id].operation;
  std::deque<Id>& queue = ranks_[operation.ranks[place]].queues[stream_of(operation, place)];
  if (--issued_[id].left == 0) free_.push_back(id);
  queue.pop_front();
  if (!queue.empty()) advance(queue.front());
  done_(tag, place, begin);
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
