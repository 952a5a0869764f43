// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/component.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

std::string_view Component::name() const {
  return machine_.graph().name(node_);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): overriders keep the message
void Component::on_message(Message message) {
  reject(message);
}

void Component::reject(const Message& message) const {
  throw std::logic_error(fmt::format("{}: unexpected message '{}' from {}", name(),
                                     message.label.what, machine_.graph().name(message.from)));
}

void Component::record(const trace::Label& label, common::SimTime arrive, const Service& service,
                       trace::WaitReason why, Port port, std::uint64_t amount) {
  if (PartMeters* const meters = machine_.meters(); meters != nullptr) {
    meters->add(node_, port, {service.start - arrive, service.end - service.start, amount});
  }
  trace::HopRecord record;
  record.label = label;
  record.node = node_;
  record.arrive = arrive;
  record.depart = service.end;
  if (service.behind != 0 && service.start > arrive) {
    record.wait = service.start - arrive;
    record.behind = service.behind;
    record.why = why;
  }
  machine_.record(record);
}

transport::WholeLoad& MemoryComponent::whole_load(bool write, std::uint32_t channel) {
  if (whole_loads_.empty()) whole_loads_.resize(2 * channels());
  return whole_loads_[(port(write) == Port::Write ? channels() : 0) + channel];
}

}  // namespace kernbench::model::components
