// SPDX-License-Identifier: Apache-2.0
#include "sim/fault/fault_injector.hpp"

#include "common/random.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using maze::Payload;
using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;

FaultInjector::FaultInjector(const Shape& shape, const Ports& ports, FaultSpec spec,
                             std::uint64_t seed)
    : shape_(shape), spec_(spec), driven_(shape, ports.count()), pins_(shape, ports.count()) {
  common::Rng rng = common::Rng::stream(seed, "fault", static_cast<std::uint64_t>(spec.kind));
  const auto drawn_node = static_cast<unsigned>(rng.below(shape.nodes()));
  const auto drawn_port = static_cast<unsigned>(rng.below(ports.count()));
  end_ = spec.link.value_or(ports.sender_end(drawn_node, drawn_port));
  source_ = end_.node;
  const auto step = 1 + static_cast<unsigned>(rng.below(shape.nodes() - 1));
  other_source_ = (source_ + step) % shape.nodes();
  bit_ = static_cast<unsigned>(rng.below(shape.payload_w()));
  const bool is_user = end_.port == shape.ports();
  port_ = is_user ? 0 : end_.port;
  at_pins_ = is_user || ports.count() != 1;
  const topology::MazeLinks links(shape.nx, shape.ny);
  const auto receiver = [&](unsigned node) {
    return is_user ? node : links.leaving(node, port_).to.node;
  };
  sink_ = receiver(source_);
  other_sink_ = receiver(other_source_);
}

void FaultInjector::mark(std::uint64_t cycle) {
  if (!injected_at_) injected_at_ = cycle;
}

Tap::Inputs FaultInjector::drive(std::uint64_t cycle, TopoInputs& intended) {
  if (!at_pins_) return {&intended, &intended};
  change_surroundings(cycle, intended);
  driven_ = intended;
  change_stimulus(cycle, driven_);
  pins_ = driven_;
  change_pins(cycle, pins_);
  return {&driven_, &pins_};
}

void FaultInjector::change_surroundings(std::uint64_t cycle, TopoInputs& intended) {
  if (cycle < spec_.cycle) return;
  switch (spec_.kind) {
    case FaultKind::ReceiverDead:
      intended.in_ready.set(port_, sink_, false);
      mark(cycle);
      break;
    case FaultKind::ReceiverSleeps:
      if (cycle >= spec_.cycle + spec_.duration) return;
      intended.in_ready.set(port_, sink_, false);
      mark(cycle);
      break;
    case FaultKind::SourceSilent:
      if (intended.out_valid.test(port_, source_)) mark(cycle);
      intended.out_valid.set(port_, source_, false);
      break;
    default:
      break;
  }
}

void FaultInjector::change_stimulus(std::uint64_t cycle, TopoInputs& driven) {
  if (cycle < spec_.cycle || !driven.out_valid.test(port_, source_)) return;
  switch (spec_.kind) {
    case FaultKind::StimulusBitFlip:
      driven.out_payload.at(port_, source_) ^= Payload{1} << bit_;
      mark(cycle);
      break;
    case FaultKind::StimulusMisroute:
      if (driven.out_valid.test(port_, other_source_)) return;
      driven.out_valid.set(port_, source_, false);
      driven.out_valid.set(port_, other_source_);
      driven.out_payload.at(port_, other_source_) = driven.out_payload.at(port_, source_);
      mark(cycle);
      break;
    case FaultKind::StimulusDrop:
      driven.out_valid.set(port_, source_, false);
      mark(cycle);
      break;
    default:
      break;
  }
}

void FaultInjector::change_pins(std::uint64_t cycle, TopoInputs& pins) {
  if (cycle < spec_.cycle) return;
  switch (spec_.kind) {
    case FaultKind::Duplicate:  // stall the fabric while the observers see the kept packet
    case FaultKind::Reorder:
      if (step_ == Step::Replaying) pins.in_ready.set(port_, sink_, false);
      break;
    case FaultKind::LateValid:
      if (step_ == Step::Waiting) pins.in_ready.set(port_, sink_, false);
      break;
    case FaultKind::ReadyGlitch:
      if (step_ == Step::Waiting) pins.out_valid.set(port_, source_, false);
      break;
    default:
      break;
  }
}

void FaultInjector::observe(std::uint64_t cycle, TopoOutputs& outputs) {
  if (at_pins_) change_outputs(cycle, driven_, outputs);
}

void FaultInjector::observe_links(std::uint64_t cycle, LinkSignals& signals) {
  if (!at_pins_) change_outputs(cycle, signals.from_nodes, signals.to_nodes);
}

void FaultInjector::change_outputs(std::uint64_t cycle, const TopoInputs& driven,
                                   TopoOutputs& outputs) {
  const bool ready = driven.in_ready.test(port_, sink_);
  const bool fires = outputs.in_valid.test(port_, sink_) && ready;
  const Payload packet = outputs.in_payload.at(port_, sink_);
  if (cycle >= spec_.cycle) {
    change_packets(cycle, fires, ready, outputs);
    change_handshake(cycle, driven, outputs);
  }
  if (fires) {
    last_ = packet;
    delivered_ = true;
  }
}

