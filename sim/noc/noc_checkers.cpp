// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_checkers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "noc/waits.hpp"

namespace kernbench::sim {
namespace {

std::string flit_text(std::uint32_t vc, noc::Flit flit) {
  return fmt::format("vc {}, {:#x}", vc, flit);
}

}  // namespace

void NocLockstep::on_cycle(const CycleView& view) {
  if (reference_.has_ended()) return;
  const NocOutputs& expected = reference_.expect(view);
  const NocOutputs& seen = *view.noc_outputs;
  for (std::size_t link = 0; link < expected.valid.size(); ++link) {
    if (wrong_signal(seen, expected, link) != nullptr) {
      report(view.cycle, static_cast<noc::Link>(link), seen, expected);
    }
  }
  compared_ += expected.valid.size();
  if (const std::string error = reference_.clock(view); !error.empty()) {
    fail({"lockstep", "overflow", view.cycle, std::nullopt,
          fmt::format("{}: the network has returned more credits than the reference", error)});
  }
}

void NocLockstep::report(std::uint64_t cycle, noc::Link link, const NocOutputs& seen,
                         const NocOutputs& expected) {
  const auto text = [](const NocOutputs& outputs, noc::Link at) {
    return outputs.valid[at] == 0 ? std::string("no flit")
                                  : flit_text(outputs.vc[at], outputs.flit[at]);
  };
  const std::string flits = text(seen, link);
  const std::string wanted = text(expected, link);
  if (flits != wanted) {
    fail({"lockstep", wrong_signal(seen, expected, link), cycle, std::nullopt,
          fmt::format("{}: {}, the reference has {}", device_.link_name(link), flits, wanted)});
  }
  if (seen.credit[link] != expected.credit[link]) {
    fail({"lockstep", "credit", cycle, std::nullopt,
          fmt::format("{}: credits {:#b}, the reference has {:#b}", device_.link_name(link, "A"),
                      seen.credit[link], expected.credit[link])});
  }
}

NocScoreboard::NocScoreboard(const NocDevice& device, bool alone)
    : device_(device),
      packets_(device.network),
      alone_(alone),
      vcs_(device.network.sizes().vcs()),
      sending_(std::size_t{device.network.nodes()} * vcs_),
      arriving_(sending_.size()) {
  traffic_.accepted.resize(device.network.nodes());
  traffic_.delivered.resize(device.network.nodes());
}

void NocScoreboard::forget() {
  streams_.clear();
  std::fill(sending_.begin(), sending_.end(), nullptr);
  std::fill(arriving_.begin(), arriving_.end(), std::nullopt);
  sent_ = delivered_;
}

void NocScoreboard::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    forget();
    return;
  }
  const NocInputs& inputs = *view.noc_inputs;
  const NocOutputs& outputs = *view.noc_outputs;
  const std::size_t local = device_.network.channels().size();
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    if (outputs.valid[local + node] != 0) {
      deliver(view.cycle, node, outputs.vc[local + node], outputs.flit[local + node]);
    }
    if (inputs.valid[node] != 0) {
      send(view.cycle, node, inputs.vc[node], inputs.flit[node]);
    }
  }
}

void NocScoreboard::send(std::uint64_t cycle, std::uint32_t node, std::uint32_t vc,
                         noc::Flit flit) {
  const noc::Network& network = device_.network;
  ++sent_;
  std::shared_ptr<Packet>& sending = sending_[node * vcs_ + vc];
  if (network.is_head(flit)) {
    sending = std::make_shared<Packet>(Packet{cycle, {}});
    streams_[{node, vc, network.destination(flit)}].push_back(sending);
    ++traffic_.accepted[node];
  }
  sending->flits.push_back(flit);
  if (network.is_tail(flit)) sending.reset();
}

