// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_lockstep.hpp"

#include <fmt/format.h>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::PayloadPlane;

void NetworkLockstep::on_cycle(const CycleView& view) {
  if (view.in_reset) model_.reset();
  model_.evaluate(expected_);
  const maze::Shape& shape = model_.config().shape;
  const unsigned user = shape.ports();
  compare_plane(view.cycle, "pkt_in_rdy", user, view.observed->out_ready, expected_.out_ready);
  compare_plane(view.cycle, "pkt_out_vld", user, view.observed->in_valid, expected_.in_valid,
                &view.observed->in_payload, &expected_.in_payload);
  compare_packets(view.cycle, "packet at B", user, expected_.in_valid, view.observed->in_payload,
                  expected_.in_payload);
  compared_ += shape.nodes();
  if (view.links != nullptr) compare_links(view.cycle, *view.links);
  if (!view.in_reset) model_.clock(*view.driven);
}

void NetworkLockstep::compare_links(std::uint64_t cycle, const LinkSignals& links) {
  const maze::TopoInputs& from = model_.from_nodes();
  const maze::TopoOutputs& to = model_.to_nodes();
  compare_plane(cycle, "out_vld", 0, links.from_nodes.out_valid, from.out_valid,
                &links.from_nodes.out_payload, &from.out_payload);
  compare_plane(cycle, "in_rdy", 0, links.from_nodes.in_ready, from.in_ready);
  compare_plane(cycle, "in_vld", 0, links.to_nodes.in_valid, to.in_valid,
                &links.to_nodes.in_payload, &to.in_payload);
  compare_plane(cycle, "out_rdy", 0, links.to_nodes.out_ready, to.out_ready);
  compare_packets(cycle, "packet out", 0, from.out_valid, links.from_nodes.out_payload,
                  from.out_payload);
  compare_packets(cycle, "packet in", 0, to.in_valid, links.to_nodes.in_payload, to.in_payload);
  compared_ += model_.config().shape.links();
}

/// The first port of the planes has the number `first_port` in results. A plane of valids has
/// packets beside it.
void NetworkLockstep::compare_plane(std::uint64_t cycle, const char* signal, unsigned first_port,
                                    const BitPlane& seen, const BitPlane& expected,
                                    const PayloadPlane* seen_packets,
                                    const PayloadPlane* expected_packets) {
  const unsigned words = model_.config().shape.words();
  for (unsigned i = 0; i < seen.size(); ++i) {
    maze::for_each_bit(seen[i] ^ expected[i], i % words, [&](unsigned node) {
      const LinkEnd end{node, first_port + i / words};
      const bool is_set = seen.test(i / words, node);
      const PayloadPlane* const valid = is_set ? seen_packets : expected_packets;
      fail({"lockstep", signal, cycle, end,
            fmt::format("{}: {} is {:d}, the reference has {:d}", ports_.name(end), signal, is_set,
                        !is_set),
            valid == nullptr ? std::nullopt : std::optional(valid->at(i / words, node))});
    });
  }
}

void NetworkLockstep::compare_packets(std::uint64_t cycle, const char* signal, unsigned first_port,
                                      const BitPlane& valid, const PayloadPlane& seen,
                                      const PayloadPlane& expected) {
  const unsigned words = model_.config().shape.words();
  for (unsigned i = 0; i < valid.size(); ++i) {
    const maze::Payload* const got = seen.port(i / words);
    const maze::Payload* const wanted = expected.port(i / words);
    maze::for_each_bit(valid[i], i % words, [&](unsigned node) {
      if (got[node] == wanted[node]) return;
      const LinkEnd end{node, first_port + i / words};
      fail({"lockstep", signal, cycle, end,
            fmt::format("{}: {} is {}, the reference has {}", ports_.name(end), signal,
                        layout_.text(got[node]), layout_.text(wanted[node])),
            wanted[node]});
    });
  }
}

void NodeWatch::on_cycle(const CycleView& view) {
  if (view.in_reset) model_.reset();
  model_.evaluate(expected_);
  dut_.annotate(note());
  if (!view.in_reset) model_.clock(*view.driven);
}

PortNote NodeWatch::note() const {
  const auto [node, port] = at_;
  PortNote note;
  if (port == model_.config().shape.ports()) {
    note.in_ready = expected_.out_ready.test(0, node);
    note.out_valid = expected_.in_valid.test(0, node);
    note.out_packet = expected_.in_payload.at(0, node);
    return note;
  }
  const maze::TopoInputs& from = model_.from_nodes();
  const maze::TopoOutputs& to = model_.to_nodes();
  note.in_valid = to.in_valid.test(port, node);
  note.in_ready = from.in_ready.test(port, node);
  note.in_packet = to.in_payload.at(port, node);
  note.out_valid = from.out_valid.test(port, node);
  note.out_ready = to.out_ready.test(port, node);
  note.out_packet = from.out_payload.at(port, node);
  return note;
}

}  // namespace kernbench::sim
