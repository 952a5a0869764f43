// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "noc/network.hpp"
#include "sim/dut/dut.hpp"

namespace kernbench::sim {

/// Signals that users drive into a network of any topology in one cycle, by node.
struct NocInputs {
  explicit NocInputs(std::size_t nodes) : valid(nodes), vc(nodes), flit(nodes), credit(nodes) {}
  std::vector<std::uint8_t> valid;  ///< port A: a flit is sent
  std::vector<std::uint8_t> vc;
  std::vector<noc::Flit> flit;
  std::vector<noc::Mask> credit;  ///< port B: a bit for each virtual channel
};

/// Signals that the nodes drive in one cycle, by link (noc::Link). A local link has port B's flit
/// and port A's credits.
struct NocOutputs {
  explicit NocOutputs(std::size_t links) : valid(links), vc(links), flit(links), credit(links) {}
  std::vector<std::uint8_t> valid;  ///< a flit leaves a router, before the registers of the link
  std::vector<std::uint8_t> vc;     ///< meaningful, like the flit, where valid is 1
  std::vector<noc::Flit> flit;
  std::vector<noc::Mask> credit;  ///< behind the registers of the link
};

/// Properties of a built model of a network of any topology. The bench compares them with the
/// network that it expects.
struct NocInfo : ModelInfo {
  std::uint32_t nodes = 0;
  std::uint32_t channels = 0;
  std::uint32_t vcs = 1;
  std::uint32_t flit_bits = 0;
};

/// A network of any topology, NOC_TOP. All outputs come from flops.
class NocDut : public Model {
 public:
  [[nodiscard]] virtual const NocInfo& info() const = 0;
  [[nodiscard]] const ModelInfo& model_info() const final { return info(); }
  /// Tells which network the model is to be, before the first cycle. Returns what the model lacks
  /// of it, in one line, or an empty text.
  [[nodiscard]] virtual std::string expect(const noc::Network& network) = 0;
  virtual void drive(const NocInputs& inputs) = 0;
  virtual void sample(NocOutputs& outputs) const = 0;

  /// Cycles between an edge and the evaluation in which the checkers see it.
  static constexpr std::uint64_t kCheckedLate = 1;
  static constexpr const char* kKind = "model of a network";
  static constexpr std::uint32_t kAbi = 1;  ///< rejects stale builds
  static constexpr const char* kAbiSymbol = "kernbench_noc_abi";
  static constexpr const char* kCreateSymbol = "kernbench_create_noc";
};

}  // namespace kernbench::sim
