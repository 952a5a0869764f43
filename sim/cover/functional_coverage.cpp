// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/functional_coverage.hpp"

#include <stdexcept>

#include "maze/packet_layout.hpp"
#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::Payload;
using maze::Shape;
using maze::TopoModel;

namespace {

constexpr unsigned kDropInterval = 256;  // cycles
constexpr std::uint64_t kAllNodes = ~std::uint64_t{0};
constexpr std::uint8_t kAllTypes = 0xf;

/// Records the packets of 64 links that all delivered one, and returns the bits that changed in any
/// of them. Written so that compilers vectorise it.
Payload follow_all(const Payload* packets, Payload* last, Payload* rises, Payload* falls) {
  Payload any = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const Payload packet = packets[lane];
    const Payload changed = packet ^ last[lane];
    any |= changed;
    rises[lane] |= changed & packet;
    falls[lane] |= changed & ~packet;
    last[lane] = packet;
  }
  return any;
}

}  // namespace

FunctionalCoverage::FunctionalCoverage(const Shape& shape, const topology::MazeLinks& links,
                                       BackPressure back_pressure, const TopoModel* reference,
                                       std::uint64_t at_least)
    : shape_(shape),
      back_pressure_(back_pressure),
      data_(shape, links, at_least),
      delivered_(shape),
      qos_shift_(maze::PacketLayout(shape).qos_shift()),
      type_shift_(maze::PacketLayout(shape).type_shift()),
      fired_before_(shape),
      missing_(fired_before_.size()),
      started_(fired_before_.size()),
      last_(shape.links()),
      types_seen_(shape.links()),
      stages_(shape.ports()),
      stages_missing_(shape.ports(), 1),
      holding_(shape),
      was_filled_(shape) {
  if (reference == nullptr) return;
  if (!(reference->shape() == shape)) {
    throw std::invalid_argument("the reference has another shape");
  }
  for (unsigned port = 0; port < shape.ports(); ++port) {
    if (reference->depth(port) != data_.depth(port)) {
      throw std::invalid_argument("the reference has other link depths than the link map");
    }
    for (unsigned s = 0; s < data_.depth(port); ++s) {
      stages_[port].push_back({reference->one_or_more(port, s), reference->two(port, s),
                               reference->pushed(port, s), reference->popped(port, s)});
    }
  }
}

void FunctionalCoverage::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    reset_cycle();
    return;
  }
  in_reset_ = false;
  observe_links(view);
  observe_packets(view);
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    if (stages_[port].empty()) continue;
    if (stages_missing_[port] != 0) observe_stages(port);
    observe_holding(port);
  }
  delivered_.add(view.sink_fired->data());
  if (++age_ < kDropInterval) return;
  age_ = 0;
  drop_complete_words();
  drop_complete_stages();
}

void FunctionalCoverage::reset_cycle() {
  if (!in_reset_) {
    if (moved_) data_.fabric(FabricBin::ResetUnderTraffic) = true;
    auto& bin = data_.link(LinkBin::ResetWhileHolding);
    for (std::size_t i = 0; i < holding_.size(); ++i) bin.data()[i] |= holding_.data()[i];
  }
  in_reset_ = true;
  moved_ = false;
  fired_before_.clear();
  holding_.clear();
  was_filled_.clear();
}

void FunctionalCoverage::observe_links(const CycleView& view) {
  std::uint64_t* delivered = data_.link(LinkBin::Delivered).data();
  std::uint64_t* stalled = data_.link(LinkBin::Stalled).data();
  std::uint64_t* back_to_back = data_.link(LinkBin::BackToBack).data();
  std::uint64_t* before = fired_before_.data();
  std::uint64_t moved = 0;
  bool all_active = true;
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::size_t i = std::size_t{port} * shape_.words() + w;
      const std::uint64_t fired = view.sink_fired->data()[i];
      delivered[i] |= fired;
      stalled[i] |= view.observed->in_valid.data()[i] & ~fired;
      back_to_back[i] |= fired & before[i];
      before[i] = fired;
      moved |= fired | view.source_fired->data()[i];
      all_active = all_active && fired == shape_.node_mask(w);
    }
  }
  moved_ = moved != 0;
  if (all_active) data_.fabric(FabricBin::AllLinksActive) = true;
}

void FunctionalCoverage::observe_packets(const CycleView& view) {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::size_t i = std::size_t{port} * shape_.words() + w;
      const std::uint64_t fired = view.sink_fired->data()[i];
      if (!missing_[i].payload || fired == 0) continue;
      const std::size_t first = std::size_t{w} * 64;
      observe_word(fired, i, std::size_t{port} * shape_.nodes() + first,
                   view.observed->in_payload.port(port) + first);
    }
  }
}

/// `first_slot` and `packets` correspond to bit 0 of `fired`.
void FunctionalCoverage::observe_word(std::uint64_t fired, std::size_t word, std::size_t first_slot,
                                      const Payload* packets) {
  Payload* last = last_.data() + first_slot;
  Payload* rises = data_.rises().data() + first_slot;
  Payload* falls = data_.falls().data() + first_slot;
  std::uint8_t* types = types_seen_.data() + first_slot;
  const auto note_type = [&](unsigned lane) {
    types[lane] =
        static_cast<std::uint8_t>(types[lane] | 1U << (packets[lane] >> type_shift_ & 3U));
  };

  // The first packet of a link has no predecessor, so no bit rises or falls.
  const std::uint64_t fresh = fired & ~started_[word];
  started_[word] |= fired;
  maze::for_each_bit(fresh, 0, [&](unsigned lane) {
    last[lane] = packets[lane];
    note_type(lane);
  });

  if (fired == kAllNodes) {
    const Payload changed = follow_all(packets, last, rises, falls);
    if (!missing_[word].types || changed >> type_shift_ == 0) return;
    for (unsigned lane = 0; lane < 64; ++lane) note_type(lane);
    return;
  }
  maze::for_each_bit(fired, 0, [&](unsigned lane) {
    const Payload packet = packets[lane];
    const Payload changed = packet ^ last[lane];
    rises[lane] |= changed & packet;
    falls[lane] |= changed & ~packet;
    last[lane] = packet;
    if (changed >> type_shift_ != 0) note_type(lane);
  });
}

