// SPDX-License-Identifier: Apache-2.0
#include "model/data/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "model/data/memory_blocks.hpp"
#include "model/data/producers.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::data {

namespace {

/// Numbers of steps of all PEs. A step ends with a send and with the end of a launch.
using Clock = std::vector<std::uint32_t>;

void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

/// The step of accesses whose PE has not waited for them yet: no other access is after them.
constexpr std::uint32_t kInFlight = std::numeric_limits<std::uint32_t>::max();

/// An access, and the step of its PE in which it was made.
struct Access {
  std::uint32_t pe = 0;
  std::uint32_t step = 0;
  std::uint32_t record = OpLog::kNone;
};

/// The accesses to a range of bytes that are not known to be before a later write.
struct RangeAccesses {
  std::uint64_t end = 0;  ///< exclusive
  Access write;
  std::vector<Access> reads;  ///< the last one of each PE, and those in flight
};

/// Replays the order of a log with vector clocks, and compares each access with the last write and
/// the reads since then (the method of FastTrack, Flanagan and Freund 2009).
class RaceFinder {
 public:
  RaceFinder(const OpLog& log, const topology::TopologyGraph& graph)
      : log_(log),
        graph_(graph),
        pes_(std::size_t{graph.spec().system.sips} * graph.spec().sip.cubes() *
             graph.spec().cube.pes()),
        clocks_(pes_),
        accessed_(pes_),
        launches_(log.launches().size()),
        host_(pes_) {
    const std::vector<OpLog::Moment>& moments = log.moments();
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const std::uint32_t launch = log.records()[moments[i].record].launch;
      if (launch != OpLog::kNone) launches_[launch].last_moment = i;
    }
  }

