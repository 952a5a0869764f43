// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/suite_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/description.hpp"
#include "common/enum_names.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {
namespace {

constexpr double kMostCycles = 1e9;
constexpr std::uint64_t kWidestReset = 10'000;

constexpr std::array<common::EnumName<ClockMoment>, 4> kClockMomentNames = {{
    {"rise", ClockMoment::Rise},
    {"high", ClockMoment::High},
    {"low", ClockMoment::Low},
    {"end", ClockMoment::End},
}};

/// The checks of a script, one list after the other.
class Checker {
 public:
  Checker(SuiteScript& script, const ScriptLimits& limits) : file_(script), limits_(limits) {}

  std::vector<ScriptError> run() {
    file_.script = {};
    file_.script.cycles = limits_.cycles;
    check_failed_node();
    add_packets();
    add_stalls();
    add_resets();
    return std::move(errors_);
  }

 private:
  void error(std::string place, std::string message, std::string hint = {}) {
    errors_.push_back({std::move(place), std::move(message), std::move(hint)});
  }
  /// Reports an event that does not follow the one before it in time, or begins too late.
  template <typename Event>
  void check_order(const std::string& place, const Event* before, std::uint64_t cycle) {
    if (before != nullptr && before->cycle > cycle) {
      error(place,
            fmt::format("cycle {} is before that of the entry above, {}", cycle, before->cycle));
    }
    if (auto late = error_of_end(place, cycle, limits_.cycles)) errors_.push_back(*std::move(late));
  }
  /// Returns the end of a link, whose port is known to exist.
  LinkEnd end_of(const GivenLink& link, const std::string& place) {
    const unsigned port = find_port(link.port, limits_.ports).value_or(0);
    const bool is_user = port == limits_.ports.shape.ports();
    if (is_user != limits_.ports.users) {
      error(place + ".link.port",
            fmt::format("'{}' is not a port at which a script acts", link.port),
            limits_.ports.users ? "port: user" : "x[0] or another port of a link");
    }
    return {link.node, is_user ? 0 : port};
  }

  void check_failed_node() {
    if (!file_.failed_node) return;
    if (!limits_.ports.users) error("failed_node", "links have no failed node, only networks");
    if (*file_.failed_node >= limits_.ports.shape.nodes()) {
      error("failed_node", fmt::format("node {} does not exist", *file_.failed_node),
            fmt::format("0 to {}", limits_.ports.shape.nodes() - 1));
    }
  }
  void add_packets() {
    if (file_.packets.empty()) error("packets", "a script needs at least one packet");
    const unsigned width = limits_.ports.shape.payload_w();
    for (std::size_t i = 0; i < file_.packets.size(); ++i) {
      const SuiteScript::Packet& packet = file_.packets[i];
      const std::string place = fmt::format("packets[{}]", i);
      check_order(place + ".cycle", i == 0 ? nullptr : &file_.packets[i - 1], packet.cycle);
      if (packet.packet >> width != 0) {
        error(place + ".packet",
              fmt::format("packet {:#x} has more than {} bits", packet.packet, width));
      }
      file_.script.packets.push_back({packet.cycle, end_of(packet.link, place), packet.packet});
    }
  }
  void add_stalls() {
    for (std::size_t i = 0; i < file_.stalls.size(); ++i) {
      const SuiteScript::Stall& stall = file_.stalls[i];
      const std::string place = fmt::format("stalls[{}]", i);
      check_order(place + ".cycle", i == 0 ? nullptr : &file_.stalls[i - 1], stall.cycle);
      if (auto error = error_of_stall(place + ".cycles", stall.cycles, limits_.watchdog,
                                      limits_.ports.users)) {
        errors_.push_back(*std::move(error));
      }
      file_.script.stalls.push_back({stall.cycle,
                                     std::min(stall.cycle + stall.cycles, limits_.cycles),
                                     end_of(stall.link, place)});
    }
  }
  void add_resets() {
    for (ScriptError& error : errors_of_resets(file_.resets, limits_.cycles)) {
      errors_.push_back(std::move(error));
    }
    file_.script.resets = file_.resets;
  }

  SuiteScript& file_;
  const ScriptLimits& limits_;
  std::vector<ScriptError> errors_;
};

}  // namespace

std::optional<ScriptError> error_of_end(const std::string& place, std::uint64_t cycle,
                                        std::uint64_t cycles) {
  if (cycle < cycles) return std::nullopt;
  return ScriptError{
      place, fmt::format("cycle {} is behind the suite's last one, {}", cycle, cycles - 1), ""};
}

std::optional<ScriptError> error_of_stall(const std::string& place, std::uint64_t stalled,
                                          std::uint64_t watchdog, bool network) {
  const std::uint64_t least = least_watchdog_of_stall(stalled, network);
  if (watchdog == 0 || watchdog >= least) return std::nullopt;
  return ScriptError{
      place,
      fmt::format("the watchdog allows {} cycles without movement, the receiver stalls for {}",
                  watchdog, stalled),
      fmt::format("set watchdog_cycles to {} or more", least)};
}

