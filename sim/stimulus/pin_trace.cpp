// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/pin_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/numbers.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {
namespace {

enum class ChainKind { Lp, Half, NoReady };

constexpr std::array<common::EnumName<ChainKind>, 3> kChainKinds = {
    {{"lp", ChainKind::Lp}, {"half", ChainKind::Half}, {"no_ready", ChainKind::NoReady}}};

/// The map `fabric` of a file.
struct FabricOfPins {
  unsigned nx = 2;
  unsigned ny = 2;
  unsigned flit_bits = 1;
};

/// The map `primitive` of a file.
struct ChainFile {
  unsigned payload_bits = 1;
  unsigned depth = 0;
  ChainKind kind = ChainKind::Lp;
  bool ro_en = false;
};

ChainFile chain_of(const PinPrimitive& primitive) {
  const maze::IrsParams& irs = primitive.irs;
  return {primitive.payload_bits, irs.depth,
          irs.no_ready ? ChainKind::NoReady
          : irs.half   ? ChainKind::Half
                       : ChainKind::Lp,
          irs.ro_en};
}

PinPrimitive primitive_of(const ChainFile& chain) {
  return {chain.payload_bits,
          {.depth = chain.depth,
           .no_ready = chain.kind == ChainKind::NoReady,
           .half = chain.kind == ChainKind::Half,
           .ro_en = chain.ro_en}};
}

/// The ports that exist, and the bits of a packet.
struct Limits {
  unsigned nodes = 0;
  unsigned ports = 0;
  unsigned bits = 0;
};

/// Checks what the form of a trace does not say.
class PinRules {
 public:
  explicit PinRules(common::Input<PinTrace>& trace) : trace_(trace) {
    if (trace->primitive && trace.places().sound({"primitive"})) {
      limits_ = Limits{1, 1, trace->primitive->payload_bits};
    } else if (!trace->primitive && trace.has("fabric") && trace.places().sound({"fabric"})) {
      const maze::Shape& shape = trace->shape;
      limits_ = Limits{shape.nodes(), trace->ports(), shape.payload_w()};
    }
  }

  void check() {
    if (trace_->failed_node && limits_) {
      trace_.check_within("failed_node", *trace_->failed_node, 0, limits_->nodes - 1);
    }
    const std::vector<PinPort>& receivers = trace_->receivers;
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      const std::string place = fmt::format("receivers[{}]", i);
      if (!check_port(place, receivers[i])) continue;
      if (std::find(receivers.begin(), receivers.begin() + std::ptrdiff_t(i), receivers[i]) !=
          receivers.begin() + std::ptrdiff_t(i)) {
        error(place,
              fmt::format("names node {} port {} again", receivers[i].node, receivers[i].port));
      }
    }
    const std::vector<PinCycle>& cycles = trace_->cycles;
    for (std::size_t i = 0; i < cycles.size(); ++i) check_cycle(cycles[i], i);
    if (trace_->fails && !cycles.empty()) {
      trace_.check_within("fails.cycle", trace_->fails->cycle, 0, cycles.size() - 1);
    }
  }

 private:
  void error(const std::string& place, const std::string& what) {
    trace_.error(place, fmt::format("'data.{}' {}", place, what));
  }
  [[nodiscard]] bool is_sound(const std::string& place) const {
    return trace_.places().sound({place});
  }

  /// Reports a port that does not exist. Returns whether the port is right.
  bool check_port(const std::string& place, const PinPort& port) {
    if (!trace_.places().sound({place + ".node", place + ".port"})) return false;
    if (!limits_) return true;
    const bool has_node = trace_.check_within(place + ".node", port.node, 0, limits_->nodes - 1);
    return trace_.check_within(place + ".port", port.port, 0, limits_->ports - 1) && has_node;
  }

  void check_cycle(const PinCycle& cycle, std::size_t index) {
    const std::string place = fmt::format("cycles[{}]", index);
    if (index == 0 && !cycle.reset && is_sound(place + ".reset")) {
      error(place + ".reset", "must be true: flops have random bits before their first reset");
    }
    for (std::size_t i = 0; i < cycle.offers.size(); ++i) {
      check_offer(cycle, i, fmt::format("{}.offers[{}]", place, i));
    }
    if (is_sound(place + ".ready") && is_sound("receivers") &&
        cycle.ready.size() != trace_->receivers.size()) {
      error(place + ".ready", fmt::format("must have a value for each receiver, {}, not {}",
                                          trace_->receivers.size(), cycle.ready.size()));
    }
  }

  void check_offer(const PinCycle& cycle, std::size_t index, const std::string& place) {
    const PinOffer& offer = cycle.offers[index];
    if (limits_ && limits_->bits < 64 && offer.packet >> limits_->bits != 0) {
      error(place + ".packet", fmt::format("is {:#x}, which has more than the {} bits of a packet",
                                           offer.packet, limits_->bits));
    }
    if (!check_port(place, offer.from)) return;
    const auto before = cycle.offers.begin() + std::ptrdiff_t(index);
    if (std::any_of(cycle.offers.begin(), before,
                    [&](const PinOffer& other) { return other.from == offer.from; })) {
      error(place,
            fmt::format("is a second offer of node {} port {}", offer.from.node, offer.from.port));
    }
  }