/// Finds the packet that a head begins, and takes it from its stream. Returns what is wrong, or an
/// empty text.
std::string NocScoreboard::begin(std::uint32_t node, std::uint32_t vc, noc::Flit head) {
  const noc::Network& network = device_.network;
  if (!network.is_head(head)) return "no packet has begun on this virtual channel";
  const noc::PacketFields::Origin origin = packets_.origin(head);
  if (origin.dst != node) {
    return fmt::format("its destination is node {}", device_.node_name(origin.dst));
  }
  const Stream stream{origin.src, origin.vc, origin.dst};
  const auto sent = streams_.find(stream);
  if (sent == streams_.end()) return "no such packet was sent";
  auto& packets = sent->second;
  const bool may_overtake = network.sizes().lanes > 1;
  const auto begins = [&](const auto& one) { return one->flits.front() == head; };
  const auto found = std::find_if(packets.begin(), packets.end(), begins);
  if (found == packets.end()) return "no such packet is under way";
  if (found != packets.begin() && !may_overtake) {
    return fmt::format("a packet that was sent before it, {:#x}, has not arrived",
                       packets.front()->flits.front());
  }
  arriving_[node * vcs_ + vc].emplace(Arriving{*found, 0, stream});
  packets.erase(found);
  return {};
}

void NocScoreboard::deliver(std::uint64_t cycle, std::uint32_t node, std::uint32_t vc,
                            noc::Flit flit) {
  ++delivered_;
  const auto wrong = [&](const std::string& what) {
    fail({"scoreboard", "delivery", cycle, std::nullopt,
          fmt::format("node {}, B: {}: {}", device_.node_name(node), flit_text(vc, flit), what)});
  };
  if (vc >= vcs_) {
    wrong("there is no such virtual channel");
    return;
  }
  std::optional<Arriving>& arriving = arriving_[node * vcs_ + vc];
  if (!arriving) {
    const std::string what = begin(node, vc, flit);
    if (!what.empty()) {
      wrong(what);
      return;
    }
  }
  const Packet& packet = *arriving->packet;
  const bool is_known = arriving->flits < packet.flits.size();
  if (!is_known || packet.flits[arriving->flits] != flit) {
    wrong(is_known ? fmt::format("flit {} of the packet is {:#x}", arriving->flits,
                                 packet.flits[arriving->flits])
                   : "the packet has no further flit yet");
  }
  ++arriving->flits;
  if (!device_.network.is_tail(flit)) return;
  const std::uint64_t latency = cycle - packet.cycle;
  ++traffic_.delivered[node];
  traffic_.latency[0].add(latency);
  if (alone_) {
    const std::uint32_t src = std::get<0>(arriving->stream);
    const std::uint64_t exact =
        device_.lone_latency(src, node) + static_cast<std::uint64_t>(arriving->flits) - 1;
    if (latency != exact) {
      fail({"scoreboard", "latency", cycle, std::nullopt,
            fmt::format("node {} to node {}: {} flits took {} cycles, not {}",
                        device_.node_name(src), device_.node_name(node), arriving->flits, latency,
                        exact)});
    }
  }
  arriving.reset();
}

void NocScoreboard::after(const RunEnd& end) {
  if (!end.complete() || failure_count() != 0) return;
  for (const auto& [stream, packets] : streams_) {
    if (packets.empty()) continue;
    const auto& [src, vc, dst] = stream;
    fail({"scoreboard", "loss", end.cycles, std::nullopt,
          fmt::format("node {} to node {}: the packet {:#x}, sent on vc {} in cycle {}, has not "
                      "arrived",
                      device_.node_name(src), device_.node_name(dst),
                      packets.front()->flits.front(), vc, packets.front()->cycle)});
    return;
  }
}

NocRules::NocRules(const NocDevice& device)
    : device_(device),
      links_(device.network.channels().size() + device.network.nodes(),
             std::vector<Vc>(device.network.sizes().vcs())),
      from_users_(device.network.nodes(), std::vector<Vc>(device.network.sizes().vcs())) {}

