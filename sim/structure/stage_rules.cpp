// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "sim/structure/rules.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {
namespace {

constexpr unsigned kNever = std::numeric_limits<unsigned>::max();

class StageRules {
 public:
  StageRules(const Netlist& irs, std::optional<unsigned> depth, std::vector<Finding>& findings,
             std::vector<Finding>& notes)
      : netlist_(irs),
        module_(*irs.placed().front().module),
        depth_(depth),
        findings_(findings),
        notes_(notes) {}

  void run() {
    for (const char* name :
         {"clk", "rst_n", "valid_i", "ready_o", "payload_i", "valid_o", "ready_i", "payload_o"}) {
      if (module_.variable(name) != nullptr) continue;
      add(Rule::Content, module_.place, fmt::format("IRS_N has no port {}", name));
      return;
    }
    clk_ = port("clk");
    rst_n_ = port("rst_n");
    check_edges();
    check_payload_in_control();
    check_resets();
    check_paths();
    check_size();
  }

 private:
  [[nodiscard]] BitId port(const char* name, unsigned bit = 0) const {
    return module_.variable(name)->base + bit;
  }
  [[nodiscard]] unsigned width(const char* name) const {
    return module_.variable(name)->type.bits();
  }
  [[nodiscard]] bool is_input(BitId bit) const {
    const Variable* variable = netlist_.owner(bit) == 0 ? netlist_.variable(bit) : nullptr;
    return variable != nullptr && variable->direction == Direction::Input;
  }

  void add(Rule rule, const Place& place, std::string message) {
    findings_.push_back({rule, netlist_.design().at(place), std::move(message)});
  }

  [[nodiscard]] Origin origin(const BitValue& value, std::size_t placed) const {
    Origin from;
    if (value.kind != BitValue::Kind::Copy) {
      from.kind = value.depends_on_nothing() ? Origin::Kind::Constant : Origin::Kind::Function;
      return from;
    }
    from = trace_back(netlist_, netlist_.global(placed, value.source),
                      [this](BitId bit) { return is_input(bit); });
    from.inverted = from.inverted != value.inverted;
    return from;
  }

  // --- Clock and reset of every register ---------------------------------------------------------

  void check_edges() {
    std::set<std::pair<std::size_t, const ProcessLogic*>> seen;
    for (BitId bit = 0; bit < netlist_.bits(); ++bit) {
      for (const Driver* driver : netlist_.drivers(bit)) {
        const ProcessLogic* process = driver->process;
        if (process == nullptr || process->edges.empty()) continue;
        if (seen.emplace(driver->placed, process).second) check_process(*driver, bit);
      }
    }
  }

  void check_process(const Driver& driver, BitId bit) {
    const std::string name = netlist_.short_name(bit);
    unsigned clocks = 0;
    for (const EdgeItem& edge : driver.process->edges) {
      if (edge.is_reset) {
        check_reset_edge(edge, driver.placed, name);
        continue;
      }
      if (++clocks > 1) add(Rule::Clock, edge.place, name + " has two clocks");
      check_clock_edge(edge, driver.placed, name);
    }
    if (clocks == 0) add(Rule::Clock, driver.place, name + " has no clock");
  }

  void check_clock_edge(const EdgeItem& edge, std::size_t placed, const std::string& name) {
    const Origin from = origin(edge.signal, placed);
    if (from.kind == Origin::Kind::Function) {
      const Place& place = from.place.line != 0 ? from.place : edge.place;
      return add(Rule::Clock, place,
                 fmt::format("a gate in the clock of {}: it is logic, expected clk", name));
    }
    if (from.kind != Origin::Kind::Bit || from.bit != clk_) {
      return add(
          Rule::Clock, edge.place,
          fmt::format("the clock of {} is {}, expected clk", name, describe(netlist_, from)));
    }
    const bool rising = from.inverted ? edge.falling : edge.rising;
    const bool falling = from.inverted ? edge.rising : edge.falling;
    if (rising && !falling) return;
    add(Rule::Clock, edge.place,
        fmt::format("{} changes at {} of clk, expected the rising edge", name,
                    rising ? "both edges" : "the falling edge"));
  }

