// SPDX-License-Identifier: Apache-2.0
#include "model/bench/timeline_counters.hpp"
#include "topology/spec/topology_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace kernbench::model::bench {

using common::SimTime;
using topology::NodeKind;

namespace {

struct Quantity {
  std::string_view name;
  std::string_view unit;
};
enum : std::size_t { kRead, kWritten, kAccesses, kMessages, kWaiting, kQuantities };
constexpr std::array<Quantity, kQuantities> kAll = {{{"DMA read", "GB/s"},
                                                     {"DMA write", "GB/s"},
                                                     {"accesses at the HBM", "accesses"},
                                                     {"messages between cubes", "messages"},
                                                     {"work waiting in PEs", "tiles"}}};

/// Returns the shortest step of 1, 2 or 5 times a power of ten in ps that needs at most `steps`.
std::int64_t step_for(SimTime end, std::size_t steps) {
  std::int64_t step = 1000;
  for (std::size_t i = 0; end.ps() / step >= static_cast<std::int64_t>(steps); ++i) {
    step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  }
  return step;
}

/// The amounts of each step for each quantity of a SIP: bytes, or ps times a number of things.
class Steps {
 public:
  Steps(std::int64_t step, std::size_t count) : step_(step) {
    for (std::vector<std::uint64_t>& one : amounts_) one.resize(count);
  }

  /// Spreads an amount evenly over a time.
  void add(std::size_t quantity, SimTime begin, SimTime end, std::uint64_t amount) {
    std::vector<std::uint64_t>& steps = amounts_.at(quantity);
    const auto whole = static_cast<double>((end - begin).ps());
    std::uint64_t done = 0;
    for (std::int64_t at = begin.ps() / step_; done < amount; ++at) {
      const std::int64_t to = std::min((at + 1) * step_, end.ps());
      const auto until = static_cast<double>(to - begin.ps());
      const std::uint64_t sum =
          to >= end.ps() ? amount
                         : static_cast<std::uint64_t>(static_cast<double>(amount) * until / whole);
      steps.at(static_cast<std::size_t>(at)) += sum - done;
      done = sum;
    }
  }
  /// Counts one thing from `begin` to `end`.
  void add_stay(std::size_t quantity, SimTime begin, SimTime end) {
    add(quantity, begin, end, static_cast<std::uint64_t>((end - begin).ps()));
  }

  /// Writes a value wherever it changes.
  void write(trace::TraceEventWriter& writer, std::size_t process) const {
    for (std::size_t quantity = 0; quantity < kQuantities; ++quantity) {
      const std::vector<std::uint64_t>& steps = amounts_.at(quantity);
      const bool bytes = quantity == kRead || quantity == kWritten;
      std::uint64_t last = 0;
      for (std::size_t at = 0; at <= steps.size(); ++at) {
        const std::uint64_t amount = at < steps.size() ? steps[at] : 0;
        if (amount == last) continue;
        last = amount;
        writer.counter(
            process, kAll.at(quantity).name, kAll.at(quantity).unit,
            SimTime::from_ps(static_cast<std::int64_t>(at) * step_),
            static_cast<double>(amount) * (bytes ? 1000.0 : 1.0) / static_cast<double>(step_));
      }
    }
  }

 private:
  std::int64_t step_;
  std::array<std::vector<std::uint64_t>, kQuantities> amounts_;
};

}  // namespace

void write_counters(trace::TraceEventWriter& writer, const topology::TopologyGraph& graph,
                    const data::OpLog& log, const trace::HopTrace& hops, SimTime end,
                    std::size_t steps) {
  const std::size_t sips = graph.spec().system.sips;
  const std::size_t of_each = std::max<std::size_t>(steps / sips / kQuantities, 1);
  const std::int64_t step = step_for(end, std::min<std::size_t>(of_each, 1000));
  const auto count = static_cast<std::size_t>(end.ps() / step + 1);
  std::map<std::uint16_t, Steps> all;
  const auto of = [&](topology::NodeId node) -> Steps& {
    return all.try_emplace(graph.node(node).sip, step, count).first->second;
  };
  for (const data::StageRecord& stage : log.stages()) {
    const bool read = stage.kind == components::StageKind::DmaRead;
    if (!read && stage.kind != components::StageKind::DmaWrite) continue;
    of(stage.component).add(read ? kRead : kWritten, stage.start, stage.end, stage.work);
  }
  for (const trace::HopRecord& hop : hops.records()) {
    const NodeKind kind = graph.node(hop.node).kind;
    if (kind == NodeKind::HbmCtrl) of(hop.node).add_stay(kAccesses, hop.arrive, hop.depart);
    if (kind == NodeKind::UciePhy) of(hop.node).add_stay(kMessages, hop.arrive, hop.depart);
    if (hop.why == trace::WaitReason::EngineBusy) {
      of(hop.node).add_stay(kWaiting, hop.arrive, hop.arrive + hop.wait);
    }
  }
  for (const auto& [sip, one] : all) one.write(writer, std::size_t{sip} + 2);
}

}  // namespace kernbench::model::bench
