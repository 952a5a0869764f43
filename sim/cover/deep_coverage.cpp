// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/deep_coverage.hpp"

#include <algorithm>
#include <utility>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::Shape;

DeepCoverage::DeepCoverage(const Shape& shape, unsigned ports, DeepBins bins)
    : shape_(shape),
      bins_(std::move(bins)),
      stalls_{LengthKind::Stall, BitPlane(shape, ports), {}},
      idles_{LengthKind::Idle, BitPlane(shape, ports), {}},
      delivered_(shape, ports),
      before_reset_(std::size_t{ports} * shape.nodes()) {
  stalls_.since.resize(stalls_.running.size() * 64);
  idles_.since.resize(idles_.running.size() * 64);
}

std::unique_ptr<DeepCoverage> DeepCoverage::of_users(const Shape& shape) {
  return std::unique_ptr<DeepCoverage>(new DeepCoverage(shape, 1, DeepBins::of_users(shape)));
}

DeepCoverage::DeepCoverage(const Shape& shape, const topology::MazeLinks& links,
                           const maze::TopoModel* reference)
    : DeepCoverage(shape, shape.ports(), DeepBins(shape, links)) {
  if (reference == nullptr) return;
  ports_.resize(shape.ports());
  for (unsigned port = 0; port < shape.ports(); ++port) {
    const unsigned depth = reference->depth(port);
    if (depth == 0 || depth > kPairDepth) continue;
    for (unsigned s = 0; s < depth; ++s) {
      ports_[port].stages.push_back(
          {reference->one_or_more(port, s), reference->two(port, s), {}, {}});
    }
    ports_[port].accepted = reference->pushed(port, 0);
    ports_[port].delivered = reference->popped(port, depth - 1);
    if (!missing_[depth - 1].empty()) continue;
    for (const StatePair& pair : reachable_pairs(depth)) {
      missing_[depth - 1].push_back({pair, missing_[depth - 1].size()});
    }
  }
}

void DeepCoverage::on_cycle(const CycleView& view) {
  observe_pairs(view.in_reset);
  if (view.in_reset) {
    reset_cycle(view);
    return;
  }
  if (in_reset_) end_reset(ClockMoment::End);
  const std::uint64_t* valid = view.observed->in_valid.data();
  const std::uint64_t* fired = view.sink_fired->data();
  const std::uint64_t* offered = view.intended->out_valid.data();
  for (std::size_t i = 0; i < stalls_.running.size(); ++i) {
    follow(stalls_, i, valid[i] & ~fired[i], view.cycle);
    follow(idles_, i, ~offered[i] & shape_.node_mask(i % shape_.words()), view.cycle);
  }
  delivered_.add(fired);
}

/// A run of the plane `now` began or ended on the links whose bit differs from the last cycle's.
/// A stall ends with a packet that moves, because valid may not fall before.
void DeepCoverage::follow(Runs& runs, std::size_t word, std::uint64_t now, std::uint64_t cycle) {
  std::uint64_t& running = runs.running.data()[word];
  const std::uint64_t changed = running ^ now;
  if (changed == 0) return;
  std::uint64_t* since = runs.since.data() + word * 64;
  maze::for_each_bit(changed & now, 0, [&](unsigned bit) { since[bit] = cycle; });
  const auto port = static_cast<unsigned>(word / shape_.words());
  const auto first = static_cast<unsigned>(word % shape_.words()) * 64;
  maze::for_each_bit(changed & ~now, 0, [&](unsigned bit) {
    bins_.add_length(runs.kind, port, first + bit, cycle - since[bit]);
  });
  running = now;
}

void DeepCoverage::count_packets() {
  const std::vector<std::uint64_t>& total = delivered_.totals();
  BitPlane& many = bins_.link(DeepLinkBin::ManyPackets);
  for (unsigned port = 0; port < many.ports(); ++port) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      const std::size_t i = std::size_t{port} * shape_.nodes() + node;
      if (total[i] - before_reset_[i] >= kManyPackets) many.set(port, node);
    }
  }
  before_reset_ = total;
}

