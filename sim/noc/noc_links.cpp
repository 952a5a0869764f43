// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "noc/waits.hpp"

namespace kernbench::sim {

std::string name_of(const NocPlace& place, const NocDevice& device) {
  return device.link_name(place.link, place.is_port_a ? "A" : "B");
}

std::vector<NocPlace> way_of(const noc::PacketFields::Origin& origin, const NocDevice& device) {
  const noc::Network& network = device.network;
  const auto channels = static_cast<noc::Link>(network.channels().size());
  if (origin.src >= network.nodes() || origin.dst >= network.nodes()) return {};
  std::vector<NocPlace> way{{channels + origin.src, true}};
  std::uint32_t node = origin.src;
  std::uint32_t input = network.inputs(node) - 1;
  std::uint32_t vc_class = origin.vc / network.sizes().lanes;
  while (node != origin.dst) {
    const auto next = network.way(node, input, vc_class, origin.dst);
    if (!next || next->output + 1 == network.outputs(node) || way.size() > channels) return {};
    const std::uint32_t channel = network.outgoing(node)[next->output];
    way.push_back({channel, false});
    node = network.channels()[channel].dst;
    input = network.input_of(channel);
    vc_class = next->vc_class;
  }
  way.push_back({channels + node, false});
  return way;
}

PacketTexts flit_texts(const NocDevice& device) {
  PacketTexts texts;
  texts.noun = "flit";
  const auto fields = std::make_shared<noc::PacketFields>(device.network);
  const auto route = [&device, fields](noc::Flit flit, const char* form) {
    const noc::PacketFields::Origin origin = fields->origin(flit);
    const auto name = [&](std::uint32_t node) {
      return node < device.network.nodes() ? device.node_name(node) : fmt::format("#{}", node);
    };
    return fmt::format(fmt::runtime(form), name(origin.src), name(origin.dst), origin.vc);
  };
  texts.whole = [&device, fields, route](noc::Flit flit) {
    const noc::Network& network = device.network;
    const noc::Flit below = (noc::Flit{1} << (network.sizes().flit_bits - 2)) - 1;
    const bool is_tail = network.is_tail(flit);
    if (!network.is_head(flit)) {
      return fmt::format("{}, payload {:#x}", is_tail ? "tail" : "body", flit & below);
    }
    return fmt::format("{}, {}, payload {:#x}", is_tail ? "head and tail" : "head",
                       route(flit, "node {} to node {}, sent on vc {}"),
                       (flit & below) >> fields->rest_at());
  };
  texts.brief = [&device, route](noc::Flit flit) {
    if (device.network.is_head(flit)) return route(flit, "{}>{}");
    return std::string(device.network.is_tail(flit) ? "tail" : "body");
  };
  return texts;
}

NocLinksReference::NocLinksReference(const NocDevice& device, std::vector<NocPlace> places)
    : UnitReference(flit_texts(device)),
      device_(device),
      places_(std::move(places)),
      reference_(device.network) {
  for (const NocPlace& place : places_) add_signals(place);
  end_ports();
}

void NocLinksReference::add_signals(const NocPlace& place) {
  using Kind = UnitSignal::Kind;
  const noc::Sizes& sizes = device_.network.sizes();
  const std::string name = name_of(place, device_);
  const unsigned number = add_place(name);
  const bool is_b = !place.is_port_a && place.link >= device_.network.channels().size();
  const auto add_signal = [&](Kind kind, const char* signal, unsigned bits, bool packet) {
    return add({kind, "", signal, 0, bits, packet, number, fmt::format("{} {}", name, signal)});
  };
  const Kind flits = place.is_port_a ? Kind::Input : Kind::Output;
  Signals& signals = signals_of_.emplace_back();
  signals.valid = add_signal(flits, "valid", 1, false);
  if (sizes.vcs() > 1) {
    signals.vc = add_signal(flits, "vc", noc::Network::bits_for(sizes.vcs()), false);
  }
  signals.flit = add_signal(flits, "flit", sizes.flit_bits, true);
  signals.credit = add_signal(is_b ? Kind::Input : Kind::Output, "credit", sizes.vcs(), false);
  add_packet_port({signals.valid, std::nullopt, signals.flit});
}

void NocLinksReference::observe(const CycleView& view, UnitCycle& cycle) {
  const NocInputs& in = *view.noc_inputs;
  const NocOutputs& out = *view.noc_outputs;
  const NocOutputs& expected = reference_.expect(view);
  const bool knows = !reference_.has_ended();
  const auto channels = static_cast<noc::Link>(device_.network.channels().size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const NocPlace& place = places_[i];
    const Signals& at = signals_of_[i];
    const noc::Link link = place.link;
    if (place.is_port_a) {
      const std::uint32_t node = link - channels;
      cycle.seen[at.valid] = in.valid[node];
      if (at.vc) cycle.seen[*at.vc] = in.vc[node];
      cycle.seen[at.flit] = in.flit[node];
    } else {
      cycle.seen[at.valid] = out.valid[link];
      if (at.vc) cycle.seen[*at.vc] = out.vc[link];
      cycle.seen[at.flit] = out.flit[link];
      if (knows) cycle.expected[at.valid] = expected.valid[link];
      if (knows && expected.valid[link] != 0) {
        if (at.vc) cycle.expected[*at.vc] = expected.vc[link];
        cycle.expected[at.flit] = expected.flit[link];
      }
    }
    const bool is_b = !place.is_port_a && link >= channels;
    cycle.seen[at.credit] = is_b ? in.credit[link - channels] : out.credit[link];
    if (!is_b && knows) cycle.expected[at.credit] = expected.credit[link];
    note_activity(static_cast<unsigned>(i), cycle);
  }
}

/// A link is stalled while flits wait behind it and none moves.
void NocLinksReference::note_activity(unsigned place, const UnitCycle& cycle) {
  const bool moves = cycle.seen[signals_of_[place].valid] != 0 && !cycle.in_reset;
  const unsigned held = waiting_behind(places_[place]);
  activity_of(place) = {moves, !moves && held != 0, !moves && held == 0, held};
}

/// Returns the flits of the reference in the queues of the input that the link leads to; of port B,
/// none.
unsigned NocLinksReference::waiting_behind(const NocPlace& place) const {
  const noc::Network& network = device_.network;
  const auto channels = static_cast<noc::Link>(network.channels().size());
  const bool is_channel = place.link < channels;
  if (!is_channel && !place.is_port_a) return 0;
  const std::uint32_t node =
      is_channel ? network.channels()[place.link].dst : place.link - channels;
  const std::uint32_t input = is_channel ? network.input_of(place.link) : network.inputs(node) - 1;
  unsigned held = 0;
  for (std::uint32_t vc = 0; vc < network.sizes().vcs(); ++vc) {
    held += reference_.model().held(node, input * network.sizes().vcs() + vc);
  }
  return held;
}

std::uint32_t driver_of(const NocDifference& difference, const NocDevice& device) {
  const auto& channels = device.network.channels();
  if (difference.link >= channels.size()) {
    return difference.link - static_cast<noc::Link>(channels.size());
  }
  const noc::Channel& channel = channels[difference.link];
  return difference.signal == "credit" ? channel.dst : channel.src;
}

NocScout::NocScout(const NocDevice& device)
    : device_(device),
      reference_(device.network),
      heads_((device.network.channels().size() + device.network.nodes()) *
             device.network.sizes().vcs()) {}

void NocScout::on_cycle(const CycleView& view) {
  if (reference_.has_ended()) return;
  const NocOutputs& seen = *view.noc_outputs;
  const NocOutputs& expected = reference_.expect(view);
  const std::uint32_t vcs = device_.network.sizes().vcs();
  for (std::size_t link = 0; link < expected.valid.size(); ++link) {
    if (seen.valid[link] != 0) last_movement_ = view.cycle;
    // The packet that should be there, else the one that is.
    const NocOutputs& shown = expected.valid[link] != 0 ? expected : seen;
    const bool has_head = shown.valid[link] != 0 && shown.vc[link] < vcs;
    noc::Flit* const head = has_head ? &heads_[link * vcs + shown.vc[link]] : nullptr;
    if (has_head && device_.network.is_head(shown.flit[link])) *head = shown.flit[link];
    if (difference_) continue;
    const char* const signal = wrong_signal(seen, expected, link);
    if (signal == nullptr) continue;
    difference_ = NocDifference{view.cycle, static_cast<noc::Link>(link), signal, std::nullopt};
    if (has_head && difference_->signal != "credit") difference_->head = *head;
  }
  (void)reference_.clock(view);
}

std::vector<noc::LinkCredit> NocScout::circle() const {
  return noc::circle_of_waits(reference_.model());
}

}  // namespace kernbench::sim