void NocRules::flit(std::uint64_t cycle, noc::Link link, const char* port, std::vector<Vc>& vcs,
                    std::uint32_t vc, noc::Flit flit) {
  ++seen_;
  const std::uint32_t slots = device_.network.sizes().slots;
  const auto wrong = [&](const char* kind, const std::string& what) {
    fail({"rules", kind, cycle, std::nullopt,
          fmt::format("{}: {}: {}", device_.link_name(link, port), flit_text(vc, flit), what)});
  };
  if (vc >= vcs.size()) {
    wrong("stream", "there is no such virtual channel");
    return;
  }
  Vc& own = vcs[vc];
  if (own.taken == slots) {
    wrong("no_credit", fmt::format("all {} slots of the receiver are taken", slots));
  } else {
    ++own.taken;
  }
  const bool is_head = device_.network.is_head(flit);
  if (is_head == own.is_in_packet) {
    wrong("stream", is_head ? "the packet before has no tail yet" : "it follows no head");
  }
  own.is_in_packet = !device_.network.is_tail(flit);
}

void NocRules::credits(std::uint64_t cycle, noc::Link link, const char* port, std::vector<Vc>& vcs,
                       noc::Mask mask) {
  for (noc::Mask left = mask; left != 0; left &= left - 1) {
    const auto vc = static_cast<std::uint32_t>(std::countr_zero(left));
    ++seen_;
    if (vc < vcs.size() && vcs[vc].taken != 0) {
      --vcs[vc].taken;
      continue;
    }
    fail({"rules", "credit", cycle, std::nullopt,
          fmt::format("{}: a credit for vc {}, whose slots are all free",
                      device_.link_name(link, port), vc)});
  }
}

void NocRules::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    for (auto* side : {&links_, &from_users_}) {
      for (auto& vcs : *side) std::fill(vcs.begin(), vcs.end(), Vc{});
    }
    return;
  }
  const NocInputs& inputs = *view.noc_inputs;
  const NocOutputs& outputs = *view.noc_outputs;
  const std::size_t channels = device_.network.channels().size();
  // A credit counts from the next cycle on, like a flit: those of this cycle are seen first.
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto link = static_cast<noc::Link>(i);
    const bool is_local = i >= channels;
    if (outputs.valid[i] != 0) {
      flit(view.cycle, link, "B", links_[i], outputs.vc[i], outputs.flit[i]);
    }
    credits(view.cycle, link, "B", links_[i],
            is_local ? inputs.credit[i - channels] : outputs.credit[i]);
    if (!is_local) continue;
    const std::size_t node = i - channels;
    if (inputs.valid[node] != 0) {
      flit(view.cycle, link, "A", from_users_[node], inputs.vc[node], inputs.flit[node]);
    }
    credits(view.cycle, link, "A", from_users_[node], outputs.credit[i]);
  }
}

void NocWatchdog::on_cycle(const CycleView& view) {
  if (view.in_reset || scoreboard_.inside() == 0) {
    still_ = 0;
    return;
  }
  ++watched_;
  const std::vector<std::uint8_t>& valid = view.noc_outputs->valid;
  const bool moves = std::any_of(valid.begin(), valid.end(), [](auto one) { return one != 0; });
  still_ = moves ? 0 : still_ + 1;
  if (still_ != limit_) return;
  const std::string circle = device_.circle_name(noc::circle_of_waits(reference_));
  fail({"watchdog", "stuck", view.cycle, std::nullopt,
        fmt::format("no flit has moved for {} cycles, and {} are inside{}{}", limit_,
                    scoreboard_.inside(),
                    circle.empty() ? "; no circle of virtual channels waits for itself"
                                   : "; these virtual channels wait for each other: ",
                    circle)});
}

void NocOutputHash::on_cycle(const CycleView& view) {
  const NocOutputs& outputs = *view.noc_outputs;
  for (std::size_t link = 0; link < outputs.valid.size(); ++link) {
    if (outputs.valid[link] == 0 && outputs.credit[link] == 0) continue;
    hash_.add(view.cycle);
    hash_.add(link);
    hash_.add(outputs.credit[link]);
    if (outputs.valid[link] == 0) continue;
    hash_.add(outputs.vc[link]);
    hash_.add(outputs.flit[link]);
  }
}

}  // namespace kernbench::sim
