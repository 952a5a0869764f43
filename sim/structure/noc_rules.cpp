// SPDX-License-Identifier: Apache-2.0
// Checks the top of a network of any topology against its graph: each pin of each NOC_NODE, its
// parameters and its table, and the ports of NOC_TOP.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "noc/network.hpp"
#include "noc/route_tables.hpp"
#include "sim/structure/rules.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {
namespace {

/// Signals of a link, by the names that they have at its sender. Credits return.
struct LinkSignal {
  const char* output;  ///< port of the node that drives it
  const char* input;   ///< port of the node that takes it
  const char* enters;  ///< at port A of NOC_TOP, or at port B for credits
  const char* leaves;  ///< at port B, or at port A for credits
  unsigned width;
  bool returns;
};

class NocRules {
 public:
  NocRules(const Netlist& netlist, const noc::Network& network, std::vector<Finding>& findings)
      : netlist_(netlist),
        network_(network),
        vcs_(network.sizes().vcs()),
        vc_bits_(noc::Network::bits_for(vcs_)),
        signals_({{{"valid_o", "valid_i", "a_valid_i", "b_valid_o", 1, false},
                   {"vc_o", "vc_i", "a_vc_i", "b_vc_o", vc_bits_, false},
                   {"flit_o", "flit_i", "a_flit_i", "b_flit_o", network.sizes().flit_bits, false},
                   {"credit_o", "credit_i", "b_credit_i", "a_credit_o", vcs_, true}}}),
        findings_(findings) {}

  unsigned run() {
    if (!find_top()) return 0;
    find_nodes();
    const std::vector<std::vector<std::uint32_t>> tables = noc::tables_of(network_);
    for (std::uint32_t node = 0; node < network_.nodes(); ++node) {
      if (!nodes_[node]) continue;
      check_parameters(node);
      for (const LinkSignal& signal : signals_) check_signal(node, signal);
      check_shared(node);
      check_table(node, tables[node]);
    }
    return count_;
  }

 private:
  [[nodiscard]] const Placed& placed(std::size_t at) const { return netlist_.placed()[at]; }

  void add(const Place& place, std::string message, Rule rule = Rule::Connection) {
    findings_.push_back({rule, netlist_.design().at(place), std::move(message)});
  }

  bool find_top() {
    unsigned count = 0;
    for (std::size_t i = 0; i < netlist_.placed().size(); ++i) {
      if (placed(i).module->orig != "NOC_TOP") continue;
      top_ = i;
      ++count;
    }
    if (count == 1) return true;
    add(netlist_.design().top().place, fmt::format("{} instances of NOC_TOP, expected 1", count),
        Rule::Content);
    return false;
  }