std::vector<ScriptError> errors_of_resets(const std::vector<ResetEvent>& resets,
                                          std::uint64_t cycles) {
  std::vector<ScriptError> errors;
  for (std::size_t i = 0; i < resets.size(); ++i) {
    const ResetEvent& reset = resets[i];
    const std::string place = fmt::format("resets[{}]", i);
    if (i != 0 && resets[i - 1].at >= reset.at) {
      errors.push_back({place + ".cycle", "a reset must begin after the one above", ""});
    }
    if (auto late = error_of_end(place + ".cycle", reset.at, cycles)) {
      errors.push_back(*std::move(late));
    }
    const bool is_ordered = reset.clocks != 0 || reset.from <= reset.to;
    if (reset.from == ClockMoment::End || reset.to == ClockMoment::Rise || !is_ordered) {
      errors.push_back({place, "a reset begins at rise, high or low, and ends later in a cycle",
                        "{cycle: 10, clocks: 4}"});
    }
  }
  return errors;
}

std::string reset_text(const ResetEvent& reset) {
  return fmt::format("cycle: {}, clocks: {}, from: {}, to: {}", reset.at, reset.clocks,
                     common::name_of(kClockMomentNames, reset.from),
                     common::name_of(kClockMomentNames, reset.to));
}

std::vector<ScriptError> check_script(SuiteScript& script, const ScriptLimits& limits) {
  return Checker(script, limits).run();
}

std::string regression_text(const ScriptRegression& regression, const Script& script) {
  const maze::Shape& shape = regression.config.shape;
  const auto link = [&](const LinkEnd& end) {
    return fmt::format(
        "link: {{node: {}, port: \"{}\"}}", end.node,
        regression.network ? std::string(kUserPort) : trace_port_name(end.port, shape));
  };
  std::string text = fmt::format("# {}\nname: {}\n", regression.comment, regression.name);
  if (regression.network) text += "dut: network\n";
  text +=
      fmt::format("fabric: {{nx: {}, ny: {}, flit_bits: {}}}\n", shape.nx, shape.ny, shape.flit_w);
  if (regression.network) {
    text += fmt::format("high_bound: {}\nfixed_priority: {}\n", regression.config.high_bound,
                        regression.config.fixed_priority);
  }
  text += fmt::format("suites:\n  - name: {}\n    script:\n", regression.name);
  if (regression.config.failed) {
    text += fmt::format("      failed_node: {}\n", *regression.config.failed);
  }
  const auto list = [&](const char* name, const auto& events, const auto& text_of) {
    if (events.empty()) return;
    text += fmt::format("      {}:\n", name);
    for (const auto& event : events) text += fmt::format("        - {{{}}}\n", text_of(event));
  };
  list("packets", script.packets, [&](const ScriptPacket& packet) {
    return fmt::format("cycle: {}, {}, packet: {:#x}", packet.at, link(packet.from), packet.packet);
  });
  list("stalls", script.stalls, [&](const ScriptStall& stall) {
    return fmt::format("cycle: {}, cycles: {}, {}", stall.first, stall.end - stall.first,
                       link(stall.to));
  });
  list("resets", script.resets, reset_text);
  text += fmt::format("    cycles: {}\n    watchdog_cycles: {}\n    after_failure: {}\n",
                      script.cycles, regression.watchdog_cycles, regression.after_failure);
  return text;
}

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::ResetEvent;
using sim::SuiteScript;

template <>
const Description<SuiteScript::Packet>& description_of() {
  using Packet = SuiteScript::Packet;
  static const auto kAll =
      Description<Packet>()
          .add("cycle", &Packet::cycle,
               "first cycle in which it is offered, when those above it "
               "at its port have been accepted")
          .at_most(sim::kMostCycles)
          .add("link", &Packet::link, "where it enters: a link, or in a network port A of a node")
          .add("packet", &Packet::packet, "its bits");
  return kAll;
}

template <>
const Description<SuiteScript::Stall>& description_of() {
  using Stall = SuiteScript::Stall;
  static const auto kAll =
      Description<Stall>()
          .add("cycle", &Stall::cycle, "first cycle in which it is not ready")
          .at_most(sim::kMostCycles)
          .add("cycles", &Stall::cycles)
          .within(1, sim::kMostCycles)
          .add("link", &Stall::link, "the receiver: that of a link, or in a network port B");
  return kAll;
}

template <>
const Description<ResetEvent>& description_of() {
  static const auto kAll =
      Description<ResetEvent>()
          .add("cycle", &ResetEvent::at)
          .at_most(sim::kMostCycles)
          .add("clocks", &ResetEvent::clocks, "rising edges that it covers; 0: a pulse in a cycle")
          .at_most(static_cast<double>(sim::kWidestReset))
          .add_named("from", &ResetEvent::from, sim::kClockMomentNames,
                     "moment of its first cycle in which it begins")
          .add_named("to", &ResetEvent::to, sim::kClockMomentNames,
                     "moment of its last cycle in which it ends")
          .optional_from("clocks");
  return kAll;
}

template <>
const Description<SuiteScript>& description_of() {
  static const auto kAll =
      Description<SuiteScript>()
          .add("packets", &SuiteScript::packets, "packets, by cycle")
          .add("stalls", &SuiteScript::stalls, "cycles in which receivers are not ready, by cycle")
          .add("resets", &SuiteScript::resets, "resets, by cycle")
          .add("failed_node", &SuiteScript::failed_node, "node of a network that has failed")
          .defaults_to("none")
          .optional_from("stalls");
  return kAll;
}

}  // namespace kernbench::common
