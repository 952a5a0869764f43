// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maze/network_frame.hpp"
#include "maze/node_group.hpp"
#include "sim/failure.hpp"
#include "sim/harness/cycle_view.hpp"

namespace kernbench::sim {

/// The part of the RTL around a failure that the reference knows flop by flop.
struct Unit {
  enum class Kind : std::uint8_t {
    Link,
    Node,
    Users,  ///< ports A and B of a node of a network, seen from outside
    Links,  ///< several links of a network of any topology
  };
  Kind kind = Kind::Link;
  LinkEnd at = {};  ///< source of the link, or the node
  friend bool operator==(const Unit&, const Unit&) = default;
};

/// A signal of a unit: bits of a variable of the RTL.
struct UnitSignal {
  enum class Kind : std::uint8_t { Input, Output, Register };
  Kind kind = Kind::Register;
  std::string path;   ///< instance below the unit; "" for ports
  std::string name;   ///< variable of that instance
  unsigned low = 0;   ///< its first bit that belongs to the signal
  unsigned bits = 1;  ///< 1 to 64
  bool packet = false;
  unsigned place = 0;  ///< number in UnitReference::places()
  std::string label;   ///< name in reports, such as "stage 1 main_vld_q"
};

/// Bits of an input of a unit that do not change, such as its position.
struct UnitConstant {
  std::string port;
  unsigned low = 0;
  unsigned bits = 64;  ///< bits beyond the port are ignored
  maze::Payload value = 0;
};

/// The texts of what moves on links: the packets of a MAZE, or flits.
struct PacketTexts {
  std::string noun = "packet";
  std::function<std::string(maze::Payload)> whole;  ///< all fields
  std::function<std::string(maze::Payload)> brief;  ///< few letters
};
[[nodiscard]] PacketTexts packet_texts(const maze::Shape& shape);

/// The signals of a unit by which packets enter or leave it. One moves where valid and ready are 1.
struct PacketPort {
  std::size_t valid = 0;
  std::optional<std::size_t> ready;  ///< absent for a port with credits
  std::size_t packet = 0;
};

/// The activity of a place of a unit in one cycle: a stage of a link, or an input or output of a
/// node.
struct Activity {
  bool loads = false;   ///< a packet moves into it or, at an output, out of it
  bool stalls = false;  ///< a packet waits in it
  bool idles = false;   ///< it has no packet, and none is offered
  unsigned held = 0;    ///< packets inside
};

/// Values of all signals of a unit in one cycle, in the order of UnitReference::signals().
struct UnitCycle {
  std::uint64_t cycle = 0;
  bool in_reset = false;
  std::vector<maze::Payload> seen;
  /// Values of the reference; absent for inputs, and where the value has no effect.
  std::vector<std::optional<maze::Payload>> expected;
};

/// The reference of one unit, beside the RTL.
class UnitReference {
 public:
  UnitReference(const UnitReference&) = delete;
  UnitReference& operator=(const UnitReference&) = delete;
  virtual ~UnitReference() = default;

  /// Ports first, then registers of the RTL of this project.
  [[nodiscard]] const std::vector<UnitSignal>& signals() const { return signals_; }
  [[nodiscard]] std::size_t ports() const { return ports_; }
  /// Returns the names of the places, such as "stage 1" or "input x[0]".
  [[nodiscard]] const std::vector<std::string>& places() const { return places_; }
  /// Returns the activity of each place in the last step.
  [[nodiscard]] const std::vector<Activity>& activity() const { return activity_; }
  /// Sets the seen values of the ports and all expected values of a cycle, and the activity.
  virtual void observe(const CycleView& view, UnitCycle& cycle) = 0;
  /// Applies the edge that ends the cycle.
  virtual void clock(const CycleView& view) = 0;
  void step(const CycleView& view, UnitCycle& cycle) {
    observe(view, cycle);
    clock(view);
  }
  /// Returns how the path of the unit's instance ends in the RTL of this project.
  [[nodiscard]] virtual std::string instance() const = 0;
  /// Returns the unit as reports name it, and its module.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string module() const = 0;
  /// Returns the inputs that do not change.
  [[nodiscard]] virtual std::vector<UnitConstant> constants() const { return {}; }
  /// Returns the IRS stages of a link.
  [[nodiscard]] virtual unsigned depth() const { return 0; }
  [[nodiscard]] const PacketTexts& texts() const { return texts_; }
  /// Returns the ports by which packets enter and leave.
  [[nodiscard]] const std::vector<PacketPort>& packet_ports() const { return packet_ports_; }

 protected:
  explicit UnitReference(PacketTexts texts) : texts_(std::move(texts)) {}
  void add_packet_port(const PacketPort& port) { packet_ports_.push_back(port); }
  std::size_t add(UnitSignal signal) {
    signals_.push_back(std::move(signal));
    return signals_.size() - 1;
  }
  void end_ports() { ports_ = signals_.size(); }
  unsigned add_place(std::string name) {
    places_.push_back(std::move(name));
    activity_.emplace_back();
    return static_cast<unsigned>(places_.size() - 1);
  }
  [[nodiscard]] Activity& activity_of(unsigned place) { return activity_[place]; }

 private:
  PacketTexts texts_;
  std::vector<UnitSignal> signals_;
  std::size_t ports_ = 0;
  std::vector<PacketPort> packet_ports_;
  std::vector<std::string> places_;
  std::vector<Activity> activity_;
};

/// Returns the unit that a failure at a port points at. Of TOPO it is the link; of a network, the
/// node or link that drives the signal `kind`.
[[nodiscard]] std::optional<Unit> unit_of(const Failure& failure, const maze::Shape& shape,
                                          bool network);

/// `config` is of the network, or has the shape of TOPO alone. `nodes`, unless null, is what other
/// references of nodes share: then the caller resets and clocks it, and clock() of a node does
/// nothing.
[[nodiscard]] std::unique_ptr<UnitReference> unit_reference(
    const Unit& unit, const maze::NetworkConfig& config, bool network,
    const std::shared_ptr<maze::NodeGroup>& nodes = nullptr);

}  // namespace kernbench::sim
