// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_lockstep.hpp"

#include <fmt/format.h>

#include <bit>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::Payload;

void NetworkLockstep::compare(bool in_reset, const maze::NetworkOutputs& outputs,
                              const LinkSignals* links) {
  if (in_reset) model_.reset();
  model_.evaluate(expected_);
  const unsigned user = model_.config().shape.ports();
  compare_row("pkt_in_rdy", user, outputs.a_ready.data(), expected_.a_ready.data());
  compare_row("pkt_out_vld", user, outputs.b_valid.data(), expected_.b_valid.data());
  compare_packets("packet at B", user, expected_.b_valid.data(), outputs.b_payload.data(),
                  expected_.b_payload.data());
  if (links != nullptr) compare_links(*links);
}

void NetworkLockstep::clock(bool in_reset, const maze::NetworkInputs& inputs) {
  if (!in_reset) model_.clock(inputs);
  ++cycle_;
}

void NetworkLockstep::compare_links(const LinkSignals& links) {
  const maze::TopoInputs& from = model_.from_nodes();
  const maze::TopoOutputs& to = model_.to_nodes();
  compare_plane("out_vld", links.from_nodes.out_valid, from.out_valid);
  compare_plane("in_rdy", links.from_nodes.in_ready, from.in_ready);
  compare_plane("in_vld", links.to_nodes.in_valid, to.in_valid);
  compare_plane("out_rdy", links.to_nodes.out_ready, to.out_ready);
  for (unsigned port = 0; port < model_.config().shape.ports(); ++port) {
    compare_packets("packet out", port, from.out_valid.port(port),
                    links.from_nodes.out_payload.port(port), from.out_payload.port(port));
    compare_packets("packet in", port, to.in_valid.port(port), links.to_nodes.in_payload.port(port),
                    to.in_payload.port(port));
  }
}

void NetworkLockstep::compare_plane(const char* signal, const BitPlane& seen,
                                    const BitPlane& expected) {
  for (unsigned port = 0; port < model_.config().shape.ports(); ++port) {
    compare_row(signal, port, seen.port(port), expected.port(port));
  }
}

void NetworkLockstep::compare_row(const char* signal, unsigned port, const std::uint64_t* seen,
                                  const std::uint64_t* expected) {
  for (unsigned w = 0; w < model_.config().shape.words(); ++w) {
    const std::uint64_t wrong = seen[w] ^ expected[w];
    if (wrong == 0) continue;
    const auto bit = static_cast<unsigned>(std::countr_zero(wrong));
    differ(signal, w * 64 + bit, port, seen[w] >> bit & 1U, expected[w] >> bit & 1U);
  }
}

void NetworkLockstep::compare_packets(const char* signal, unsigned port, const std::uint64_t* valid,
                                      const Payload* seen, const Payload* expected) {
  for (unsigned w = 0; w < model_.config().shape.words(); ++w) {
    maze::for_each_bit(valid[w], w, [&](unsigned node) {
      if (seen[node] != expected[node]) differ(signal, node, port, seen[node], expected[node]);
    });
  }
}

void NetworkLockstep::differ(const char* signal, unsigned node, unsigned port, std::uint64_t seen,
                             std::uint64_t expected) {
  if (!difference_.text.empty()) return;
  difference_ = {fmt::format("cycle {}: {} of node {} port {} is {:x}, not {:x}", cycle_, signal,
                             node, port, seen, expected),
                 cycle_, NodePort{node, port}};
}

PortNote NetworkLockstep::expected(const NodePort& at) const {
  const unsigned word = at.node / 64;
  const unsigned bit = at.node % 64;
  const auto has = [&](const std::uint64_t* row) { return (row[word] >> bit & 1U) != 0; };
  PortNote note;
  if (at.port == model_.config().shape.ports()) {
    note.in_ready = has(expected_.a_ready.data());
    note.out_valid = has(expected_.b_valid.data());
    note.out_packet = expected_.b_payload[at.node];
    return note;
  }
  const maze::TopoInputs& from = model_.from_nodes();
  const maze::TopoOutputs& to = model_.to_nodes();
  note.in_valid = has(to.in_valid.port(at.port));
  note.in_ready = has(from.in_ready.port(at.port));
  note.in_packet = to.in_payload.port(at.port)[at.node];
  note.out_valid = has(from.out_valid.port(at.port));
  note.out_ready = has(to.out_ready.port(at.port));
  note.out_packet = from.out_payload.port(at.port)[at.node];
  return note;
}

}  // namespace kernbench::sim
