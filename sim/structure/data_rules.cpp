// SPDX-License-Identifier: Apache-2.0
// Checks that the data of packets decides about nothing: a data bit may reach nothing but the same
// data bit at the ports B.
#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

/// Effect of a bit of the design at the ports of the users.
using Reach = std::uint8_t;
constexpr Reach kNothing = 0;
/// More than one bit of the data, or anything else. Any smaller number is a bit of the data plus 1.
constexpr Reach kMore = 255;

class DataRules {
 public:
  DataRules(const Netlist& netlist, const maze::Shape& shape, std::vector<Finding>& findings)
      : netlist_(netlist), shape_(shape), findings_(findings) {}

  void run() {
    const std::vector<Reach> reach = reaches();
    std::vector<unsigned> lost(shape_.nodes());
    for (unsigned bit = 0; bit < shape_.flit_w; ++bit) {
      std::vector<unsigned> wrong;
      for (unsigned node = 0; node < shape_.nodes(); ++node) {
        const std::vector<BitId> data = users('a', node, "data");
        const Reach found = bit < data.size() ? reach[data[bit]] : kNothing;
        if (found == kNothing) {
          ++lost[node];
        } else if (found != bit + 1) {
          wrong.push_back(node);
        }
      }
      if (!wrong.empty()) report(bit, wrong);
    }
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      if (lost[node] != 0) report_lost(node, lost[node]);
    }
  }

 private:
  /// Returns the bits of a signal of a user: of interface a[node] for port A, b[node] for port B.
  [[nodiscard]] std::vector<BitId> users(char port, unsigned node,
                                         const std::string& signal) const {
    const auto& interfaces = netlist_.placed().front().interfaces;
    const auto found = interfaces.find(fmt::format("{}[{}]", port, node));
    if (found == interfaces.end()) return {};
    const Placed& one = netlist_.placed()[found->second];
    const Variable* variable =
        one.module->variable(fmt::format("pkt_{}_{}", port == 'a' ? "in" : "out", signal));
    std::vector<BitId> bits(variable == nullptr ? 0 : variable->type.bits());
    for (unsigned i = 0; i < bits.size(); ++i) {
      bits[i] = netlist_.global_alias(one.base + variable->base + i);
    }
    return bits;
  }

  /// Calls visit(bit, what it shows) for all that users see.
  template <typename Visit>
  void for_each_output(Visit visit) const {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      for (const BitId bit : users('a', node, "rdy")) visit(bit, kMore);
      for (const char* signal : {"vld", "type", "qos", "src", "tgt"}) {
        for (const BitId bit : users('b', node, signal)) visit(bit, kMore);
      }
      const std::vector<BitId> data = users('b', node, "data");
      for (unsigned i = 0; i < data.size(); ++i) visit(data[i], static_cast<Reach>(i + 1));
    }
  }

  /// Calls visit(input, place) for all that decides about a bit.
  template <typename Visit>
  void for_each_input(BitId bit, Visit visit) const {
    for (const Driver* driver : netlist_.drivers(bit)) {
      for (const BitId input : netlist_.inputs(*driver)) visit(input, driver->place);
      if (driver->process == nullptr) continue;
      for (const EdgeItem& edge : driver->process->edges) {
        for (const BitId input : netlist_.inputs(edge.signal, driver->placed)) {
          visit(input, edge.place);
        }
      }
    }
    const Placed& irs = netlist_.placed()[netlist_.owner(bit)];
    const Variable* output = netlist_.variable(bit);
    if (!irs.opaque || output == nullptr || output->direction != Direction::Output) return;
    // In an IRS_N a bit of the packet leaves as it came and decides about nothing: check_stages().
    const auto pin = [&](const char* name, BitId at) {
      const Variable* variable = irs.module->variable(name);
      if (variable == nullptr || at >= variable->type.bits()) return;
      visit(irs.base + variable->base + at, irs.instance->place);
    };
    for (const char* name : {"valid_i", "ready_i", "clk", "rst_n"}) pin(name, 0);
    if (output->name == "payload_o") pin("payload_i", bit - irs.base - output->base);
  }

  /// Returns what each bit of the design reaches.
  [[nodiscard]] std::vector<Reach> reaches() const {
    std::vector<Reach> reach(netlist_.bits(), kNothing);
    std::deque<BitId> todo;
    const auto add = [&](BitId bit, Reach more) {
      if (reach[bit] == more || reach[bit] == kMore) return;
      reach[bit] = reach[bit] == kNothing ? more : kMore;
      todo.push_back(bit);
    };
    for_each_output(add);
    while (!todo.empty()) {
      const BitId bit = todo.front();
      todo.pop_front();
      for_each_input(bit, [&](BitId input, const Place& /*where*/) { add(input, reach[bit]); });
    }
    return reach;
  }

  /// A bit, and where it is used.
  struct Use {
    BitId by = 0;
    Place place;
  };

  /// Returns the first use of each bit on a shortest way to what data bit `bit` may not reach.
  [[nodiscard]] std::vector<Use> ways(unsigned bit) const {
    std::vector<Use> ways(netlist_.bits(), Use{kNone, {}});
    std::deque<BitId> todo;
    for_each_output([&](BitId output, Reach shown) {
      if (shown == bit + 1 || ways[output].by != kNone) return;
      ways[output].by = output;
      todo.push_back(output);
    });
    while (!todo.empty()) {
      const BitId at = todo.front();
      todo.pop_front();
      for_each_input(at, [&](BitId input, const Place& place) {
        if (ways[input].by != kNone) return;
        ways[input] = {at, place};
        todo.push_back(input);
      });
    }
    return ways;
  }

  /// Reports a data bit that reaches more than itself, once for each place.
  void report(unsigned bit, const std::vector<unsigned>& nodes) {
    const std::vector<Use> all = ways(bit);
    for (const unsigned node : nodes) {
      const Use& use = all[mistake(users('a', node, "data")[bit], all)];
      const std::string where = netlist_.design().at(use.place);
      if (!reported_.insert(where).second) continue;
      findings_.push_back(
          {Rule::Content, where,
           fmt::format("{} depends on bit {} of the data at port A of node {}, which may reach "
                       "nothing but bit {} of the data at ports B",
                       netlist_.name(use.by), bit, node, bit)});
    }
  }

  /// Reports data bits that the design, or what the check understands of it, leaves without use.
  void report_lost(unsigned node, unsigned bits) {
    findings_.push_back({Rule::Content, netlist_.design().at(netlist_.design().top().place),
                         fmt::format("{} of {} bits of the data at port A of node {} reach no port "
                                     "B",
                                     bits, shape_.flit_w, node)});
  }

  /// Returns the bit on the way of a data bit whose use is most likely the mistake: the first that
  /// changes its place in the packet, or that something else than a packet takes.
  [[nodiscard]] BitId mistake(BitId data, const std::vector<Use>& all) const {
    BitId last = data;
    for (BitId bit = data; all[bit].by != bit; bit = all[bit].by) {
      const BitId next = all[bit].by;
      if (!is_data(bit)) continue;
      last = bit;
      if (!is_data(next)) break;
      if (is_packet(bit) && is_packet(next) && position(bit) != position(next)) break;
    }
    return last;
  }

  /// Returns true for a bit of a packet, and for one of the data in an interface.
  [[nodiscard]] bool is_data(BitId bit) const {
    const Variable* variable = netlist_.variable(bit);
    return is_packet(bit) ||
           (variable != nullptr && netlist_.placed()[netlist_.owner(bit)].module->interface &&
            variable->name.ends_with("data"));
  }

  /// Returns true for a bit of a signal as wide as one or several packets.
  [[nodiscard]] bool is_packet(BitId bit) const {
    const Variable* variable = netlist_.variable(bit);
    return variable != nullptr && variable->type.bits() % shape_.payload_w() == 0;
  }

  /// Returns the place of a bit in its packet.
  [[nodiscard]] unsigned position(BitId bit) const {
    const BitId first = netlist_.placed()[netlist_.owner(bit)].base + netlist_.variable(bit)->base;
    return (bit - first) % shape_.payload_w();
  }

  static constexpr BitId kNone = ~BitId{0};

  const Netlist& netlist_;
  maze::Shape shape_;
  std::vector<Finding>& findings_;
  std::set<std::string> reported_;
};

}  // namespace

void check_data(const Netlist& netlist, const maze::Shape& shape, std::vector<Finding>& findings) {
  DataRules(netlist, shape, findings).run();
}

}  // namespace kernbench::sim::structure