  /// Finds the instance of each node by its name, by which the bench reads its outputs.
  void find_nodes() {
    nodes_.resize(network_.nodes());
    for (std::size_t i = 0; i < netlist_.placed().size(); ++i) {
      const Placed& one = placed(i);
      if (i == top_ || one.parent != top_ || one.instance == nullptr) continue;
      const std::optional<std::uint32_t> node = node_named(one.instance->name);
      if (one.module->orig != "NOC_NODE" || !node) {
        add(one.instance->place,
            fmt::format("{} is a {}, expected u_node0 to u_node{} of NOC_NODE alone",
                        one.instance->name, one.module->orig, network_.nodes() - 1),
            Rule::Content);
        continue;
      }
      ++count_;
      if (has_ports(*node, one)) nodes_[*node] = i;
      present_.push_back(*node);
    }
    for (std::uint32_t node = 0; node < network_.nodes(); ++node) {
      if (std::find(present_.begin(), present_.end(), node) != present_.end()) continue;
      add(placed(top_).module->place, fmt::format("NOC_TOP has no u_node{}", node), Rule::Content);
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> node_named(const std::string& name) const {
    for (std::uint32_t node = 0; node < network_.nodes(); ++node) {
      if (name == fmt::format("u_node{}", node)) return node;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint32_t entry_bits(std::uint32_t node) const {
    return noc::Network::bits_for(network_.outputs(node) * network_.sizes().classes);
  }

  /// Returns false, with a finding for each, if ports of a node are missing or have other sizes.
  bool has_ports(std::uint32_t node, const Placed& one) {
    bool all = true;
    const auto expect = [&](const char* name, std::uint32_t bits) {
      const Variable* variable = one.module->variable(name);
      if (variable != nullptr && variable->type.bits() == bits) return;
      all = false;
      const std::string has =
          variable == nullptr ? "no" : fmt::format("{} bits of", variable->type.bits());
      add(one.instance->place,
          fmt::format("u_node{} has {} {}, expected {}", node, has, name, bits));
    };
    const std::uint32_t in = network_.inputs(node);
    const std::uint32_t out = network_.outputs(node);
    for (const LinkSignal& signal : signals_) {
      expect(signal.input, signal.width * (signal.returns ? out : in));
      expect(signal.output, signal.width * (signal.returns ? in : out));
    }
    expect("table_i", in * vcs_ * network_.nodes() * entry_bits(node));
    expect("clk", 1);
    expect("rst_n", 1);
    return all;
  }

  void check_parameters(std::uint32_t node) {
    const Placed& one = placed(*nodes_[node]);
    std::int64_t stages = 0;
    for (std::uint32_t input = network_.inputs(node); input-- > 0;) {
      stages = stages << 4 | network_.stages(node, input);
    }
    const std::array<std::pair<const char*, std::int64_t>, 8> wanted = {
        {{"PI", network_.inputs(node)},
         {"PO", network_.outputs(node)},
         {"V", vcs_},
         {"B", network_.sizes().slots},
         {"W", network_.sizes().flit_bits},
         {"N", network_.nodes()},
         {"M", network_.sizes().lanes},
         {"D", stages}}};
    for (const auto& [name, value] : wanted) {
      const auto found = one.module->parameters.find(name);
      if (found != one.module->parameters.end() && found->second == value) continue;
      const bool hex = std::string_view(name) == "D";
      const auto text = [&](std::int64_t number) {
        return hex ? fmt::format("'h{:x}", number) : std::to_string(number);
      };
      add(one.instance->place,
          fmt::format(
              "u_node{} has {} {}, expected {}", node, name,
              found == one.module->parameters.end() ? "not set" : "= " + text(found->second),
              text(value)));
    }
  }

  /// Returns a bit of a port of a node.
  [[nodiscard]] BitId pin(std::uint32_t node, const char* name, std::uint32_t bit) const {
    const Placed& one = placed(*nodes_[node]);
    return one.base + one.module->variable(name)->base + bit;
  }

  /// Returns a bit of a port of NOC_TOP that is an array by node; nothing, with a finding, if there
  /// is no such port.
  [[nodiscard]] std::optional<BitId> port(std::uint32_t node, const char* name,
                                          std::uint32_t width) {
    const Placed& top = placed(top_);
    const Variable* variable = top.module->variable(name);
    if (variable != nullptr && variable->type.bits() == width * network_.nodes()) {
      return top.base + variable->base + node * width;
    }
    if (node == 0) {
      add(top.module->place,
          fmt::format("NOC_TOP has no {} of {} x {} bits", name, network_.nodes(), width));
    }
    return std::nullopt;
  }

  [[nodiscard]] Origin origin(BitId start) const {
    return trace_back(netlist_, start, [&](BitId bit) {
      if (bit == start) return false;
      const Variable* variable = netlist_.variable(bit);
      const std::size_t owner = netlist_.owner(bit);
      if (variable == nullptr) return false;
      return placed(owner).opaque ? variable->direction == Direction::Output
                                  : owner == top_ && variable->direction == Direction::Input;
    });
  }

  [[nodiscard]] std::string text(const Origin& from) const {
    if (from.kind == Origin::Kind::Constant) return from.one != from.inverted ? "1" : "0";
    if (from.kind != Origin::Kind::Bit) return describe(netlist_, from);
    return (from.inverted ? "the inverse of " : "") + name(from.bit);
  }
  /// Returns the name of a bit as NOC_TOP sees it: "u_node3.valid_o[1]", "a_valid_i[0]".
  [[nodiscard]] std::string name(BitId bit) const {
    const std::size_t owner = netlist_.owner(bit);
    const std::string inside = netlist_.short_name(bit);
    if (owner == top_ || placed(owner).instance == nullptr) return inside;
    return placed(owner).instance->name + "." + inside;
  }

  /// Returns the place where a port is connected.
  [[nodiscard]] Place place_of(BitId port) const {
    const std::vector<const Driver*> drivers = netlist_.drivers(port);
    if (!drivers.empty()) return drivers.front()->place;
    const Placed& one = placed(netlist_.owner(port));
    return one.instance != nullptr ? one.instance->place : one.module->place;
  }

  /// Adds a finding unless `width` bits from `sink` on come from those from `source` on.
  void expect(BitId sink, std::optional<BitId> source, unsigned width, const std::string& link,
              Rule rule = Rule::Connection) {
    if (!source) return;
    std::optional<Finding> first;
    unsigned wrong = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      const Origin from = origin(sink + bit);
      if (from.kind == Origin::Kind::Bit && from.bit == *source + bit && !from.inverted) continue;
      if (wrong++ != 0) continue;
      first = Finding{
          rule, netlist_.design().at(place_of(sink + bit)),
          fmt::format("{}{} takes {}, expected {}", name(sink + bit),
                      link.empty() ? "" : " (" + link + ")", text(from), name(*source + bit))};
    }
    if (!first) return;
    if (wrong > 1) first->message += fmt::format(" (and {} more bits)", wrong - 1);
    findings_.push_back(std::move(*first));
  }

  [[nodiscard]] std::string name_of(std::uint32_t channel) const {
    return fmt::format("{}->{}", network_.channels()[channel].src,
                       network_.channels()[channel].dst);
  }

  /// Checks what a node takes and what leaves NOC_TOP there, of one signal of links.
  void check_signal(std::uint32_t node, const LinkSignal& signal) {
    const auto channels = signal.returns ? network_.outgoing(node) : network_.incoming(node);
    for (std::uint32_t at = 0; at < channels.size(); ++at) {
      const noc::Channel& channel = network_.channels()[channels[at]];
      const std::uint32_t other = signal.returns ? channel.dst : channel.src;
      if (!nodes_[other]) continue;
      const std::uint32_t there =
          signal.returns ? network_.input_of(channels[at]) : network_.output_of(channels[at]);
      expect(pin(node, signal.input, at * signal.width),
             pin(other, signal.output, there * signal.width), signal.width, name_of(channels[at]));
    }
    const auto last = static_cast<std::uint32_t>(channels.size());
    expect(pin(node, signal.input, last * signal.width), port(node, signal.enters, signal.width),
           signal.width, "local");
    if (const auto out = port(node, signal.leaves, signal.width)) {
      const std::uint32_t local =
          (signal.returns ? network_.inputs(node) : network_.outputs(node)) - 1;
      expect(*out, pin(node, signal.output, local * signal.width), signal.width, "local");
    }
  }

  void check_shared(std::uint32_t node) {
    const Placed& top = placed(top_);
    for (const auto& [name, rule] : {std::pair{"clk", Rule::Clock}, {"rst_n", Rule::Reset}}) {
      const Variable* variable = top.module->variable(name);
      if (variable == nullptr) {
        if (node == 0) add(top.module->place, fmt::format("NOC_TOP has no {}", name), rule);
        continue;
      }
      expect(pin(node, name, 0), top.base + variable->base, 1, "", rule);
    }
  }

  /// Checks that the table of a node is constant and has these entries.
  void check_table(std::uint32_t node, const std::vector<std::uint32_t>& wanted) {
    const std::uint32_t bits = entry_bits(node);
    std::optional<Finding> first;
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
      std::uint32_t entry = 0;
      Origin from;
      bool constant = true;
      for (std::uint32_t bit = 0; constant && bit < bits; ++bit) {
        from = origin(pin(node, "table_i", i * bits + bit));
        constant = from.kind == Origin::Kind::Constant;
        if (constant && from.one != from.inverted) entry |= 1U << bit;
      }
      if ((constant && entry == wanted[i]) || wrong++ != 0) continue;
      const std::uint32_t dst = i % network_.nodes();
      const std::uint32_t vc = i / network_.nodes() % vcs_;
      const std::uint32_t input = i / network_.nodes() / vcs_;
      first = Finding{
          Rule::Connection, netlist_.design().at(place_of(pin(node, "table_i", i * bits))),
          fmt::format("the table of u_node{} sends a packet for node {} from {}, VC {}, to {}, "
                      "expected {}",
                      node, dst,
                      input + 1 == network_.inputs(node) ? "the local input"
                                                         : name_of(network_.incoming(node)[input]),
                      vc, constant ? text(node, entry) : text(from), text(node, wanted[i]))};
    }
    if (!first) return;
    if (wrong > 1) first->message += fmt::format(" (and {} more entries)", wrong - 1);
    findings_.push_back(std::move(*first));
  }

  /// Returns where an entry of a table leads.
  [[nodiscard]] std::string text(std::uint32_t node, std::uint32_t entry) const {
    const std::uint32_t output = entry / network_.sizes().classes;
    const std::uint32_t vc_class = entry % network_.sizes().classes;
    const auto channels = network_.outgoing(node);
    const std::string to = output < channels.size()    ? name_of(channels[output])
                           : output == channels.size() ? "the local output"
                                                       : fmt::format("output {}", output);
    return network_.sizes().classes == 1 ? to : fmt::format("{} class {}", to, vc_class);
  }

  const Netlist& netlist_;
  const noc::Network& network_;
  std::uint32_t vcs_;
  std::uint32_t vc_bits_;
  std::array<LinkSignal, 4> signals_;
  std::vector<Finding>& findings_;
  std::size_t top_ = 0;
  unsigned count_ = 0;
  std::vector<std::optional<std::size_t>> nodes_;  ///< instances with the ports of a node
  std::vector<std::uint32_t> present_;
};

}  // namespace

unsigned check_noc_nodes(const Netlist& netlist, const noc::Network& network,
                         std::vector<Finding>& findings) {
  return NocRules(netlist, network, findings).run();
}

}  // namespace kernbench::sim::structure
