// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_node_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "noc/route_tables.hpp"
#include "sim/noc/noc_links.hpp"

namespace kernbench::sim {
namespace {

using Kind = UnitSignal::Kind;

UnitSignal port(Kind kind, const char* name, unsigned low, unsigned bits, bool packet,
                unsigned place, const std::string& where) {
  return {kind, "", name, low, bits, packet, place, fmt::format("{} {}", where, name)};
}

UnitSignal flop(std::string path, std::string name, unsigned low, unsigned bits, unsigned place,
                const std::string& where, bool packet = false) {
  std::string label = fmt::format("{} {}", where, name);
  return {Kind::Register, std::move(path), std::move(name), low,
          bits,           packet,          place,           std::move(label)};
}

/// Returns a mask of the lowest bits, at most 64.
noc::Mask lowest(std::uint32_t bits) {
  return bits == 64 ? ~noc::Mask{0} : (noc::Mask{1} << bits) - 1;
}

}  // namespace

NocNodeReference::NocNodeReference(const NocDevice& device, std::uint32_t node)
    : UnitReference(flit_texts(device)),
      device_(device),
      node_(node),
      vcs_(device.network.sizes().vcs()),
      vc_bits_(noc::Network::bits_for(vcs_)),
      flit_bits_(device.network.sizes().flit_bits),
      reference_(device.network),
      inputs_(device.network.inputs(node)),
      outputs_(device.network.outputs(node)) {
  const noc::Network& network = device.network;
  const noc::Link local = reference_.model().local(node);
  for (std::uint32_t p = 0; p < inputs_.size(); ++p) {
    const bool is_last = p + 1 == inputs_.size();
    inputs_[p].link = is_last ? local : network.incoming(node)[p];
    inputs_[p].flits.resize(network.stages(node, p));
    inputs_[p].credits.resize(network.stages(node, p));
  }
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
    const bool is_last = o + 1 == outputs_.size();
    outputs_[o].link = is_last ? local : network.outgoing(node)[o];
    outputs_[o].heads_from.resize(network.sizes().classes);
  }
  add_ports();
  for (std::uint32_t p = 0; p < inputs_.size(); ++p) add_registers(p);
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) add_output_registers(o);
  forget();
}

/// Returns the name of a link at the node: a channel, or the port of the user.
std::string NocNodeReference::name_of(noc::Link link, const char* user) const {
  return link < device_.network.channels().size() ? device_.link_name(link) : user;
}

/// Adds the outputs first: an input that is wrong in the same cycle is of another node.
void NocNodeReference::add_ports() {
  const auto add_flit = [&](Kind kind, bool is_output, std::uint32_t i, unsigned place,
                            const std::string& where) {
    FlitSignals at;
    at.valid = add(port(kind, is_output ? "valid_o" : "valid_i", i, 1, false, place, where));
    at.vc =
        add(port(kind, is_output ? "vc_o" : "vc_i", i * vc_bits_, vc_bits_, false, place, where));
    at.flit = add(port(kind, is_output ? "flit_o" : "flit_i", i * flit_bits_, flit_bits_, true,
                       place, where));
    add_packet_port({at.valid, std::nullopt, at.flit});
    return at;
  };
  const auto where_of = [&](const auto& one, const char* user) { return name_of(one.link, user); };
  for (Input& one : inputs_) one.place = add_place("input " + where_of(one, "A"));
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
    Output& one = outputs_[o];
    one.place = add_place("output " + where_of(one, "B"));
    one.port = add_flit(Kind::Output, true, o, one.place, where_of(one, "B"));
  }
  for (std::uint32_t p = 0; p < inputs_.size(); ++p) {
    Input& one = inputs_[p];
    one.credit =
        add(port(Kind::Output, "credit_o", p * vcs_, vcs_, false, one.place, where_of(one, "A")));
  }
  for (std::uint32_t p = 0; p < inputs_.size(); ++p) {
    Input& one = inputs_[p];
    one.port = add_flit(Kind::Input, false, p, one.place, where_of(one, "A"));
  }
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) {
    Output& one = outputs_[o];
    one.credit =
        add(port(Kind::Input, "credit_i", o * vcs_, vcs_, false, one.place, where_of(one, "B")));
  }
  end_ports();
}