  void check_reset_edge(const EdgeItem& edge, std::size_t placed, const std::string& name) {
    const Origin from = origin(edge.signal, placed);
    if (from.kind != Origin::Kind::Bit || from.bit != rst_n_) {
      return add(
          Rule::Reset, edge.place,
          fmt::format("the reset of {} is {}, expected rst_n", name, describe(netlist_, from)));
    }
    if (edge.rising != from.inverted || edge.rising == edge.falling) {
      add(Rule::Reset, edge.place,
          fmt::format("the reset of {} is active high, expected active low", name));
    }
  }

  // --- Dependences ------------------------------------------------------------------------------

  using Bits = std::vector<bool>;

  /// Returns the bits that the given ones depend on, through registers or only through logic.
  [[nodiscard]] Bits cone(const std::vector<BitId>& from, bool through_registers) const {
    Bits reached(netlist_.bits());
    std::vector<BitId> todo = from;
    while (!todo.empty()) {
      const BitId bit = todo.back();
      todo.pop_back();
      if (reached[bit]) continue;
      reached[bit] = true;
      for (const Driver* driver : netlist_.drivers(bit)) {
        const bool is_register = driver->process != nullptr && !driver->process->edges.empty();
        if (is_register && !through_registers) continue;
        const std::vector<BitId> inputs = netlist_.inputs(*driver);
        todo.insert(todo.end(), inputs.begin(), inputs.end());
      }
    }
    return reached;
  }

  [[nodiscard]] std::vector<BitId> bits_of(const char* name) const {
    std::vector<BitId> bits(width(name));
    for (unsigned i = 0; i < bits.size(); ++i) bits[i] = port(name, i);
    return bits;
  }

  // --- Control and payload -----------------------------------------------------------------------

  /// Checks that no bit of the payload decides about valid or ready.
  void check_payload_in_control() {
    for (const char* output : {"valid_o", "ready_o"}) {
      const Bits before = cone({port(output)}, true);
      for (unsigned i = 0; i < width("payload_i"); ++i) {
        if (!before[port("payload_i", i)]) continue;
        payload_decides_ = true;
        add(Rule::Content, entry_of_payload(port(output), port("payload_i", i)),
            fmt::format("{} of IRS_N depends on {}: the contract lets no payload bit decide about "
                        "valid or ready",
                        output, text("payload_i", i)));
        break;
      }
    }
  }

  /// Returns the place on the shortest path from `input` to `output` where a value as wide as the
  /// payload is used; the last one on the way if there is none.
  [[nodiscard]] Place entry_of_payload(BitId output, BitId input) const {
    std::map<BitId, std::pair<BitId, Place>> from = {{output, {output, {}}}};
    std::deque<BitId> todo = {output};
    while (!todo.empty() && from.count(input) == 0) {
      const BitId bit = todo.front();
      todo.pop_front();
      for (const Driver* driver : netlist_.drivers(bit)) {
        for (const BitId next : netlist_.inputs(*driver)) {
          if (from.emplace(next, std::pair{bit, driver->place}).second) todo.push_back(next);
        }
      }
    }
    Place place = from.at(input).second;
    for (BitId bit = input; bit != output; bit = from.at(bit).first) {
      const Variable* variable = netlist_.variable(bit);
      if (variable != nullptr && variable->type.bits() >= width("payload_i")) {
        place = from.at(bit).second;
      }
    }
    return place;
  }

  /// Checks that the stages store no more than their packets and a valid or ready for each.
  void check_size() {
    if (!depth_) return;
    unsigned registers = 0;
    for (BitId bit = 0; bit < netlist_.bits(); ++bit) {
      const std::vector<const Driver*> drivers = netlist_.drivers(bit);
      if (netlist_.global_alias(bit) == bit &&
          std::any_of(drivers.begin(), drivers.end(), [](const Driver* driver) {
            return driver->process != nullptr && !driver->process->edges.empty();
          })) {
        ++registers;
      }
    }
    const unsigned most = 2 * *depth_ * (width("payload_i") + 1);
    if (registers <= most) return;
    notes_.push_back({Rule::Content, netlist_.design().at(module_.place),
                      fmt::format("IRS_N with IRS_DEEP={} has {} registers, expected at most {}",
                                  *depth_, registers, most)});
  }

  // --- Reset of the control ----------------------------------------------------------------------