  common::Input<PinTrace>& trace_;
  std::optional<Limits> limits_;  ///< absent after an error in the bench's parameters
};

}  // namespace

const common::InputKind kPinTraceFile = {.name = kPinTraceKind,
                                         .title = "A pin-trace, for kernbench replay",
                                         .form = common::form_of<PinTrace>,
                                         .has_envelope = true};

PinTrace pin_trace_of(const common::ReportEnvelope& report, const std::string& file) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::of_json(report.data, file, "data", diagnostics);
  common::Input<PinTrace> trace(document.root(), diagnostics, common::FormUse::Report);
  PinRules(trace).check();
  diagnostics.throw_if_any();
  trace->seed = report.seed;
  return *trace;
}

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::ChainFile;
using sim::FabricOfPins;
using sim::PinCycle;
using sim::PinFailure;
using sim::PinOffer;
using sim::PinPort;
using sim::PinPrimitive;
using sim::PinTrace;

template <>
const Description<ChainFile>& description_of() {
  static const auto kAll =
      Description<ChainFile>()
          .add("payload_bits", &ChainFile::payload_bits, "bits of a packet")
          .within(1, 64)
          .add("depth", &ChainFile::depth, "number of stages")
          .within(0, 64)
          .add_named("kind", &ChainFile::kind, sim::kChainKinds,
                     "lp: IRS_LP, half: IRS_HALF, no_ready: IRS_HALF without ready")
          .add("ro_en", &ChainFile::ro_en, "parameter RO_EN of the stages");
  return kAll;
}

template <>
const Description<FabricOfPins>& description_of() {
  static const auto kAll = Description<FabricOfPins>()
                               .add("nx", &FabricOfPins::nx, "columns of nodes")
                               .within(2, 16)
                               .add("ny", &FabricOfPins::ny, "rows of nodes")
                               .within(2, 16)
                               .add("flit_bits", &FabricOfPins::flit_bits, "data bits of a packet")
                               .within(1, 32);
  return kAll;
}

template <>
const Description<PinPort>& description_of() {
  static const auto kAll =
      Description<PinPort>()
          .add("node", &PinPort::node, "number of the node; 0 of a chain")
          .within(0, 255)
          .add("port", &PinPort::port, "X ports first; 0 of a network (A or B) and of a chain")
          .within(0, 29);
  return kAll;
}

template <>
const Description<PinOffer>& description_of() {
  static const auto kAll =
      Description<PinOffer>()
          .add_members(&PinOffer::from)
          .add_converted(
              "packet", [](const PinOffer& offer) { return fmt::format("{:#x}", offer.packet); },
              [](PinOffer& offer, const std::string& text) {
                offer.packet = parse_u64(text).value_or(0);
              },
              "all bits of the packet as a number, such as 0x1a2b3c")
          .rule(sim::kPacketRule)
          .add("valid", &PinOffer::valid, "whether the packet stands beside a high valid")
          .absent_unless("the packet stands on the pins beside a low valid");
  return kAll;
}

template <>
const Description<PinCycle>& description_of() {
  static const auto kAll =
      Description<PinCycle>()
          .add("reset", &PinCycle::reset,
               "rst_n is 0 in the whole cycle, and at the edge that ends it")
          .add("offers", &PinCycle::offers, "senders whose pins are not all low")
          .add("ready", &PinCycle::ready, "of each receiver");
  return kAll;
}

template <>
const Description<PinFailure>& description_of() {
  static const auto kAll =
      Description<PinFailure>()
          .add("cycle", &PinFailure::cycle, "first cycle in which the rule is broken")
          .add("rule", &PinFailure::rule, "name of the rule");
  return kAll;
}

template <>
const Description<PinTrace>& description_of() {
  static const auto kAll =
      Description<PinTrace>()
          .add_named("bench", &PinTrace::bench, sim::kPinBenchNames, "what has the pins")
          .add_converted(
              "fabric",
              [](const PinTrace& trace) {
                return FabricOfPins{trace.shape.nx, trace.shape.ny, trace.shape.flit_w};
              },
              [](PinTrace& trace, const FabricOfPins& fabric) {
                trace.shape = {fabric.nx, fabric.ny, fabric.flit_bits};
              })
          .only_if("bench", {"topo", "network"})
          .add("failed_node", &PinTrace::failed_node, "node without a clock (`pg_node`)")
          .only_if("bench", {"network"})
          .absent_unless("a node has failed")
          .add_converted(
              "primitive",
              [](const PinTrace& trace) {
                return trace.primitive ? std::optional(sim::chain_of(*trace.primitive))
                                       : std::nullopt;
              },
              [](PinTrace& trace, const std::optional<ChainFile>& chain) {
                trace.primitive = sim::primitive_of(*chain);
                trace.shape = {2, 2, 8};  // the nodes of a bench of one chain
              },
              "a chain of stages")
          .only_if("bench", {"primitive"})
          .add("receivers", &PinTrace::receivers, "inputs of nodes; all others are always ready")
          .add("cycles", &PinTrace::cycles, "every cycle from 0, the first in reset")
          .not_empty()
          .add("fails", &PinTrace::fails, "failure that the trace shows")
          .absent_unless("the trace breaks a rule");
  return kAll;
}

}  // namespace kernbench::common
