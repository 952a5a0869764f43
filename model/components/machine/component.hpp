#pragma once

#include <cstdint>
#include <string_view>

#include "common/units.hpp"
#include "model/components/machine/message.hpp"
#include "model/components/machine/service_channel.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

class Machine;

/// What stands at a node of the graph. Flits that only pass a node never reach its component: the
/// network adds the node's overhead and sends them on. A component acts on messages that end at it.
class Component {
 public:
  /// The machine outlives it.
  Component(Machine& machine, topology::NodeId node) : machine_(machine), node_(node) {}
  virtual ~Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  [[nodiscard]] topology::NodeId node() const { return node_; }
  /// "sip0.cube3.pe1.pe_dma"
  [[nodiscard]] std::string_view name() const;

  /// A message for this node has fully arrived, and the node's overhead has passed. Throws
  /// std::logic_error, naming both, for one that it has no use for; by default for all.
  virtual void on_message(Message message);

 protected:
  [[nodiscard]] Machine& machine() const { return machine_; }
  [[noreturn]] void reject(const Message& message) const;
  /// Notes a stay at this node in the trace: what came at `arrive` was then served.
  void record(const trace::Label& label, common::SimTime arrive, const Service& service,
              trace::WaitReason why);

 private:
  Machine& machine_;
  topology::NodeId node_;
};

/// A component with memory that is read and written over the wires, flit by flit.
class MemoryComponent : public Component {
 public:
  using Component::Component;

  /// When a flit of `bytes` at `address` (within the component's memory) is served that is ready at
  /// `ready`: the overhead has passed. To be called in the order of readiness.
  virtual Service serve(bool write, std::uint64_t address, std::uint32_t bytes,
                        common::SimTime ready, std::uint64_t transaction) = 0;
};

}  // namespace kernbench::model::components