  void check_resets() {
    const Bits control = cone({port("valid_o"), port("ready_o")}, true);
    const Bits payload = cone(bits_of("payload_o"), true);
    std::set<std::tuple<std::size_t, const Variable*>> reported;
    for (BitId bit = 0; bit < netlist_.bits(); ++bit) {
      for (const Driver* driver : netlist_.drivers(bit)) {
        if (driver->process == nullptr || driver->process->edges.empty()) continue;
        const bool needs = control[bit] || (payload[bit] && steers(*driver, bit));
        if (!needs || netlist_.global_alias(bit) != bit) continue;
        const std::string problem = reset_problem(*driver);
        if (problem.empty()) continue;
        // The payload has no reset: that it decides is what is wrong with it.
        if (control[bit] && payload_decides_) continue;
        if (!reported.emplace(netlist_.owner(bit), netlist_.variable(bit)).second) continue;
        if (!control[bit] && stores_payload(bit)) {
          add(Rule::Connection, driver->place,
              fmt::format("{} stores no bit of the packet, but other bits of it do",
                          netlist_.short_name(bit)));
          continue;
        }
        add(Rule::Reset, driver->place,
            fmt::format("{} {}, expected an asynchronous reset by rst_n: it decides about {}",
                        netlist_.short_name(bit), problem,
                        control[bit] ? "valid_o or ready_o" : "the choice of the packet"));
      }
    }
  }

  /// Returns true for state that keeps itself and carries no payload, such as a pointer.
  [[nodiscard]] bool steers(const Driver& driver, BitId bit) const {
    const Bits before = cone(netlist_.inputs(driver), true);
    if (!before[bit]) return false;
    const std::vector<BitId> payload = bits_of("payload_i");
    return std::none_of(payload.begin(), payload.end(), [&](BitId id) { return before[id]; });
  }

  /// Returns true for a bit of a variable that holds packets: its size is a number of payloads, and
  /// another bit of it depends on the payload.
  [[nodiscard]] bool stores_payload(BitId bit) const {
    const Variable* variable = netlist_.variable(bit);
    if (variable == nullptr || variable->type.bits() % width("payload_i") != 0) return false;
    const BitId base = netlist_.placed()[netlist_.owner(bit)].base + variable->base;
    std::vector<BitId> all(variable->type.bits());
    for (unsigned i = 0; i < all.size(); ++i) all[i] = base + i;
    const Bits before = cone(all, true);
    const std::vector<BitId> payload = bits_of("payload_i");
    return width("payload_i") > 1 &&
           std::any_of(payload.begin(), payload.end(), [&](BitId one) { return before[one]; });
  }

  [[nodiscard]] std::string reset_problem(const Driver& driver) const {
    if (driver.process->has_reset()) {
      return driver.target->in_reset.is_constant() ? "" : "is not set by its reset";
    }
    const Bits before = cone(netlist_.inputs(driver), false);
    return before[rst_n_] ? "is reset synchronously" : "has no reset";
  }

  // --- Paths between the ports -------------------------------------------------------------------

  /// Returns the least number of registers from each bit to `to`, kNever without a path.
  [[nodiscard]] std::vector<unsigned> distances(BitId to) const {
    std::vector<unsigned> distance(netlist_.bits(), kNever);
    std::deque<BitId> todo = {to};
    distance[to] = 0;
    while (!todo.empty()) {
      const BitId bit = todo.front();
      todo.pop_front();
      for (const Driver* driver : netlist_.drivers(bit)) {
        const bool is_register = driver->process != nullptr && !driver->process->edges.empty();
        const unsigned next = distance[bit] + (is_register ? 1 : 0);
        for (const BitId input : netlist_.inputs(*driver)) {
          if (distance[input] <= next) continue;
          distance[input] = next;
          is_register ? todo.push_back(input) : todo.push_front(input);
        }
      }
    }
    return distance;
  }

  void check_paths() {
    check_path("valid_i", 0, "valid_o", 0);
    check_path("ready_i", 0, "ready_o", 0);
    const unsigned bits = std::min(width("payload_i"), width("payload_o"));
    for (unsigned i = 0; i < bits && !payload_reported_; ++i) {
      check_lane(i);
      if (!payload_reported_) check_path("payload_i", i, "payload_o", i);
    }
    check_combinational();
  }

  [[nodiscard]] std::string text(const char* name, unsigned bit) const {
    return width(name) > 1 ? fmt::format("{}[{}]", name, bit) : std::string(name);
  }

