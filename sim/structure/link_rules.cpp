// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sim/structure/rules.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {
namespace {

using topology::MazeLink;

/// Returns true when nodes drive the signal, not TOPO.
bool driven_by_node(const NodeBit& bit) {
  return bit.outgoing != (bit.field == Field::Rdy);
}

class LinkRules {
 public:
  LinkRules(const FabricView& fabric, std::vector<Finding>& findings)
      : fabric_(fabric), netlist_(fabric.netlist()), findings_(findings) {}

  void run() {
    find_sinks();
    std::vector<unsigned> claims(fabric_.links().links().size());
    for (const std::size_t placed : fabric_.instances()) {
      instance_ = placed;
      const std::optional<std::size_t> index = identify();
      if (!index) {
        report("this IRS_N is connected to no link");
        continue;
      }
      link_ = &fabric_.links().links()[*index];
      if (++claims[*index] > 1) report(link_name() + ": a second IRS_N");
      check_link();
    }
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (claims[i] != 0) continue;
      link_ = &fabric_.links().links()[i];
      instance_ = *fabric_.topo();
      add(netlist_.placed()[instance_].module->place,
          fmt::format("{} to node {}: no IRS_N, expected one of depth {}", link_name(),
                      link_->to.node, link_->depth));
    }
  }

 private:
  [[nodiscard]] bool stops(BitId bit) const {
    const std::size_t owner = netlist_.owner(bit);
    if (const NodeBit* node = fabric_.node_bit(bit)) return driven_by_node(*node);
    const bool pin = netlist_.placed()[owner].opaque;
    if (!pin && owner != *fabric_.topo()) return false;
    const Variable* variable = netlist_.variable(bit);
    return variable != nullptr &&
           variable->direction == (pin ? Direction::Output : Direction::Input);
  }

  [[nodiscard]] Origin origin(BitId bit) const {
    return trace_back(netlist_, bit, [this](BitId one) { return stops(one); });
  }

  /// Finds the nodes' inputs that each output of an IRS_N drives.
  void find_sinks() {
    const auto& links = fabric_.links();
    for (unsigned node = 0; node < links.nodes(); ++node) {
      for (unsigned port = 0; port < links.ports(); ++port) {
        for (std::size_t f = 0; f < kFields; ++f) {
          const auto field = static_cast<Field>(f);
          NodeBit bit{node, port, field == Field::Rdy, field, 0};
          for (; bit.bit < fabric_.bits_of(field); ++bit.bit) find_sink(bit);
        }
      }
    }
  }

  [[nodiscard]] Origin origin_of(const Driver& driver) const {
    const BitValue* value = driver.target != nullptr ? &driver.target->value : driver.value;
    if (value == nullptr) return origin(driver.output);
    if (value->kind != BitValue::Kind::Copy) return {};
    Origin from = origin(netlist_.global(driver.placed, value->source));
    from.inverted = from.inverted != value->inverted;
    return from;
  }

  [[nodiscard]] bool is_output(const Origin& from) const {
    return from.kind == Origin::Kind::Bit && netlist_.placed()[netlist_.owner(from.bit)].opaque;
  }

  void add_sink(const Origin& from, const NodeBit& bit) {
    sinks_[from.bit].push_back(bit);
    if (from.inverted) inverted_.push_back(bit);
  }

  void find_sink(const NodeBit& bit) {
    const auto id = fabric_.bit_of(bit);
    if (!id) return;
    const Origin from = origin(*id);
    using enum Origin::Kind;
    if (from.kind == Several) {  // check_drivers reports it; each of them has its sink
      for (const Driver* driver : netlist_.drivers(from.bit)) {
        const Origin one = origin_of(*driver);
        if (is_output(one)) add_sink(one, bit);
      }
      return;
    }
    if (from.kind == Nothing) return;  // check_drivers reports it
    if (is_output(from)) return add_sink(from, bit);
    const NodeBit* source = from.kind == Bit ? fabric_.node_bit(from.bit) : nullptr;
    const std::string what = source != nullptr
                                 ? fmt::format("wired to {}", fabric_.text(*source))
                                 : fmt::format("driven by {}", describe(netlist_, from));
    add(from.place, fmt::format("{} is {}, expected an IRS_N", fabric_.text(bit), what));
  }