/// The reference has already been clocked. The fill level of a stage, and whether it pushed or
/// popped, identify the transition: each legal one has its own pattern.
void FunctionalCoverage::observe_stages(unsigned port) {
  const unsigned words = shape_.words();
  for (unsigned w = 0; w < words; ++w) {
    const std::uint64_t nodes = shape_.node_mask(w);
    std::uint64_t filled = nodes;
    std::uint64_t empty = nodes;
    std::size_t i = w;
    const auto hit = [&](StageBin bin) -> std::uint64_t& { return data_.stages(bin, port)[i]; };
    for (const Stage& stage : stages_[port]) {
      const std::uint64_t push = stage.pushed[w];
      const std::uint64_t pop = stage.popped[w];
      const std::uint64_t now_two = stage.two[w];
      const std::uint64_t now_one = stage.one_or_more[w] & ~now_two;
      const std::uint64_t now_empty = nodes & ~stage.one_or_more[w];

      const std::uint64_t empty_neither = now_empty & ~pop;
      const std::uint64_t empty_push = now_one & push & ~pop;
      const std::uint64_t two_neither = now_two & ~push;
      const std::uint64_t two_pop = now_one & pop & ~push;
      hit(StageBin::EmptyNeither) |= empty_neither;
      hit(StageBin::EmptyPush) |= empty_push;
      hit(StageBin::OneNeither) |= now_one & ~push & ~pop;
      hit(StageBin::OnePush) |= now_two & push;
      hit(StageBin::OnePop) |= now_empty & pop;
      hit(StageBin::OneBoth) |= now_one & push & pop;
      hit(StageBin::TwoNeither) |= two_neither;
      hit(StageBin::TwoPop) |= two_pop;
      empty &= empty_neither | empty_push;
      filled &= two_neither | two_pop;
      i += words;
    }
    std::uint64_t& was_filled = was_filled_.port(port)[w];
    was_filled |= filled;
    data_.link(LinkBin::Filled).port(port)[w] |= filled;
    data_.link(LinkBin::Drained).port(port)[w] |= was_filled & empty;
  }
}

void FunctionalCoverage::observe_holding(unsigned port) {
  for (unsigned w = 0; w < shape_.words(); ++w) {
    std::uint64_t held = 0;
    for (const Stage& stage : stages_[port]) held |= stage.one_or_more[w];
    holding_.port(port)[w] = held;
  }
}

void FunctionalCoverage::drop_complete_words() {
  const Payload all_bits = (Payload{1} << shape_.payload_w()) - 1;
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      Missing& missing = missing_[std::size_t{port} * shape_.words() + w];
      if (!missing.payload) continue;
      const std::size_t base = std::size_t{port} * shape_.nodes();
      Payload both_ways = all_bits;
      unsigned types = kAllTypes;
      maze::for_each_bit(shape_.node_mask(w), w, [&](unsigned node) {
        both_ways &= data_.rises()[base + node] & data_.falls()[base + node];
        types &= types_seen_[base + node];
      });
      missing.types = types != kAllTypes;
      missing.payload = missing.types || both_ways != all_bits;
    }
  }
}

void FunctionalCoverage::drop_complete_stages() {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    bool missing = false;
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::uint64_t nodes = shape_.node_mask(w);
      missing = missing || data_.link(LinkBin::Filled).port(port)[w] != nodes ||
                data_.link(LinkBin::Drained).port(port)[w] != nodes;
      for (std::size_t bin = 0; bin < kStageBinNames.size(); ++bin) {
        const std::uint64_t* hit = data_.stages(static_cast<StageBin>(bin), port);
        for (unsigned s = 0; s < data_.depth(port); ++s) {
          missing = missing || hit[std::size_t{s} * shape_.words() + w] != nodes;
        }
      }
    }
    stages_missing_[port] = missing ? 1 : 0;
  }
}

const CoverageData& FunctionalCoverage::data() {
  data_.packets(back_pressure_) = delivered_.totals();
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      if (!data_.link(LinkBin::Delivered).test(port, node)) continue;
      const std::size_t i = std::size_t{port} * shape_.nodes() + node;
      // A QoS bit that changed had both values; otherwise it has always been as in the last packet.
      const bool changed = ((data_.rises()[i] | data_.falls()[i]) >> qos_shift_ & 1U) != 0;
      const bool high = (last_[i] >> qos_shift_ & 1U) != 0;
      if (changed || high) data_.link(LinkBin::QosHigh).set(port, node);
      if (changed || !high) data_.link(LinkBin::QosLow).set(port, node);
      for (unsigned type = 0; type < 4; ++type) {
        if ((types_seen_[i] >> type & 1U) == 0) continue;
        const auto bin = static_cast<LinkBin>(index(LinkBin::TypeUnicast) + type);
        data_.link(bin).set(port, node);
      }
    }
  }
  return data_;
}

}  // namespace kernbench::sim