  RaceReport find() {
    const std::vector<OpLog::Moment>& moments = log_.moments();
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const OpRecord& record = log_.records()[moments[i].record];
      if (record.launch == OpLog::kNone) continue;
      Launch& launch = launches_[record.launch];
      const std::uint32_t pe = pe_of(record);
      if (moments[i].end) {
        end(record, pe);
        if (record.awaited_later) settle(moments[i].record, record, clocks_[pe][pe]);
      } else {
        begin(launch, pe);
        access(moments[i].record, record, pe);
      }
      if (launch.last_moment == i) end(launch);
    }
    report_.pes = static_cast<std::uint64_t>(std::count(accessed_.begin(), accessed_.end(), true));
    return std::move(report_);
  }

 private:
  struct Launch {
    std::size_t last_moment = 0;
    bool begun = false;
    Clock before;           ///< steps that ended before the launch began
    std::vector<bool> pes;  ///< PEs that have begun
  };

  [[nodiscard]] std::uint32_t pe_of(const OpRecord& record) const {
    const topology::Node& node = graph_.node(record.component);
    const topology::TopologySpec& spec = graph_.spec();
    return (node.sip * spec.sip.cubes() + node.cube) * spec.cube.pes() + node.pe;
  }

  /// Begins the launch at its first operation, and its program on a PE at the first one there.
  void begin(Launch& launch, std::uint32_t pe) {
    if (!launch.begun) {
      launch.begun = true;
      launch.before = host_;
      launch.pes.resize(pes_);
    }
    if (launch.pes[pe]) return;
    launch.pes[pe] = true;
    if (clocks_[pe].empty()) {
      clocks_[pe].resize(pes_);
      clocks_[pe][pe] = 1;
    }
    join(clocks_[pe], launch.before);
  }

  void end(Launch& launch) {
    for (std::size_t pe = 0; pe < pes_; ++pe) {
      if (!launch.pes[pe]) continue;
      join(host_, clocks_[pe]);
      ++clocks_[pe][pe];
    }
  }

  /// Ends an operation: a receive is after all that was before its send.
  void end(const OpRecord& record, std::uint32_t pe) {
    const auto* const copy = std::get_if<IpcqCopyParams>(&record.params);
    if (copy == nullptr || copy->send) return;
    for (const std::uint32_t dependency : record.dependencies) {
      const auto sent = sent_.find(dependency);
      if (sent == sent_.end()) continue;
      join(clocks_[pe], sent->second);
      sent_.erase(sent);
    }
  }

  void access(std::uint32_t number, const OpRecord& record, std::uint32_t pe) {
    if (const auto* const copy = std::get_if<IpcqCopyParams>(&record.params)) {
      if (copy->send) sent_.emplace(number, clocks_[pe]);
      if (copy->send) ++clocks_[pe][pe];
      return;
    }
    const Access mine{pe, record.awaited_later ? kInFlight : clocks_[pe][pe], number};
    for_each_memory_block(record.params, [&](const Block& block, bool writes) {
      ++report_.accesses;
      accessed_[pe] = true;
      for_each_piece(block, [&](std::uint64_t pa, std::uint64_t bytes) {
        writes ? write(pa, pa + bytes, mine) : read(pa, pa + bytes, mine);
      });
    });
  }

  /// Ends the accesses of an operation in flight in a step of its PE.
  void settle(std::uint32_t number, const OpRecord& record, std::uint32_t step) {
    const auto settle_one = [&](Access& access) {
      if (access.record == number) access.step = step;
    };
    for_each_memory_block(record.params, [&](const Block& block, bool /*writes*/) {
      for_each_piece(block, [&](std::uint64_t pa, std::uint64_t bytes) {
        for (auto range = ranges_.lower_bound(pa);
             range != ranges_.end() && range->first < pa + bytes; ++range) {
          settle_one(range->second.write);
          for (Access& access : range->second.reads) settle_one(access);
        }
      });
    });
  }

  using Ranges = std::map<std::uint64_t, RangeAccesses>;

  /// Makes a range begin at `address` if one holds it. Returns the first range that does not begin
  /// before.
  Ranges::iterator split(std::uint64_t address) {
    const auto next = ranges_.lower_bound(address);
    if (next == ranges_.begin()) return next;
    RangeAccesses& before = std::prev(next)->second;
    if (before.end <= address) return next;
    RangeAccesses rest = before;
    before.end = address;
    return ranges_.emplace_hint(next, address, std::move(rest));
  }

  void read(std::uint64_t begin, std::uint64_t end, const Access& mine) {
    (void)split(end);
    auto range = split(begin);
    for (std::uint64_t at = begin; at < end; at = range->second.end, ++range) {
      if (range == ranges_.end() || range->first > at) {
        const std::uint64_t gap_end = range == ranges_.end() ? end : std::min(end, range->first);
        range = ranges_.emplace_hint(range, at, RangeAccesses{gap_end, {}, {}});
      }
      RangeAccesses& accesses = range->second;
      compare({accesses.write, true}, {mine, false}, {at, accesses.end - at});
      const auto same = std::find_if(
          accesses.reads.begin(), accesses.reads.end(),
          [&](const Access& one) { return one.pe == mine.pe && one.step != kInFlight; });
      if (same == accesses.reads.end()) {
        accesses.reads.push_back(mine);
      } else {
        *same = mine;
      }
    }
  }

  void write(std::uint64_t begin, std::uint64_t end, const Access& mine) {
    const auto last = split(end);
    const auto first = split(begin);
    for (auto range = first; range != last; ++range) {
      const Stretch common{range->first, range->second.end - range->first};
      compare({range->second.write, true}, {mine, true}, common);
      for (const Access& one : range->second.reads) compare({one, false}, {mine, true}, common);
    }
    ranges_.emplace_hint(ranges_.erase(first, last), begin, RangeAccesses{end, mine, {}});
  }

  struct Side {
    Access access;
    bool writes = false;
  };
  void compare(const Side& earlier, const Side& later, const Stretch& common) {
    const Access& before = earlier.access;
    if (before.record == OpLog::kNone) return;
    // Always so for the same PE, unless the earlier access is in flight.
    if (before.step <= clocks_[later.access.pe][before.pe]) return;
    const auto [found, is_new] =
        found_.emplace(std::pair(later.access.record, before.record), report_.races.size());
    if (is_new) {
      report_.races.push_back({{before.record, earlier.writes},
                               {later.access.record, later.writes},
                               {common.pa, 0},
                               0});
    }
    Race& race = report_.races[found->second];
    race.bytes += common.bytes;
    if (race.first.pa + race.first.bytes == common.pa) race.first.bytes += common.bytes;
  }

  const OpLog& log_;
  const topology::TopologyGraph& graph_;
  std::size_t pes_;
  std::vector<Clock> clocks_;   ///< by PE; empty before its first operation
  std::vector<bool> accessed_;  ///< by PE
  std::vector<Launch> launches_;
  Clock host_;                           ///< joined clocks of all launches that ended
  std::map<std::uint32_t, Clock> sent_;  ///< clocks of sends without a receive, by record
  Ranges ranges_;                        ///< by first physical address; disjoint
  /// Indices into the races, by later and earlier record.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> found_;
  RaceReport report_;
};

