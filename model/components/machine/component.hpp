// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/components/machine/message.hpp"
#include "model/components/machine/part_meters.hpp"
#include "model/components/machine/service_channel.hpp"
#include "model/transport/whole_load.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

class Machine;

/// Model of a node of the graph. It receives the messages that end at the node. Flits that only
/// pass the node never reach it: the network adds the node's overhead and forwards them.
class KERNBENCH_API Component {
 public:
  /// The machine must outlive the component.
  Component(Machine& machine, topology::NodeId node) : machine_(machine), node_(node) {}
  virtual ~Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  [[nodiscard]] topology::NodeId node() const { return node_; }
  /// Returns the name of the node, e.g. "sip0.cube3.pe1.pe_dma".
  [[nodiscard]] std::string_view name() const;

  /// Called when a message for this node has fully arrived and the node's overhead has elapsed.
  /// Throws std::logic_error, naming node and message, for an unexpected message. The default
  /// rejects all messages.
  virtual void on_message(Message message);

 protected:
  [[nodiscard]] Machine& machine() const { return machine_; }
  /// Throws std::logic_error for an unexpected message.
  [[noreturn]] void reject(const Message& message) const;
  /// Adds a stay at this node to the trace: arrival at `arrive`, then `service`. Also adds the
  /// service to the meter of the part that did `amount` of work.
  void record(const trace::Label& label, common::SimTime arrive, const Service& service,
              trace::WaitReason why, Port port, std::uint64_t amount);

 private:
  Machine& machine_;
  topology::NodeId node_;
};

/// A component whose memory is read and written over the wires, flit by flit.
class KERNBENCH_API MemoryComponent : public Component {
 public:
  using Component::Component;

  /// Returns when a flit of `bytes` at `address`, an offset in the component's memory, is served.
  /// The flit has paid the node's overhead at `ready`. Calls must be in ascending order of `ready`.
  virtual Service serve(bool write, std::uint64_t address, std::uint32_t bytes,
                        common::SimTime ready, std::uint64_t transaction) = 0;

  /// Returns how long a channel serves a flit of `bytes`, or a part of one; serve() takes as long.
  [[nodiscard]] virtual common::SimTime duration(bool write, std::uint32_t bytes) const = 0;

  /// Returns the load of a channel by accesses that move as wholes.
  [[nodiscard]] transport::WholeLoad& whole_load(bool write, std::uint32_t channel);

  /// Returns the port that reads or writes take.
  [[nodiscard]] virtual Port port(bool /*write*/) const { return Port::Only; }
  /// Returns the number of channels that serve flits side by side, each at its addresses.
  [[nodiscard]] virtual std::uint32_t channels() const { return 1; }
  /// Returns the channel, 0 to channels() - 1, of a flit at `address`.
  [[nodiscard]] virtual std::uint32_t channel_of(std::uint64_t /*address*/) const { return 0; }

 private:
  std::vector<transport::WholeLoad> whole_loads_;  ///< by channel, those of Port::Write behind
};

}  // namespace kernbench::model::components
