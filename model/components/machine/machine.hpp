// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/component.hpp"
#include "model/components/machine/component_registry.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/components/machine/message.hpp"
#include "model/components/machine/part_meters.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/engine/simulation.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/trace/path_step.hpp"
#include "model/transport/network.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::model::components {

/// Returns all components of `parts/`, or what plugins replace them by. To replace one in a single
/// machine, copy the registry and add() to the copy.
[[nodiscard]] KERNBENCH_API const ComponentRegistry& standard_components();

/// Options of a machine.
struct MachineOptions {
  trace::HopTrace* trace = nullptr;  ///< null: no trace
  const topology::PathRouter* router =
      nullptr;  ///< router of the graph; null: the machine makes one
  const ComponentRegistry* components = &standard_components();
  transport::FabricFactory make_fabric{};  ///< makes the fabric of a SIP; null: as the spec says
  StageObserver* stages = nullptr;         ///< notified of each finished stage; may be null
};

/// Use of wires and of parts of components so far.
struct MachineUse {
  std::vector<transport::WireUse> wires;  ///< by edge
  std::vector<PartMeter> parts;           ///< parts that have worked
};

/// A system of a compiled topology in one simulation: the wires, the components at the nodes and
/// the messages between them. Components are created by name when they are first needed.
class KERNBENCH_API Machine final : public transport::FlitReceiver, public engine::EventHandler {
 public:
  /// The simulation, the graph and the objects in `options` must outlive the machine.
  Machine(engine::Simulation& simulation, const topology::TopologyGraph& graph,
          const MachineOptions& options = {});

  [[nodiscard]] engine::Simulation& simulation() { return simulation_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return graph_.spec(); }
  [[nodiscard]] const topology::PathRouter& router();
  [[nodiscard]] const topology::AddressResolver& resolver() const { return resolver_; }
  [[nodiscard]] transport::Network& network() { return network_; }
  [[nodiscard]] MemoryAccesses& accesses() { return accesses_; }
  /// Returns the kernels that launches name.
  [[nodiscard]] KernelTable& kernels() { return kernels_; }

  [[nodiscard]] Component& component(topology::NodeId node);
  /// Throws std::invalid_argument when the node's component has no memory.
  [[nodiscard]] MemoryComponent& memory(topology::NodeId node);
  /// Returns the node's component as a T. Throws std::logic_error when it has another type.
  template <typename T>
  [[nodiscard]] T& component_as(topology::NodeId node) {
    auto* const wanted = dynamic_cast<T*>(&component(node));
    if (wanted == nullptr) reject_component(node);
    return *wanted;
  }
  /// Returns the part of kind `kind` in the PE of `part`.
  [[nodiscard]] topology::NodeId sibling(topology::NodeId part, topology::NodeKind kind) const;
  [[nodiscard]] topology::NodeId pe_part(const memory::PeLocation& pe,
                                         topology::NodeKind kind) const;

  /// Returns the next transaction number. The first is 1.
  [[nodiscard]] std::uint64_t new_transaction() { return ++transactions_; }

  /// Sends a message along `route`. The component at its end receives it when it has fully arrived
  /// and the node's overhead has elapsed. Returns the time at which the last flit leaves the
  /// source.
  common::SimTime send(const transport::Route& route, std::uint64_t bytes,
                       const trace::Label& label, Payload payload,
                       transport::SourceOverhead overhead = transport::SourceOverhead::Paid);
  common::SimTime send(std::span<const topology::EdgeId> edges, std::uint64_t bytes,
                       const trace::Label& label, Payload payload,
                       transport::SourceOverhead overhead = transport::SourceOverhead::Paid) {
    return send(network_.route(edges), bytes, label, std::move(payload), overhead);
  }
  /// Sends an answer of request_bytes along the reversed route of `request`.
  void reply(const Message& request, std::string_view what, Payload payload);

  /// Adds a record to the trace, if there is one.
  void record(const trace::HopRecord& record) {
    if (options_.trace != nullptr) options_.trace->add(record);
  }

  /// Notes what a transaction does from now on, for waits behind it. `what` is a literal.
  void note(std::uint64_t transaction, std::string_view what) {
    if (!simulation_.records_causes()) return;
    if (doing_.size() <= transaction) doing_.resize(transaction + 1);
    doing_[transaction] = what;
  }
  /// Returns a transaction with what it does; 0: none.
  [[nodiscard]] trace::Label label_of(std::uint64_t transaction) const {
    return {transaction, transaction < doing_.size() ? doing_[transaction] : std::string_view()};
  }

  /// Returns the meters of parts; null if causes are not recorded.
  [[nodiscard]] PartMeters* meters() { return meters_ ? &*meters_ : nullptr; }
  /// Returns the use of wires and parts; that of parts needs recorded causes.
  [[nodiscard]] MachineUse use() const;
  /// Forgets the longest waits for wires and parts.
  void forget_waits();

  /// Returns a step of a critical path from what happens now to `end`; null if causes are not
  /// recorded.
  [[nodiscard]] std::shared_ptr<trace::PathStep> step_to(common::SimTime end,
                                                         const trace::Label& label) {
    if (!simulation_.records_causes()) return nullptr;
    return std::make_shared<trace::PathStep>(simulation_, end, label);
  }
  /// Returns the step of a service at `node` of something that was ready at `ready`.
  [[nodiscard]] engine::Cause step_of(const Service& service, common::SimTime ready,
                                      topology::NodeId node, const trace::Label& label,
                                      trace::TimeUse wait, trace::TimeUse work);

  /// Notifies the observer of stages, if there is one.
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
  KernelTable kernels_;
  MemoryAccesses accesses_;
  std::optional<PartMeters> meters_;                    ///< if the simulation records causes
  std::vector<std::unique_ptr<Component>> components_;  ///< by node
  engine::SlotPool<Message> messages_;                  ///< in flight
  std::vector<engine::Cause> causes_;                   ///< arrivals of messages, by slot
  std::uint64_t transactions_ = 0;
  std::vector<std::string_view> doing_;  ///< by transaction; empty if causes are not recorded
};

}  // namespace kernbench::model::components