Payload FaultInjector::changed(Payload packet) const {
  const unsigned qos = shape_.payload_w() - 3;
  const unsigned type = shape_.payload_w() - 2;
  const unsigned address = shape_.node_addr_bits();
  const Payload mask = (Payload{1} << address) - 1;
  switch (spec_.kind) {
    case FaultKind::PayloadBitFlip:
      return packet ^ (Payload{1} << bit_);
    case FaultKind::QosCleared:
      return packet & ~(Payload{1} << qos);
    case FaultKind::TypeChanged:
      return packet ^ (Payload{1} << type);
    case FaultKind::AddressesSwapped: {
      const Payload tgt = packet >> shape_.flit_w & mask;
      const Payload src = packet >> (shape_.flit_w + address) & mask;
      const Payload both = (mask << address | mask) << shape_.flit_w;
      return (packet & ~both) | tgt << (shape_.flit_w + address) | src << shape_.flit_w;
    }
    case FaultKind::StalePayload:
      return delivered_ ? last_ : packet;
    default:
      return packet;
  }
}

/// Offers the kept packet until the receiver takes it. The fabric is stalled meanwhile.
void FaultInjector::replay(bool ready, TopoOutputs& outputs) {
  outputs.in_valid.set(port_, sink_);
  outputs.in_payload.at(port_, sink_) = kept_;
  if (ready) step_ = Step::Done;
}

void FaultInjector::change_packets(std::uint64_t cycle, bool fires, bool ready,
                                   TopoOutputs& outputs) {
  Payload& packet = outputs.in_payload.at(port_, sink_);
  if (fires && step_ == Step::Waiting && changed(packet) != packet) {
    packet = changed(packet);
    step_ = Step::Done;
    mark(cycle);
    return;
  }
  switch (spec_.kind) {
    case FaultKind::Drop:
      if (!fires || step_ != Step::Waiting) return;
      outputs.in_valid.set(port_, sink_, false);
      step_ = Step::Done;
      mark(cycle);
      break;
    case FaultKind::Misroute: {
      if (!fires || step_ != Step::Waiting) return;
      const bool other_valid = outputs.in_valid.test(port_, other_sink_);
      outputs.in_valid.set(port_, other_sink_);
      outputs.in_valid.set(port_, sink_, other_valid);
      std::swap(packet, outputs.in_payload.at(port_, other_sink_));
      step_ = Step::Done;
      mark(cycle);
      break;
    }
    case FaultKind::Duplicate:
      if (step_ == Step::Waiting && fires) {
        kept_ = packet;
        step_ = Step::Replaying;
      } else if (step_ == Step::Replaying) {
        replay(ready, outputs);
        mark(cycle);
      }
      break;
    case FaultKind::Reorder:
      if (step_ == Step::Waiting && fires) {
        kept_ = packet;
        outputs.in_valid.set(port_, sink_, false);
        step_ = Step::Holding;
        mark(cycle);
      } else if (step_ == Step::Holding && fires && packet != kept_) {
        step_ = Step::Replaying;
      } else if (step_ == Step::Replaying) {
        replay(ready, outputs);
      }
      break;
    default:
      break;
  }
}

void FaultInjector::change_handshake(std::uint64_t cycle, const TopoInputs& driven,
                                     TopoOutputs& outputs) {
  const bool valid = outputs.in_valid.test(port_, sink_);
  const bool stalled = valid && !driven.in_ready.test(port_, sink_);
  const bool ready = outputs.out_ready.test(port_, source_);
  switch (spec_.kind) {
    case FaultKind::StuckValidHigh:
      if (!valid) mark(cycle);
      outputs.in_valid.set(port_, sink_);
      break;
    case FaultKind::StuckValidLow:
      if (valid) mark(cycle);
      outputs.in_valid.set(port_, sink_, false);
      break;
    case FaultKind::StuckReadyHigh:
      if (!ready) mark(cycle);
      outputs.out_ready.set(port_, source_);
      break;
    case FaultKind::StuckReadyLow:
      if (ready) mark(cycle);
      outputs.out_ready.set(port_, source_, false);
      break;
    case FaultKind::LateValid:
    case FaultKind::ValidDropsWhileStalled:
      if (step_ != Step::Waiting || !valid) return;
      if (spec_.kind == FaultKind::ValidDropsWhileStalled && !stalled) return;
      outputs.in_valid.set(port_, sink_, false);
      step_ = Step::Done;
      mark(cycle);
      break;
    case FaultKind::PayloadChangesWhileStalled:
      if (!stalled) return;
      outputs.in_payload.at(port_, sink_) ^= Payload{1} << bit_;
      mark(cycle);
      break;
    case FaultKind::ReadyGlitch:
      if (step_ != Step::Waiting || !ready) return;
      outputs.out_ready.set(port_, source_, false);
      step_ = Step::Done;
      mark(cycle);
      break;
    default:
      break;
  }
}

}  // namespace kernbench::sim
