// SPDX-License-Identifier: Apache-2.0
// Checks everything around the nodes of a network: each pin of each MAZE_CORE, its clock gate, and
// the masks at the users' ports.
#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/structure/failed_node.hpp"
#include "sim/structure/rules.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {
namespace {

constexpr std::array kPacketFields = {Field::Data, Field::Tgt, Field::Src, Field::Qos, Field::Type};

class NodeRules {
 public:
  NodeRules(const FabricView& fabric, std::vector<Finding>& findings)
      : fabric_(fabric), netlist_(fabric.netlist()), findings_(findings) {}

  unsigned run() {
    if (!find_array() || fabric_.nodes().empty()) return 0;
    find_cores();
    check_array();
    failed_.emplace(netlist_, array_, fabric_.shape());
    for (unsigned node = 0; node < cores_.size(); ++node) {
      node_ = node;
      if (!cores_[node]) {
        add(netlist_.placed()[array_].module->place, "has no MAZE_CORE");
        continue;
      }
      core_ = *cores_[node];
      check_place();
      for (unsigned port = 0; port < fabric_.links().ports(); ++port) check_link_port(port);
      check_users_ports();
      check_clock();
      check_shared();
    }
    return static_cast<unsigned>(count_);
  }

 private:
  [[nodiscard]] const Placed& placed(std::size_t at) const { return netlist_.placed()[at]; }

  [[nodiscard]] Finding finding(const Place& place, const std::string& message, Rule rule) const {
    const Place& where = place.line != 0 ? place : placed(array_).module->place;
    const std::string node = core_ == array_ ? "" : fmt::format("node {}: ", node_);
    return {rule, netlist_.design().at(where), node + message};
  }
  void add(const Place& place, const std::string& message, Rule rule = Rule::Connection) {
    findings_.push_back(finding(place, message, rule));
  }