  /// Returns the link that most of the connections of the instance belong to.
  [[nodiscard]] std::optional<std::size_t> identify() const {
    std::map<std::size_t, unsigned> votes;
    std::vector<std::size_t> order;
    const auto vote = [&](const NodeBit* bit) {
      if (bit == nullptr) return;
      const auto& links = fabric_.links();
      const MazeLink& link = bit->outgoing ? links.leaving(bit->node, bit->port)
                                           : links.arriving(bit->node, bit->port);
      const std::size_t index = std::size_t{link.from.node} * links.ports() + link.from.port;
      if (votes[index]++ == 0) order.push_back(index);
    };
    for (const char* name : {"valid_i", "ready_i", "payload_i"}) {
      if (const auto pin = fabric_.port(instance_, name)) {
        const Origin from = origin(*pin);
        if (from.kind == Origin::Kind::Bit) vote(fabric_.node_bit(from.bit));
      }
    }
    for (const char* name : {"ready_o", "valid_o", "payload_o"}) {
      for (const NodeBit& sink : sinks_of(name, 0)) vote(&sink);
    }
    std::optional<std::size_t> best;
    for (const std::size_t index : order) {
      if (!best || votes[index] > votes[*best]) best = index;
    }
    return best;
  }

  [[nodiscard]] const std::vector<NodeBit>& sinks_of(const char* name, unsigned bit) const {
    static const std::vector<NodeBit> kNone;
    const auto pin = fabric_.port(instance_, name, bit);
    const auto found = pin ? sinks_.find(*pin) : sinks_.end();
    return found == sinks_.end() ? kNone : found->second;
  }

  [[nodiscard]] NodeBit at_source(Field field, unsigned bit = 0) const {
    return {link_->from.node, link_->from.port, true, field, bit};
  }
  [[nodiscard]] NodeBit at_target(Field field, unsigned bit = 0) const {
    return {link_->to.node, link_->to.port, false, field, bit};
  }

  [[nodiscard]] std::string link_name() const {
    return fmt::format("link node {} {}", link_->from.node,
                       fabric_.links().port_name(link_->from.port));
  }

  void add(const Place& place, std::string message) {
    findings_.push_back({Rule::Connection, netlist_.design().at(place), std::move(message)});
  }
  void report(std::string message) {
    add(netlist_.placed()[instance_].instance->place, std::move(message));
  }

  void check_link() {
    check_input("valid_i", at_source(Field::Vld));
    check_output("ready_o", at_source(Field::Rdy));
    check_output("valid_o", at_target(Field::Vld));
    check_input("ready_i", at_target(Field::Rdy));
    check_payload();
    check_shared("clk", Rule::Clock);
    check_shared("rst_n", Rule::Reset);
    check_parameters();
  }

  [[nodiscard]] std::string text_of(const Origin& from) const {
    const NodeBit* node = from.kind == Origin::Kind::Bit ? fabric_.node_bit(from.bit) : nullptr;
    if (node != nullptr) return (from.inverted ? "the inverse of " : "") + fabric_.text(*node);
    return describe(netlist_, from);
  }

  void check_input(const char* name, const NodeBit& expected) {
    const auto pin = fabric_.port(instance_, name);
    if (!pin) return report(fmt::format("{}: IRS_N has no port {}", link_name(), name));
    const Origin from = origin(*pin);
    const NodeBit* node = from.kind == Origin::Kind::Bit ? fabric_.node_bit(from.bit) : nullptr;
    if (node != nullptr && *node == expected && !from.inverted) return;
    report(fmt::format("{}: {} takes {}, expected {}", link_name(), name, text_of(from),
                       fabric_.text(expected)));
  }

  void check_output(const char* name, const NodeBit& expected) {
    const std::vector<NodeBit>& sinks = sinks_of(name, 0);
    std::string others;
    bool found = false;
    for (const NodeBit& sink : sinks) {
      const bool inverted = std::find(inverted_.begin(), inverted_.end(), sink) != inverted_.end();
      if (sink == expected && !inverted) {
        found = true;
        continue;
      }
      others += (others.empty() ? "" : " and ") + fabric_.text(sink) +
                (inverted ? " with its inverse" : "");
    }
    if (found && others.empty()) return;
    report(fmt::format("{}: {} drives {}, {} {}", link_name(), name,
                       others.empty() ? "nothing" : others, found ? "besides" : "expected",
                       fabric_.text(expected)));
  }