std::string text_of(const SourceLine& line) {
  return fmt::format("{}:{}", line.file, line.line);
}

/// Returns the tensor that held `pa` when an operation began, and its part, or nulls.
std::pair<const TensorRecord*, const Placed*> tensor_at(std::uint64_t pa, std::uint32_t record,
                                                        const OpLog& log) {
  for (const TensorRecord& tensor : log.tensors()) {
    if (record < tensor.first || record >= tensor.end) continue;
    for (const Placed& part : tensor.parts) {
      for (const Stretch& stretch : part.block.stretches) {
        if (pa >= stretch.pa && pa - stretch.pa < stretch.bytes) return {&tensor, &part};
      }
    }
  }
  return {nullptr, nullptr};
}

}  // namespace

RaceReport find_races(const OpLog& log, const topology::TopologyGraph& graph) {
  return RaceFinder(log, graph).find();
}

std::string text_of(const RaceSide& side, const OpLog& log, const topology::TopologyGraph& graph) {
  const OpRecord& record = log.records()[side.record];
  const topology::Node& node = graph.node(record.component);
  const bool composite = std::holds_alternative<CompositeGemmParams>(record.params);
  const auto* const copy = std::get_if<CopyParams>(&record.params);
  const bool by_index = copy != nullptr && copy->rows;
  return fmt::format("kernel '{}' on {} {} them in tl.{}{} at {}", log.launches()[record.launch],
                     topology::node_names::pe(node.sip, node.cube, node.pe),
                     side.writes ? "writes" : "reads", record.awaited_later ? "i" : "",
                     composite     ? "composite"
                     : by_index    ? (side.writes ? "scatter" : "gather")
                     : side.writes ? "store"
                                   : "load",
                     text_of(record.line));
}

std::string place_of(const Race& race, const OpLog& log) {
  const auto found = tensor_at(race.first.pa, race.later.record, log);
  const TensorRecord* const tensor = found.first;
  const Placed* const part = found.second;
  if (tensor == nullptr) return fmt::format("{} bytes at {:#x}", race.first.bytes, race.first.pa);
  // Parts are dense, in one stretch.
  const components::ElementSize size = bytes_of(tensor->type);
  const std::uint64_t offset = race.first.pa - part->block.stretches.front().pa;
  const std::uint64_t last =
      std::min(offset + race.first.bytes, part->block.span_bytes()) / size - 1;
  const auto element = [&](std::uint64_t index) {
    return fmt::format("[{}, {}]", part->row + index / part->block.columns,
                       part->column + index % part->block.columns);
  };
  return fmt::format("elements {} to {} of the tensor of {} x {} of {} made at {}",
                     element(offset / size), element(last), tensor->rows, tensor->columns,
                     name_of(tensor->type), text_of(tensor->line));
}

}  // namespace kernbench::model::data