void NocNodeReference::add_registers(std::uint32_t p) {
  Input& one = inputs_[p];
  const std::string link = name_of(one.link, "A");
  const std::uint32_t slots = device_.network.sizes().slots;
  for (std::size_t s = 0; s < one.flits.size(); ++s) {
    const std::string path = fmt::format("g_link[{}].u_flit.g_stage[{}].g_half.u_irs", p, s);
    const std::string where = fmt::format("{} stage {}", link, s);
    FlitSignals& at = one.flit_stages.emplace_back();
    at.valid = add(flop(path, "vld_q", 0, 1, one.place, where));
    at.vc = add(flop(path, "pyld_q", flit_bits_, vc_bits_, one.place, where + " VC in"));
    at.flit = add(flop(path, "pyld_q", 0, flit_bits_, one.place, where, true));
  }
  const std::uint32_t slot_bits = noc::Network::bits_for(slots);
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    const std::string path = fmt::format("u_router.g_in[{}].u_queue", p * vcs_ + v);
    const std::string where = fmt::format("{} vc {}", link, v);
    Queue& queue = one.queues.emplace_back();
    queue.flits.resize(slots);
    queue.valid = add(flop(path, "vld_q", 0, 1, one.place, where));
    queue.read = add(flop(path, "read_q", 0, slot_bits, one.place, where));
    queue.write = add(flop(path, "write_q", 0, slot_bits, one.place, where));
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      UnitSignal signal =
          flop(path, "slots_q", slot * flit_bits_, flit_bits_, one.place, where, true);
      signal.label += fmt::format("[{}]", slot);
      queue.slots.push_back(add(std::move(signal)));
    }
  }
  one.returned = add(flop("u_router", "credit_o", p * vcs_, vcs_, one.place, link + " router"));
  for (std::size_t s = 0; s < one.credits.size(); ++s) {
    const std::string path = fmt::format("g_link[{}].u_credit.g_stage[{}].g_half.u_irs", p, s);
    const std::string where = fmt::format("{} credits, stage {}", link, s);
    one.credit_stages.push_back(add(flop(path, "vld_q", 0, 1, one.place, where)));
    add(flop(path, "pyld_q", 0, vcs_, one.place, where));
  }
}

void NocNodeReference::add_output_registers(std::uint32_t o) {
  Output& one = outputs_[o];
  const std::string path = fmt::format("u_router.g_out[{}].u_output", o);
  const std::string link = name_of(one.link, "B");
  const noc::Sizes& sizes = device_.network.sizes();
  const auto input_vcs = static_cast<std::uint32_t>(inputs_.size()) * vcs_;
  for (std::uint32_t c = 0; c < sizes.classes; ++c) {
    one.from.push_back(add(flop(path, "from_q", c * input_vcs, input_vcs, one.place,
                                fmt::format("{} class {}", link, c))));
  }
  one.turn = add(flop(path, "turn_q", 0, vcs_, one.place, link));
  const auto count_bits = static_cast<std::uint32_t>(std::bit_width(sizes.slots));
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    const std::string where = fmt::format("{} vc {}", link, v);
    one.owner.push_back(add(flop(path, "owner_q", v * input_vcs, input_vcs, one.place, where)));
    one.count.push_back(add(flop(path, "count_q", v * count_bits, count_bits, one.place, where)));
  }
  one.sent.valid = add(flop(path, "valid_o", 0, 1, one.place, link + " register"));
  one.sent.vc = add(flop(path, "vc_o", 0, vc_bits_, one.place, link + " register"));
  one.sent.flit = add(
      flop("u_router", "flit_o", o * flit_bits_, flit_bits_, one.place, link + " register", true));
}

void NocNodeReference::see(const FlitSignals& at, const SentFlit& sent, UnitCycle& cycle) const {
  cycle.seen[at.valid] = sent.valid ? 1 : 0;
  cycle.seen[at.vc] = sent.vc;
  cycle.seen[at.flit] = sent.flit;
}

void NocNodeReference::expect(const FlitSignals& at, const SentFlit& sent, UnitCycle& cycle) {
  cycle.expected[at.valid] = sent.valid ? 1 : 0;
  if (!sent.valid) return;
  cycle.expected[at.vc] = sent.vc;
  cycle.expected[at.flit] = sent.flit;
}

void NocNodeReference::observe(const CycleView& view, UnitCycle& cycle) {
  const NocInputs& in = *view.noc_inputs;
  const NocOutputs& out = *view.noc_outputs;
  const NocOutputs& expected = reference_.expect(view);
  const auto sent_on = [](const NocOutputs& from, noc::Link link) {
    return SentFlit{from.valid[link] != 0, from.vc[link], from.flit[link]};
  };
  if (view.in_reset) forget();
  for (Input& one : inputs_) {
    const bool is_local = &one == &inputs_.back();
    const SentFlit from_user{in.valid[node_] != 0, in.vc[node_], in.flit[node_]};
    one.arrives = is_local ? from_user : sent_on(expected, one.link);
    see(one.port, is_local ? from_user : sent_on(out, one.link), cycle);
    cycle.seen[one.credit] = out.credit[one.link];
  }
  for (Output& one : outputs_) {
    const bool is_local = &one == &outputs_.back();
    see(one.port, sent_on(out, one.link), cycle);
    cycle.seen[one.credit] = is_local ? in.credit[node_] : out.credit[one.link];
    if (!is_local && !reference_.has_ended())
      cycle.expected[one.credit] = expected.credit[one.link];
    if (reference_.has_ended()) continue;
    const SentFlit sent = sent_on(expected, one.link);
    expect(one.port, sent, cycle);
    expect(one.sent, sent, cycle);
  }
  if (reference_.has_ended()) return;
  for (std::uint32_t p = 0; p < inputs_.size(); ++p) {
    cycle.expected[inputs_[p].credit] = expected.credit[inputs_[p].link];
    expect_input(p, cycle);
  }
  for (std::uint32_t o = 0; o < outputs_.size(); ++o) expect_output(o, cycle);
}