  /// Checks that each bit of the packet enters at one payload bit and leaves there for the same bit
  /// of the same field. The order of the fields inside is the designer's choice.
  void check_payload() {
    std::map<std::pair<Field, unsigned>, unsigned> entry;
    std::vector<std::string> wrong;
    for (unsigned k = 0; const auto pin = fabric_.port(instance_, "payload_i", k); ++k) {
      const Origin from = origin(*pin);
      const NodeBit* node = from.kind == Origin::Kind::Bit ? fabric_.node_bit(from.bit) : nullptr;
      const bool ours = node != nullptr && !from.inverted &&
                        *node == at_source(node->field, node->bit) && node->field != Field::Vld;
      if (ours && entry.emplace(std::pair{node->field, node->bit}, k).second) continue;
      wrong.push_back(fmt::format("payload_i[{}] takes {}", k, text_of(from)));
    }
    if (!wrong.empty()) {
      return report(fmt::format("{}: {}, expected the packet of node {}{}", link_name(),
                                wrong.front(), link_->from.node, more(wrong.size())));
    }
    for (const Field field : {Field::Type, Field::Qos, Field::Src, Field::Tgt, Field::Data}) {
      check_field(field, entry);
    }
  }

  void check_field(Field field, const std::map<std::pair<Field, unsigned>, unsigned>& entry) {
    std::vector<std::string> wrong;
    for (unsigned bit = 0; bit < fabric_.bits_of(field); ++bit) {
      const auto k = entry.find({field, bit});
      const std::string source = fabric_.text(at_source(field, bit));
      if (k == entry.end()) {
        wrong.push_back(source + " does not enter payload_i");
        continue;
      }
      const std::vector<NodeBit>& sinks = sinks_of("payload_o", k->second);
      const NodeBit expected = at_target(field, bit);
      if (sinks.size() == 1 && sinks.front() == expected &&
          std::find(inverted_.begin(), inverted_.end(), expected) == inverted_.end()) {
        continue;
      }
      std::string at;
      for (const NodeBit& sink : sinks) at += (at.empty() ? "" : " and ") + fabric_.text(sink);
      wrong.push_back(fmt::format("{} arrives {}{}, expected {}", source,
                                  at.empty() ? "nowhere" : "at " + at,
                                  sinks.size() == 1 && sinks.front() == expected ? " inverted" : "",
                                  fabric_.text(expected)));
    }
    if (!wrong.empty()) {
      report(fmt::format("{}: {}{}", link_name(), wrong.front(), more(wrong.size())));
    }
  }

  static std::string more(std::size_t count) {
    return count > 1 ? fmt::format(" (and {} more bits)", count - 1) : "";
  }

  void check_shared(const char* name, Rule rule) {
    const auto pin = fabric_.port(instance_, name);
    const auto shared = fabric_.port(*fabric_.topo(), name);
    if (!pin || !shared) {
      return report(
          fmt::format("{}: {} has no port {}", link_name(), pin ? "TOPO" : "IRS_N", name));
    }
    const Origin from = origin(*pin);
    if (from.kind == Origin::Kind::Bit && from.bit == *shared && !from.inverted) return;
    const bool gated = rule == Rule::Clock && from.kind == Origin::Kind::Function;
    findings_.push_back({rule, netlist_.design().at(netlist_.placed()[instance_].instance->place),
                         fmt::format("{}: {} takes {}, expected TOPO's {}{}", link_name(), name,
                                     text_of(from), name, gated ? ": a gate in the clock" : "")});
  }

  void check_parameters() {
    const auto& parameters = netlist_.placed()[instance_].module->parameters;
    const std::array<std::pair<const char*, std::int64_t>, 5> expected = {
        {{"PYLD_W", fabric_.shape().payload_w()},
         {"IRS_DEEP", link_->depth},
         {"TYPE_NO_READY", 0},
         {"TYPE_HALF", 0},
         {"TYPE_RO_EN", 1}}};
    for (const auto& [name, value] : expected) {
      const auto found = parameters.find(name);
      if (found == parameters.end() || found->second == value) continue;
      report(fmt::format("{}: {} is {}, expected {}", link_name(), name, found->second, value));
    }
  }

  const FabricView& fabric_;
  const Netlist& netlist_;
  std::vector<Finding>& findings_;
  std::unordered_map<BitId, std::vector<NodeBit>> sinks_;  ///< by output of an IRS_N
  std::vector<NodeBit> inverted_;
  std::size_t instance_ = 0;
  const MazeLink* link_ = nullptr;
};

}  // namespace

void check_links(const FabricView& fabric, std::vector<Finding>& findings) {
  if (fabric.topo() && !fabric.nodes().empty()) LinkRules(fabric, findings).run();
}

}  // namespace kernbench::sim::structure