  void check_path(const char* input, unsigned i, const char* output, unsigned o) {
    const std::string what = fmt::format("{} of IRS_N", text(output, o));
    if (depth_ == 0U) {
      const Origin from =
          trace_back(netlist_, port(output, o), [this](BitId bit) { return is_input(bit); });
      if (from.kind == Origin::Kind::Bit && from.bit == port(input, i) && !from.inverted) return;
      payload_reported_ = payload_reported_ || width(output) > 1;
      return add(Rule::Content, place_of(from, output),
                 fmt::format("{} at depth 0 is {}, expected a wire from {}", what,
                             describe(netlist_, from), text(input, i)));
    }
    const unsigned distance = distances(port(output, o))[port(input, i)];
    const Place& place = module_.variable(output)->place;
    if (distance == kNever) {
      payload_reported_ = payload_reported_ || width(output) > 1;
      add(Rule::Content, place, fmt::format("{} does not depend on {}", what, text(input, i)));
    } else if (depth_ && distance > *depth_) {
      payload_reported_ = payload_reported_ || width(output) > 1;
      add(Rule::Connection, place,
          fmt::format("{} follows {} after {} registers, expected {}", what, text(input, i),
                      distance, *depth_));
    }
  }

  [[nodiscard]] Place place_of(const Origin& from, const char* output) const {
    return from.place.line != 0 ? from.place : module_.variable(output)->place;
  }

  /// Checks that a bit of the payload leaves where it entered.
  void check_lane(unsigned bit) {
    // Where the payload decides, which is reported, all of it depends on that.
    if (payload_reported_ || payload_decides_ || depth_ == 0U) return;
    const Bits before = cone({port("payload_o", bit)}, true);
    for (const BitId input : bits_of("payload_i")) {
      if (!before[input] || input == port("payload_i", bit)) continue;
      payload_reported_ = true;
      const Driver* driver = crossing(bit);
      return add(Rule::Connection,
                 driver != nullptr ? driver->place : module_.variable("payload_o")->place,
                 fmt::format("payload_o[{}] of IRS_N depends on {}, expected payload_i[{}] alone",
                             bit, netlist_.short_name(input), bit));
    }
  }

  /// Returns the driver closest to the output that takes another bit of a vector than it drives.
  [[nodiscard]] const Driver* crossing(unsigned bit) const {
    std::deque<BitId> todo = {port("payload_o", bit)};
    Bits seen(netlist_.bits());
    while (!todo.empty()) {
      const BitId at = todo.front();
      todo.pop_front();
      if (seen[at]) continue;
      seen[at] = true;
      for (const Driver* driver : netlist_.drivers(at)) {
        for (const BitId input : netlist_.inputs(*driver)) {
          const Variable* from = netlist_.variable(input);
          const Variable* to = netlist_.variable(at);
          const bool lanes = from != nullptr && to != nullptr &&
                             from->type.bits() == width("payload_i") &&
                             to->type.bits() == width("payload_i");
          if (lanes && position(input, *from) != position(at, *to)) return driver;
          todo.push_back(input);
        }
      }
    }
    return nullptr;
  }

  [[nodiscard]] unsigned position(BitId bit, const Variable& variable) const {
    return bit - netlist_.placed()[netlist_.owner(bit)].base - variable.base;
  }

  /// Checks that a link with stages has no combinational path through it.
  void check_combinational() {
    if (depth_ == 0U) return;
    for (const char* output : {"valid_o", "ready_o", "payload_o"}) {
      const Bits before = cone(bits_of(output), false);
      for (const char* input : {"valid_i", "ready_i", "payload_i", "clk", "rst_n"}) {
        const std::vector<BitId> bits = bits_of(input);
        if (std::none_of(bits.begin(), bits.end(), [&](BitId bit) { return before[bit]; }))
          continue;
        add(Rule::Content, module_.variable(output)->place,
            fmt::format("IRS_N has a combinational path from {} to {}", input, output));
      }
    }
  }

  const Netlist& netlist_;
  const Module& module_;
  std::optional<unsigned> depth_;
  std::vector<Finding>& findings_;
  std::vector<Finding>& notes_;
  BitId clk_ = 0;
  BitId rst_n_ = 0;
  bool payload_reported_ = false;
  bool payload_decides_ = false;  ///< about valid or ready, which is reported
};

}  // namespace

void check_stages(const Netlist& irs, std::optional<unsigned> depth, std::vector<Finding>& findings,
                  std::vector<Finding>& notes) {
  StageRules(irs, depth, findings, notes).run();
}

}  // namespace kernbench::sim::structure
