#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/components/machine/component.hpp"
#include "model/components/machine/component_registry.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/components/machine/message.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/engine/simulation.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/transport/network.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::model::components {

/// What a machine may be given.
struct MachineOptions {
  trace::HopTrace* trace = nullptr;              ///< nothing is recorded without one
  const topology::PathRouter* router = nullptr;  ///< of the graph; its own without one
  const ComponentRegistry* components = &standard_components();
  transport::FabricFactory make_fabric{};  ///< of the MAZE of a SIP; analytic without one
  StageObserver* stages = nullptr;         ///< hears of the stages of tiles
};

/// A system of a compiled topology in one simulation: the wires, the components at the nodes, and
/// the messages between them. A node's component is made when it is first needed, by its name.
class Machine final : public transport::FlitReceiver, public engine::EventHandler {
 public:
  /// All must outlive it.
  Machine(engine::Simulation& simulation, const topology::TopologyGraph& graph,
          const MachineOptions& options = {});

  [[nodiscard]] engine::Simulation& simulation() { return simulation_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return graph_.spec(); }
  [[nodiscard]] const topology::PathRouter& router();
  [[nodiscard]] const topology::AddressResolver& resolver() const { return resolver_; }
  [[nodiscard]] transport::Network& network() { return network_; }
  [[nodiscard]] MemoryAccesses& accesses() { return accesses_; }

  [[nodiscard]] Component& component(topology::NodeId node);
  /// Throws std::invalid_argument when the node's component has no memory.
  [[nodiscard]] MemoryComponent& memory(topology::NodeId node);
  /// Throws std::logic_error when the node's component is none of these.
  template <typename T>
  [[nodiscard]] T& component_as(topology::NodeId node) {
    auto* const wanted = dynamic_cast<T*>(&component(node));
    if (wanted == nullptr) reject_component(node);
    return *wanted;
  }
  /// The part of this kind of the PE that `part` is of.
  [[nodiscard]] topology::NodeId sibling(topology::NodeId part, topology::NodeKind kind) const;
  [[nodiscard]] topology::NodeId pe_part(const memory::PeLocation& pe,
                                         topology::NodeKind kind) const;

  /// From 1 on, in the order of asking.
  [[nodiscard]] std::uint64_t new_transaction() { return ++transactions_; }

  /// Sends a message along `route`; when it has fully arrived and the overhead of its destination
  /// has passed, the component there gets it. Returns when its last flit will have left the source.
  common::SimTime send(const transport::Route& route, std::uint64_t bytes,
                       const trace::Label& label, Payload payload,
                       transport::SourceOverhead overhead = transport::SourceOverhead::Paid);
  common::SimTime send(std::span<const topology::EdgeId> edges, std::uint64_t bytes,
                       const trace::Label& label, Payload payload,
                       transport::SourceOverhead overhead = transport::SourceOverhead::Paid) {
    return send(network_.route(edges), bytes, label, std::move(payload), overhead);
  }
  /// An answer of request_bytes on the way back of `request`.
  void reply(const Message& request, std::string_view what, Payload payload);

  /// Adds to the trace, if there is one.
  void record(const trace::HopRecord& record) {
    if (options_.trace != nullptr) options_.trace->add(record);
  }

  /// Tells the observer of stages, if there is one.
  void stage_done(const TileToken& token, topology::NodeId engine) {
    if (options_.stages != nullptr) options_.stages->on_stage(token, engine, simulation_.now());
  }

  void on_flit(std::uint64_t message, std::uint64_t index, common::SimTime came) override;
  void on_event(engine::EventArgument argument) override;

 private:
  [[noreturn]] void reject_component(topology::NodeId node);

  engine::Simulation& simulation_;
  const topology::TopologyGraph& graph_;
  MachineOptions options_;
  std::unique_ptr<topology::PathRouter> own_router_;
  topology::AddressResolver resolver_;
  transport::Network network_;
  MemoryAccesses accesses_;
  std::vector<std::unique_ptr<Component>> components_;  ///< by node
  engine::SlotPool<Message> messages_;                  ///< in flight
  std::uint64_t transactions_ = 0;
};

}  // namespace kernbench::model::components
