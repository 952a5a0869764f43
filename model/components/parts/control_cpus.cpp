// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/control_cpus.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/memory/resolve_access.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

topology::NodeId IoCpu::next_for(const HostCommand& /*command*/,
                                 const memory::PeLocation& target) const {
  return machine().resolver().find_m_cpu(target.sip, target.cube);
}

class MCpu::Placing final : public AccessListener {
 public:
  Placing(MCpu& m_cpu, Message message) : m_cpu_(m_cpu), message_(std::move(message)) {}

  void start() {
    const auto& data = std::get<PlaceData>(message_.payload);
    Machine& machine = m_cpu_.machine();
    std::vector<memory::AccessPiece> pieces;
    for (const std::uint64_t pa : data.places) {
      for (const memory::AccessPiece& piece : memory::resolve_physical(
               pa, data.bytes, machine.resolver(), machine.spec().cube.memory_map)) {
        pieces.push_back(piece);
      }
    }
    missing_ = pieces.size();
    for (const memory::AccessPiece& piece : pieces) {
      RoutedAccess access;
      access.write = true;
      access.route = &machine.network().route(
          machine.router().find_mcpu_dma_path(m_cpu_.node(), piece.node).edges);
      access.address = piece.offset;
      access.bytes = piece.bytes;
      access.transaction = message_.label.transaction;
      access.source = transport::SourceOverhead::Paid;
      machine.accesses().submit(access, this);
    }
  }

  void on_access_done(const AccessTimes& /*times*/) override {
    if (--missing_ != 0) return;
    m_cpu_.machine().reply(message_, "placed", CommandDone{message_.label.transaction});
    std::erase_if(m_cpu_.placing_, [this](const std::unique_ptr<Placing>& placing) {
      return placing.get() == this;
    });
  }

 private:
  MCpu& m_cpu_;
  Message message_;
  std::size_t missing_ = 0;
};

MCpu::MCpu(Machine& machine, topology::NodeId node) : FanOut(machine, node) {}
MCpu::~MCpu() = default;

void MCpu::on_message(Message message) {
  if (std::holds_alternative<PlaceData>(message.payload)) {
    placing_.push_back(std::make_unique<Placing>(*this, std::move(message)));
    placing_.back()->start();
  } else {
    FanOut::on_message(std::move(message));
  }
}

topology::NodeId MCpu::next_for(const HostCommand& command,
                                const memory::PeLocation& target) const {
  const bool launch = std::holds_alternative<KernelLaunch>(command.action);
  return machine().pe_part(target, launch ? NodeKind::PeCpu : NodeKind::PeMmu);
}

}  // namespace kernbench::model::components