  bool find_array() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < netlist_.placed().size(); ++i) {
      if (placed(i).module->orig != "MAZE_ARRAY") continue;
      array_ = i;
      ++count;
    }
    if (count == 1) return true;
    findings_.push_back({Rule::Content, netlist_.design().at(netlist_.design().top().place),
                         fmt::format("{} instances of MAZE_ARRAY, expected 1", count)});
    return false;
  }

  /// Returns true for a bit at which a trace ends: a pin of a black box or of the array, a signal
  /// of a node's links or of a user, or an input of the whole design.
  [[nodiscard]] bool stops(BitId bit) const {
    const std::size_t owner = netlist_.owner(bit);
    const Variable* variable = netlist_.variable(bit);
    if (fabric_.node_bit(bit) != nullptr) return true;
    if (variable == nullptr) return false;
    if (placed(owner).opaque) return variable->direction == Direction::Output;
    if (placed(owner).module->interface) return placed(owner).parent == 0;
    return (owner == array_ || owner == 0) && variable->direction == Direction::Input;
  }

  [[nodiscard]] Origin origin(BitId start) const {
    return trace_back(netlist_, start, [&](BitId bit) { return bit != start && stops(bit); });
  }

  [[nodiscard]] std::string text(BitId bit) const {
    const NodeBit* node = fabric_.node_bit(bit);
    return node != nullptr ? fabric_.text(*node) : netlist_.name(bit);
  }

  [[nodiscard]] std::string text(const Origin& from) const {
    if (from.kind == Origin::Kind::Constant) return from.one != from.inverted ? "1" : "0";
    if (from.kind != Origin::Kind::Bit) return describe(netlist_, from);
    return (from.inverted ? "the inverse of " : "") + text(from.bit);
  }

  /// Returns the node that most of the links of a core belong to.
  [[nodiscard]] std::optional<unsigned> node_of(std::size_t core) const {
    std::map<unsigned, unsigned> votes;
    std::optional<unsigned> best;
    for (const char* pin : {"valid_i", "ready_i"}) {
      for (unsigned port = 0; port < fabric_.links().ports(); ++port) {
        const auto bit = fabric_.port(core, pin, port);
        const Origin from = bit ? origin(*bit) : Origin{};
        const NodeBit* node = from.kind == Origin::Kind::Bit ? fabric_.node_bit(from.bit) : nullptr;
        if (node == nullptr) continue;
        const unsigned mine = ++votes[node->node];
        if (!best || mine > votes[*best]) best = node->node;
      }
    }
    return best;
  }

  void find_cores() {
    cores_.resize(fabric_.links().nodes());
    for (std::size_t i = 0; i < netlist_.placed().size(); ++i) {
      if (placed(i).module->orig != "MAZE_CORE") continue;
      ++count_;
      const std::optional<unsigned> node = node_of(i);
      node_ = node.value_or(0);
      if (!node) {
        findings_.push_back({Rule::Connection, netlist_.design().at(placed(i).instance->place),
                             placed(i).path + " is connected to the links of no node"});
      } else if (cores_[*node]) {
        add(placed(i).instance->place, "a second MAZE_CORE");
      } else {
        cores_[*node] = i;
      }
    }
  }

  /// Returns a finding for an input that does not take one signal or register as it is.
  [[nodiscard]] std::optional<Finding> wrong(std::optional<BitId> pin, std::optional<BitId> wanted,
                                             const std::string& what,
                                             Rule rule = Rule::Connection) const {
    const Place& here = placed(core_).instance->place;
    if (!pin || !wanted) return finding(here, what + " is not there", rule);
    const Origin from = origin(*pin);
    const bool signal = from.kind == Origin::Kind::Bit || from.kind == Origin::Kind::Register;
    if (signal && from.bit == *wanted && !from.inverted) return std::nullopt;
    return finding(from.place.line != 0 ? from.place : here,
                   fmt::format("{} takes {}, expected {}", what, text(from), text(*wanted)), rule);
  }

  void expect(std::optional<BitId> pin, std::optional<BitId> wanted, const std::string& what,
              Rule rule = Rule::Connection) {
    if (auto found = wrong(pin, wanted, what, rule)) findings_.push_back(std::move(*found));
  }

  /// Checks the bits of a field. Adds the first finding of `wrong_bit`, with the number of the
  /// others.
  template <typename WrongBit>
  void expect_field(Field field, WrongBit wrong_bit) {
    std::vector<Finding> found;
    for (unsigned bit = 0; bit < fabric_.bits_of(field); ++bit) {
      if (auto one = wrong_bit(bit)) found.push_back(std::move(*one));
    }
    if (found.empty()) return;
    if (found.size() > 1) found[0].message += fmt::format(" (and {} more bits)", found.size() - 1);
    findings_.push_back(std::move(found[0]));
  }

  [[nodiscard]] unsigned address_bits() const {
    return fabric_.shape().x_addr_bits() + fabric_.shape().y_addr_bits();
  }
  [[nodiscard]] std::optional<BitId> pin(const char* name, unsigned bit = 0) const {
    return fabric_.port(core_, name, bit);
  }
  [[nodiscard]] std::optional<BitId> array_pin(const char* name, unsigned bit = 0) const {
    return fabric_.port(array_, name, bit);
  }

  void check_place() {
    const unsigned nx = fabric_.shape().nx;
    for (const auto& [name, value, bits] :
         {std::tuple{"x_i", node_ % nx, fabric_.shape().x_addr_bits()},
          std::tuple{"y_i", node_ / nx, fabric_.shape().y_addr_bits()}}) {
      for (unsigned bit = 0; bit < bits; ++bit) {
        const auto at = pin(name, bit);
        const Origin from = at ? origin(*at) : Origin{};
        const bool one = from.one != from.inverted;
        if (from.kind == Origin::Kind::Constant && one == ((value >> bit & 1U) != 0)) continue;
        add(placed(core_).instance->place,
            fmt::format("bit {} of its position {} is {}, expected {}", bit, name, text(from),
                        value >> bit & 1U));
      }
    }
    const Module& module = *placed(core_).module;
    const auto& first = placed(cores_.front().value_or(core_)).module->parameters;
    for (const auto& [name, value] : module.parameters) {
      const auto other = first.find(name);
      if (other == first.end() || other->second == value) continue;
      add(placed(core_).instance->place,
          fmt::format("{} is {}, but {} at node 0", name, value, other->second));
    }
  }

  void check_link_port(unsigned port) {
    const NodeBit in{node_, port, false, Field::Vld, 0};
    const NodeBit out{node_, port, true, Field::Vld, 0};
    const auto with = [](NodeBit bit, Field field, unsigned at = 0) {
      bit.field = field;
      bit.bit = at;
      return bit;
    };
    const auto name = [&](const char* of) {
      return fmt::format("{}[{}] of its MAZE_CORE", of, port);
    };
    expect(pin("valid_i", port), fabric_.bit_of(in), name("valid_i"));
    expect(pin("ready_i", port), fabric_.bit_of(with(out, Field::Rdy)), name("ready_i"));
    const NodeBit ready = with(in, Field::Rdy);
    expect(fabric_.bit_of(ready), pin("ready_o", port), fabric_.text(ready));
    expect(fabric_.bit_of(out), pin("valid_o", port), fabric_.text(out));
    for_each_field(port, [&](Field field, unsigned base) {
      expect_field(field, [&](unsigned bit) {
        return wrong(pin("payload_i", base + bit), fabric_.bit_of(with(in, field, bit)),
                     fmt::format("payload_i[{}] of its MAZE_CORE", base + bit));
      });
      expect_field(field, [&](unsigned bit) {
        const NodeBit leaving = with(out, field, bit);
        return wrong(fabric_.bit_of(leaving), pin("payload_o", base + bit), fabric_.text(leaving));
      });
    });
  }

  /// Calls visit(field, its first bit in the payloads) for all fields of a packet at a port.
  template <typename Visit>
  void for_each_field(unsigned port, Visit visit) const {
    unsigned width = 0;
    for (const Field field : kPacketFields) width += fabric_.bits_of(field);
    unsigned at = port * width;
    for (const Field field : kPacketFields) {
      visit(field, at);
      at += fabric_.bits_of(field);
    }
  }

  /// Returns a bit of the user's interface, a for port A and b for port B, in the top of the
  /// design.
  [[nodiscard]] std::optional<BitId> users_bit(std::string_view port, Field field,
                                               unsigned bit = 0) const {
    const auto& interfaces = netlist_.placed().front().interfaces;
    const auto found = interfaces.find(fmt::format("{}[{}]", port, node_));
    if (found == interfaces.end()) return std::nullopt;
    return fabric_.port(found->second,
                        fmt::format("pkt_{}_{}", port == "a" ? "in" : "out", field_name(field)),
                        bit);
  }

  void check_users_ports() {
    const unsigned last = fabric_.links().ports();
    expect(pin("valid_i", last), users_bit("a", Field::Vld), "valid_i of its port A");
    expect(pin("ready_i", last), users_bit("b", Field::Rdy), "ready_i of its port B");
    for_each_field(last, [&](Field field, unsigned base) {
      const char* name = field_name(field);
      expect_field(field, [&](unsigned bit) {
        return wrong(pin("payload_i", base + bit), users_bit("a", field, bit),
                     fmt::format("{}[{}] of its port A", name, bit));
      });
      expect_field(field, [&](unsigned bit) {
        return wrong(users_bit("b", field, bit), pin("payload_o", base + bit),
                     fmt::format("{}[{}] of its port B", name, bit));
      });
    });
    check_mask(users_bit("a", Field::Rdy), pin("ready_o", last), "ready of its port A");
    check_mask(users_bit("b", Field::Vld), pin("valid_o", last), "valid of its port B");
  }

  /// Checks that an output is 0 while the node has failed, and else the signal of its core.
  void check_mask(std::optional<BitId> output, std::optional<BitId> wanted,
                  const std::string& what) {
    const Place& here = placed(core_).instance->place;
    if (!output || !wanted) return add(here, what + " is not there");
    const Origin from = origin(*output);
    for (std::size_t failed = 0; failed <= cores_.size(); ++failed) {
      const BitValue value = failed_->value(from, failed);
      const bool own = failed == node_ + std::size_t{1};
      if (value.kind == BitValue::Kind::Zero && own) continue;
      if (value.kind == BitValue::Kind::Copy && !own && !value.inverted) {
        const Origin source = origin_or_self(value.source);
        if (source.kind == Origin::Kind::Bit && source.bit == *wanted && !source.inverted) continue;
      }
      return add(from.place.line != 0 ? from.place : here,
                 fmt::format("{} is {} {}, expected {}", what, text(value),
                             FailedNode::text(failed), own ? "0" : text(*wanted)));
    }
  }

  [[nodiscard]] Origin origin_or_self(BitId bit) const {
    return trace_back(netlist_, bit, [&](BitId id) { return stops(id); });
  }

  [[nodiscard]] std::string text(const BitValue& value) const {
    switch (value.kind) {
      case BitValue::Kind::Zero:
        return "0";
      case BitValue::Kind::One:
        return "1";
      case BitValue::Kind::Copy:
        return (value.inverted ? "the inverse of " : "") + text(origin_or_self(value.source));
      default:
        return "logic";
    }
  }

  /// Checks that the clock of a core comes from a gate of its own, which is closed while it failed.
  void check_clock() {
    const auto clock = pin("clk");
    const Origin from = clock ? origin(*clock) : Origin{};
    const std::size_t gate = from.kind == Origin::Kind::Bit ? netlist_.owner(from.bit) : 0;
    const Place& here = placed(core_).instance->place;
    if (gate == 0 || !placed(gate).opaque || placed(gate).module->orig != "MAZE_CLOCK_GATE" ||
        from.inverted) {
      return add(here,
                 fmt::format("its clock is {}, expected clk_o of a MAZE_CLOCK_GATE", text(from)),
                 Rule::Clock);
    }
    if (const auto [other, first] = gates_.emplace(gate, node_); !first) {
      return add(here, fmt::format("its clock gate is that of node {}", other->second),
                 Rule::Clock);
    }
    expect(fabric_.port(gate, "clk_i"), array_pin("clk"), "clk_i of its clock gate", Rule::Clock);
    expect(fabric_.port(gate, "test_en_i"), array_pin("test_en"), "test_en_i of its clock gate",
           Rule::Clock);
    const auto enable = fabric_.port(gate, "en_i");
    if (!enable) return add(here, "en_i of its clock gate is not there", Rule::Clock);
    const Origin works = origin(*enable);
    for (std::size_t failed = 0; failed <= cores_.size(); ++failed) {
      const BitValue value = failed_->value(works, failed);
      const bool own = failed == node_ + std::size_t{1};
      if (value.kind == (own ? BitValue::Kind::Zero : BitValue::Kind::One)) continue;
      return add(works.place.line != 0 ? works.place : here,
                 fmt::format("en_i of its clock gate is {} {}, expected {}", text(value),
                             FailedNode::text(failed), own ? 0 : 1),
                 Rule::Clock);
    }
  }

  void check_shared() {
    expect(pin("rst_n"), array_pin("rst_n"), "rst_n of its MAZE_CORE", Rule::Reset);
    expect(pin("pg_en_i"), array_pin("pg_en"), "pg_en_i of its MAZE_CORE");
    for (unsigned bit = 0; bit < address_bits(); ++bit) {
      expect(pin("pg_node_i", bit), array_pin("pg_node", bit),
             fmt::format("pg_node_i[{}] of its MAZE_CORE", bit));
    }
  }

  /// Checks the pins that TOPO and the array have of their own.
  void check_array() {
    core_ = array_;
    const std::size_t topo = *fabric_.topo();
    expect(fabric_.port(topo, "clk"), array_pin("clk"), "clk of TOPO", Rule::Clock);
    expect(fabric_.port(topo, "rst_n"), array_pin("rst_n"), "rst_n of TOPO", Rule::Reset);
    expect(array_pin("clk"), fabric_.port(0, "clk_i"), "clk of MAZE_ARRAY", Rule::Clock);
    expect(array_pin("rst_n"), fabric_.port(0, "rst_ni"), "rst_n of MAZE_ARRAY", Rule::Reset);
    expect(array_pin("pg_en"), fabric_.port(0, "pg_en_q"), "pg_en of MAZE_ARRAY");
    for (unsigned bit = 0; bit < address_bits(); ++bit) {
      expect(array_pin("pg_node", bit), fabric_.port(0, "pg_node_q", bit),
             fmt::format("pg_node[{}] of MAZE_ARRAY", bit));
    }
  }

  const FabricView& fabric_;
  const Netlist& netlist_;
  std::vector<Finding>& findings_;
  std::size_t array_ = 0;
  std::optional<FailedNode> failed_;
  std::vector<std::optional<std::size_t>> cores_;  ///< by node
  std::size_t count_ = 0;
  std::map<std::size_t, unsigned> gates_;  ///< node of each clock gate
  unsigned node_ = 0;
  std::size_t core_ = 0;
};

}  // namespace

unsigned check_nodes(const FabricView& fabric, std::vector<Finding>& findings) {
  return NodeRules(fabric, findings).run();
}

}  // namespace kernbench::sim::structure