void DeepCoverage::reset_cycle(const CycleView& view) {
  if (!in_reset_) {
    in_reset_ = true;
    reset_clocks_ = 0;
    if (++resets_ == kManyResets) bins_.fabric(DeepFabricBin::ManyResets) = 1;
    count_packets();
    // A run that a reset cuts off does not count.
    stalls_.running.clear();
    idles_.running.clear();
    const auto asserted = static_cast<std::size_t>(view.reset.from);
    bins_.fabric(static_cast<DeepFabricBin>(static_cast<std::size_t>(DeepFabricBin::AssertedRise) +
                                            asserted)) = 1;
  }
  for (std::size_t i = 0; i < stalls_.running.size(); ++i) {
    const std::uint64_t nodes = shape_.node_mask(i % shape_.words());
    const std::uint64_t ready = view.intended->in_ready.data()[i];
    bins_.link(DeepLinkBin::ReadyInReset).data()[i] |= ready & nodes;
    bins_.link(DeepLinkBin::NotReadyInReset).data()[i] |= ~ready & nodes;
  }
  for (std::size_t i = 0; i < std::size(kResetFractions); ++i) {
    if (reset_clocks_ == 0 && view.reset == kResetFractions[i]) {
      bins_.fabric(static_cast<DeepFabricBin>(i)) = 1;
    }
  }
  if (view.reset.to == ClockMoment::End) {
    ++reset_clocks_;
  } else {
    end_reset(view.reset.to);
  }
}

void DeepCoverage::end_reset(ClockMoment released) {
  in_reset_ = false;
  if (reset_clocks_ >= 1 && reset_clocks_ <= kResetWidths) bins_.reset_width(reset_clocks_) = 1;
  const auto moment =
      static_cast<std::size_t>(released) - static_cast<std::size_t>(ClockMoment::High);
  bins_.fabric(static_cast<DeepFabricBin>(static_cast<std::size_t>(DeepFabricBin::ReleasedHigh) +
                                          moment)) = 1;
}

/// The reference has already been clocked, so the state before the edge is that of the last call.
void DeepCoverage::observe_pairs(bool in_reset) {
  bool missing = false;
  for (unsigned depth = 1; depth <= kPairDepth; ++depth) {
    if (missing_[depth - 1].empty()) continue;
    for (const Port& port : ports_) {
      if (port.stages.size() == depth) look_for_pairs(port, depth, in_reset);
    }
    missing = missing || !missing_[depth - 1].empty();
  }
  if (!missing) return;
  for (Port& port : ports_) {
    for (Stage& stage : port.stages) {
      std::copy_n(stage.one_or_more, shape_.words(), stage.before_one_or_more);
      std::copy_n(stage.two, shape_.words(), stage.before_two);
    }
  }
}

void DeepCoverage::look_for_pairs(const Port& port, unsigned depth, bool in_reset) {
  for (unsigned w = 0; w < shape_.words(); ++w) {
    const std::uint64_t nodes = shape_.node_mask(w);
    std::array<std::array<std::uint64_t, 3>, kPairDepth> held{};  // links by stage and packets
    for (unsigned s = 0; s < depth; ++s) {
      const std::uint64_t some = port.stages[s].before_one_or_more[w];
      const std::uint64_t two = port.stages[s].before_two[w];
      held[s] = {nodes & ~some, some & ~two, two};
    }
    std::array<std::uint64_t, kLinkEventNames.size()> events{};  // links by event
    const auto event = [&](LinkEvent e) -> std::uint64_t& {
      return events[static_cast<std::size_t>(e)];
    };
    if (in_reset) {
      event(LinkEvent::Reset) = nodes;
    } else {
      const std::uint64_t accepted = port.accepted[w];
      const std::uint64_t delivered = port.delivered[w];
      const std::uint64_t still = nodes & ~accepted & ~delivered;
      event(LinkEvent::Both) = accepted & delivered;
      event(LinkEvent::Accept) = accepted & ~delivered;
      event(LinkEvent::Deliver) = delivered & ~accepted;
      event(LinkEvent::Stall) = still & ~held[depth - 1][0];
      event(LinkEvent::Nothing) = still & held[depth - 1][0];
    }
    std::erase_if(missing_[depth - 1], [&](const Missing& missing) {
      std::uint64_t links = events[static_cast<std::size_t>(missing.pair.event)];
      for (unsigned s = 0; s < depth && links != 0; ++s) links &= held[s][missing.pair.held[s]];
      if (links != 0) bins_.pairs(depth)[missing.bin] = 1;
      return links != 0;
    });
  }
}

void DeepCoverage::after(const RunEnd& end) {
  count_packets();
  if (end.cycles >= kLongCase) bins_.fabric(DeepFabricBin::LongCase) = 1;
}

}  // namespace kernbench::sim