void NocNodeReference::expect_input(std::uint32_t p, UnitCycle& cycle) {
  Input& one = inputs_[p];
  expect(one.port, one.arrives, cycle);
  for (std::size_t s = 0; s < one.flits.size(); ++s) {
    expect(one.flit_stages[s], one.flits[s], cycle);
    cycle.expected[one.credit_stages[s]] = one.credits[s] != 0 ? 1 : 0;
    if (one.credits[s] != 0) cycle.expected[one.credit_stages[s] + 1] = one.credits[s];
  }
  cycle.expected[one.returned] = one.popped;
  unsigned held = 0;
  for (const Queue& queue : one.queues) {
    held += queue.held;
    cycle.expected[queue.valid] = queue.held != 0 ? 1 : 0;
    cycle.expected[queue.read] = queue.front;
    cycle.expected[queue.write] = queue.slot(queue.held);
    for (std::uint32_t i = 0; i < queue.held; ++i) {
      cycle.expected[queue.slots[queue.slot(i)]] = queue.flits[queue.slot(i)];
    }
  }
  activity_of(one.place) = {one.arrives.valid && !cycle.in_reset, !one.arrives.valid && held != 0,
                            !one.arrives.valid && held == 0, held};
}

void NocNodeReference::expect_output(std::uint32_t o, UnitCycle& cycle) {
  const Output& one = outputs_[o];
  const noc::NetworkModel& model = reference_.model();
  bool is_asked = false;
  for (std::uint32_t c = 0; c < one.from.size(); ++c) {
    cycle.expected[one.from[c]] = one.heads_from[c];
    is_asked = is_asked || model.requests(node_, o, c) != 0;
  }
  cycle.expected[one.turn] = one.turn_from;
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    const std::uint32_t holder = model.holder(node_, o, v);
    const bool is_held = holder != noc::NetworkModel::kNobody;
    is_asked = is_asked || is_held;
    cycle.expected[one.owner[v]] = is_held ? noc::Flit{1} << holder : 0;
    cycle.expected[one.count[v]] = model.credits_of(node_, o, v);
  }
  const bool sends = *cycle.expected[one.sent.valid] != 0;
  activity_of(one.place) = {sends && !cycle.in_reset, !sends && is_asked, !sends && !is_asked, 0};
}

/// Puts the state behind a reset.
void NocNodeReference::forget() {
  const auto input_vcs = static_cast<std::uint32_t>(inputs_.size()) * vcs_;
  for (Input& one : inputs_) {
    std::fill(one.flits.begin(), one.flits.end(), SentFlit{});
    std::fill(one.credits.begin(), one.credits.end(), 0);
    one.popped = 0;
    for (Queue& queue : one.queues) queue.front = queue.held = 0;
  }
  for (Output& one : outputs_) {
    one.turn_from = lowest(vcs_);
    std::fill(one.heads_from.begin(), one.heads_from.end(), lowest(input_vcs));
  }
}

void NocNodeReference::clock(const CycleView& view) {
  (void)reference_.clock(view);
  if (view.in_reset || reference_.has_ended()) return;
  for (Input& one : inputs_) {
    one.flits.push_front(one.arrives);
    one.credits.push_front(one.popped);
    const SentFlit arrived = one.flits.back();
    one.flits.pop_back();
    one.credits.pop_back();
    one.popped = 0;
    if (!arrived.valid) continue;
    Queue& queue = one.queues[arrived.vc];
    queue.flits[queue.slot(queue.held++)] = arrived.flit;
  }
  const noc::Network& network = device_.network;
  for (const noc::Grant& grant : reference_.model().grants()) {
    if (grant.node != node_) continue;
    Input& input = inputs_[grant.input_vc / vcs_];
    input.popped |= noc::Mask{1} << (grant.input_vc % vcs_);
    Queue& queue = input.queues[grant.input_vc % vcs_];
    queue.front = queue.slot(1);
    --queue.held;
    // The next search begins behind what was granted. Behind the last there is none.
    Output& output = outputs_[grant.output];
    output.turn_from = lowest(vcs_) & ~lowest(grant.vc + 1);
    if (!network.is_head(grant.flit)) continue;
    output.heads_from[grant.vc / network.sizes().lanes] =
        lowest(static_cast<std::uint32_t>(inputs_.size()) * vcs_) & ~lowest(grant.input_vc + 1);
  }
}

std::string NocNodeReference::instance() const {
  return fmt::format("u_node{}", node_);
}

std::string NocNodeReference::name() const {
  return "node " + device_.node_name(node_);
}

std::vector<UnitConstant> NocNodeReference::constants() const {
  const noc::Network& network = device_.network;
  const std::uint32_t entry_bits =
      noc::Network::bits_for(static_cast<std::uint32_t>(outputs_.size()) * network.sizes().classes);
  std::vector<UnitConstant> table;
  const std::vector<std::uint32_t> entries = noc::tables_of(network).at(node_);
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    table.push_back({"table_i", i * entry_bits, entry_bits, entries[i]});
  }
  return table;
}

}  // namespace kernbench::sim
