// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/irs_lockstep.hpp"

#include <fmt/format.h>

namespace kernbench::tests {

IrsLockstep::IrsLockstep(std::uint64_t power_on_seed)
    : bench_(power_on_seed),
      inputs_(bench_.size()),
      observed_(bench_.size()),
      taken_(bench_.size()),
      inside_(bench_.size()),
      delivered_(bench_.size()) {
  for (const IrsInstance& instance : instances()) {
    models_.emplace_back(instance.params);
    transitions_.emplace_back(instance.params.depth);
  }
}

const std::vector<bool>& IrsLockstep::step(const std::vector<IrsInputs>& inputs) {
  inputs_ = inputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) bench_.drive(i, inputs_[i]);
  bench_.settle_high();
  compare();
  bench_.settle();
  compare();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    taken_[i] = !in_reset_ && inputs_[i].valid_i && observed_[i].ready_o;
    if (in_reset_) {
      models_[i].reset();
    } else {
      account(i);
      cover(i);
      models_[i].clock(inputs_[i]);
    }
  }
  bench_.edge();
  ++cycles_;
  return taken_;
}

void IrsLockstep::set_reset(bool asserted) {
  in_reset_ = asserted;
  bench_.set_reset(asserted);
  if (asserted) {
    for (maze::IrsModel& model : models_) model.reset();
    for (std::deque<Payload>& packets : inside_) packets.clear();
  }
  compare();
}

void IrsLockstep::compare() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    observed_[i] = bench_.observe(i);
    if (tamper_) tamper_(i, observed_[i]);
    compare_one(i, models_[i].evaluate(inputs_[i]), observed_[i]);
  }
}

void IrsLockstep::compare_one(std::size_t instance, const IrsOutputs& expected,
                              const IrsOutputs& observed) {
  if (observed.ready_o != expected.ready_o) {
    mismatch(instance,
             fmt::format("ready_o is {:d}, expected {:d}", observed.ready_o, expected.ready_o));
  }
  if (observed.valid_o != expected.valid_o) {
    mismatch(instance,
             fmt::format("valid_o is {:d}, expected {:d}", observed.valid_o, expected.valid_o));
  }
  // Wires forward their input, valid or not.
  const bool meant = expected.valid_o || instances()[instance].kind() == IrsKind::kWires;
  if (meant && observed.payload_o != expected.payload_o) {
    mismatch(instance, fmt::format("payload_o is {:#x}, expected {:#x}", observed.payload_o,
                                   expected.payload_o));
  }
}

void IrsLockstep::account(std::size_t instance) {
  const bool given = observed_[instance].valid_o && inputs_[instance].ready_i;
  if (given) ++delivered_[instance];
  if (instances()[instance].params.no_ready && instances()[instance].params.depth > 0) return;

  std::deque<Payload>& packets = inside_[instance];
  if (taken_[instance]) packets.push_back(inputs_[instance].payload_i);
  if (given) {
    if (packets.empty()) {
      mismatch(instance, "delivered a packet that was never sent");
      return;
    }
    if (packets.front() != observed_[instance].payload_o) {
      mismatch(instance, fmt::format("delivered {:#x}, but {:#x} was sent before it",
                                     observed_[instance].payload_o, packets.front()));
    }
    packets.pop_front();
  }
  if (packets.size() > instances()[instance].capacity()) {
    mismatch(instance, fmt::format("{} packets inside, more than fit", packets.size()));
  }
}

void IrsLockstep::cover(std::size_t instance) {
  const maze::IrsModel& model = models_[instance];
  const IrsKind kind = instances()[instance].kind();
  const auto stages = static_cast<unsigned>(transitions_[instance].size());
  const auto has_room = [&](unsigned stage) {
    if (kind == IrsKind::kHalfNoReady) return true;
    return model.occupancy(stage) < (kind == IrsKind::kSkid ? 2U : 1U);
  };
  bool push = taken_[instance];
  for (unsigned s = 0; s < stages; ++s) {
    const unsigned held = model.occupancy(s);
    const bool next_ready = s + 1 < stages ? has_room(s + 1) : inputs_[instance].ready_i;
    const bool pop = held > 0 && next_ready;
    ++transitions_[instance][s][held][push ? 1 : 0][pop ? 1 : 0];
    push = pop;
  }
}

std::vector<std::string> IrsLockstep::unseen_transitions() const {
  std::vector<std::string> unseen;
  for (std::size_t i = 0; i < transitions_.size(); ++i) {
    const IrsKind kind = instances()[i].kind();
    const auto depth = static_cast<unsigned>(transitions_[i].size());
    for (unsigned s = 0; s < depth; ++s) {
      const unsigned most = kind == IrsKind::kSkid ? 2 : 1;
      for (unsigned held = 0; held <= most; ++held) {
        for (const bool push : {false, true}) {
          for (const bool pop : {false, true}) {
            const bool from_nothing = pop && held == 0;
            const bool into_full = push && held == most && kind != IrsKind::kHalfNoReady;
            // Inside a chain without ready, the next stage always accepts the packet.
            const bool kept = kind == IrsKind::kHalfNoReady && held > 0 && !pop && s + 1 < depth;
            if (from_nothing || into_full || kept) continue;
            if (transitions_[i][s][held][push ? 1 : 0][pop ? 1 : 0] > 0) continue;
            unseen.push_back(
                fmt::format("{}, stage {}, {} held, {}", instances()[i].name, s, held,
                            push ? (pop ? "both" : "push") : (pop ? "pop" : "neither")));
          }
        }
      }
    }
  }
  return unseen;
}

void IrsLockstep::mismatch(std::size_t instance, const std::string& what) {
  ++mismatch_count_;
  if (mismatches_.size() < 10) {
    mismatches_.push_back(
        fmt::format("cycle {}, {}: {}", cycles_, instances()[instance].name, what));
  }
}

}  // namespace kernbench::tests
