// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/enum_names.hpp"
#include "common/input_kind.hpp"
#include "common/report_envelope.hpp"
#include "maze/irs_model.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Kind of the artefact.
inline constexpr std::string_view kPinTraceKind = "pin-trace";
/// Kind of the failure of a co-simulation, which is replayed by the same option.
inline constexpr std::string_view kReproductionKind = "cosim-reproduction";

/// A port of a node. The only one of a primitive is node 0, port 0. In a network port 0 of a node
/// is its A for a sender, its B for a receiver.
struct PinPort {
  unsigned node = 0;
  unsigned port = 0;
  friend bool operator==(const PinPort&, const PinPort&) = default;
};

/// The pins of one sender in one cycle.
struct PinOffer {
  PinPort from;
  maze::Payload packet = 0;
  bool valid = true;  ///< false: the packet stands on the pins beside a low valid
};

/// The pins in one cycle.
struct PinCycle {
  bool reset = false;            ///< rst_n is 0 in the whole cycle and at the edge that ends it
  std::vector<PinOffer> offers;  ///< all other senders hold valid and packet low
  std::vector<bool> ready;       ///< one for each of PinTrace::receivers
};

/// A chain of stages by itself.
struct PinPrimitive {
  unsigned payload_bits = 0;
  maze::IrsParams irs;
};

/// A broken rule, as the trace has it.
struct PinFailure {
  std::uint64_t cycle = 0;
  std::string rule;
};

/// The design that has the pins.
enum class PinBench : std::uint8_t { Topo, Primitive, Network };

inline constexpr std::array<common::EnumName<PinBench>, 3> kPinBenchNames = {
    {{"topo", PinBench::Topo}, {"primitive", PinBench::Primitive}, {"network", PinBench::Network}}};

constexpr const auto& name_table(PinBench /*any*/) {
  return kPinBenchNames;
}

/// The values of all pins of a bench, cycle by cycle: of a fabric, of a network, whose pins are
/// those of its users, or of one chain of stages.
struct PinTrace {
  PinBench bench = PinBench::Topo;
  maze::Shape shape;                      ///< size of the fabric or network
  std::optional<PinPrimitive> primitive;  ///< absent for others
  std::optional<unsigned> failed_node;    ///< node of a network without a clock
  std::vector<PinPort> receivers;         ///< inputs of nodes; all others are always ready
  std::vector<PinCycle> cycles;           ///< the first one is in reset
  std::optional<PinFailure> fails;
  std::optional<std::uint64_t> seed;  ///< seed of the envelope

  /// Returns the number of ports that a node has, of a fabric or a network.
  [[nodiscard]] unsigned ports() const { return bench == PinBench::Network ? 1 : shape.ports(); }
};

extern const common::InputKind kPinTraceFile;

/// Returns the trace in an artefact of kind kPinTraceKind. Throws common::BadInput with all errors
/// of its data, each with its JSON path. `file` names the artefact in them.
[[nodiscard]] PinTrace pin_trace_of(const common::ReportEnvelope& report, const std::string& file);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::PinTrace>& kernbench::common::description_of();
