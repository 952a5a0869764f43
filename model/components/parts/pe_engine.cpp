// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_engine.hpp"

#include <stdexcept>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

void PePart::send_to(NodeKind part, const trace::Label& label, Payload payload) {
  const transport::Route*& route = routes_.at(static_cast<std::size_t>(part));
  if (route == nullptr) {
    const topology::NodeId to = machine().sibling(node(), part);
    route = &machine().network().route(machine().router().find_node_path(node(), to).edges);
  }
  machine().send(*route, machine().spec().system.request_bytes, label, std::move(payload));
}

void PeEngine::on_message(Message message) {
  const auto* const arrival = std::get_if<TileArrival>(&message.payload);
  if (arrival == nullptr) reject(message);
  arrival->token->served = machine().simulation().now();
  accept(*arrival->token);
}

void PeEngine::advance(TileToken& token) {
  machine().stage_done(token, node());
  ++token.stage;
  const bool ended = token.stage == token.stages.size();
  const NodeKind next = ended ? NodeKind::PeScheduler : engine_of(token.at().kind);
  if (next == machine().graph().node(node()).kind) {
    token.served = machine().simulation().now();
    accept(token);
    return;
  }
  send_to(next, {token.transaction, ended ? "tile done" : "tile"}, TileArrival{&token});
}

NodeKind engine_of(StageKind stage) {
  switch (stage) {
    case StageKind::DmaRead:
    case StageKind::DmaWrite:
      return NodeKind::PeDma;
    case StageKind::Fetch:
    case StageKind::Store:
      return NodeKind::PeFetchStore;
    case StageKind::Gemm:
      return NodeKind::PeGemm;
    case StageKind::Math:
      return NodeKind::PeMath;
  }
  throw std::logic_error("no such stage");
}

}  // namespace kernbench::model::components
