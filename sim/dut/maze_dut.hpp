// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Properties of a built TOPO model.
struct DutInfo {
  maze::Shape shape;
  bool checkers = false;   ///< SystemVerilog checkers are active
  bool trace = false;      ///< FST tracing is compiled in
  bool coverage = false;   ///< line/branch/toggle coverage is compiled in
  std::string build_hash;  ///< hash of the RTL sources, parameters and flags of the build
};

/// Violation of a rule of the link contract, reported by a SystemVerilog checker.
struct Violation {
  std::uint64_t cycle = 0;
  LinkEnd link;
  std::string rule;  ///< e.g. "output_payload_stable"
};

/// One link in one cycle as the bench has it, for a row of the waveform beside the signals of the
/// fabric.
struct LinkNote {
  bool want_valid = false;        ///< the sender's intention
  bool want_ready = false;        ///< the receiver's intention
  bool seen_valid = false;        ///< as the checkers see it, at the receiver
  bool seen_ready = false;        ///< as the checkers see it, at the sender
  bool expected_valid = false;    ///< the reference's, at the receiver
  bool expected_ready = false;    ///< the reference's, at the sender
  maze::Payload want_packet = 0;  ///< the sender's packet
  maze::Payload seen_packet = 0;
  maze::Payload expected_packet = 0;
};

/// A TOPO as a black box. Calls in one cycle, in this order:
///   drive(inputs); settle(); sample(outputs); clock_edge();
/// `settle` evaluates combinational paths, `clock_edge` is the rising edge. For a change of rst_n
/// within a cycle, `settle` may be called several times before `clock_edge`, each time with other
/// inputs, and `falling_edge` between two of them. A process may have several instances, each used
/// by one thread at a time.
class MazeDut : public RtlOutput {
 public:
  [[nodiscard]] virtual const DutInfo& info() const = 0;
  /// Sets rst_n to !asserted, effective at the next settle() (the reset is asynchronous).
  virtual void set_reset(bool asserted) = 0;
  virtual void drive(const maze::TopoInputs& inputs) = 0;
  virtual void settle() = 0;
  virtual void sample(maze::TopoOutputs& outputs) const = 0;
  /// The falling edge in the middle of a cycle. A cycle without this call has it in clock_edge().
  virtual void falling_edge() = 0;
  virtual void clock_edge() = 0;

  /// Returns the violations since the last call, in order of occurrence. Empty without checkers.
  virtual std::vector<Violation> take_violations() = 0;

  /// Starts writing an FST. Throws std::logic_error when the model was built without tracing.
  virtual void open_trace(const std::string& path) = 0;
  /// Switches writing on or off. Time stamps always follow the cycle number.
  virtual void enable_trace(bool on) = 0;
  virtual void close_trace() = 0;
  /// Writes these values into the waveform of this cycle. Called between settle() and clock_edge().
  virtual void annotate(const LinkNote& /*note*/) {}

  /// Writes Verilator's coverage.dat. Throws std::logic_error when built without coverage.
  virtual void write_coverage(const std::string& path) = 0;
};

/// Functions that every model library exports with C linkage. `kDutAbi` rejects stale builds.
inline constexpr std::uint32_t kDutAbi = 3;
using DutAbiFunction = std::uint32_t (*)();
using CreateDutFunction = MazeDut* (*)(std::uint64_t seed,
                                       const std::vector<std::string>& plusargs);
inline constexpr const char* kDutAbiSymbol = "kernbench_dut_abi";
inline constexpr const char* kCreateDutSymbol = "kernbench_create_dut";

}  // namespace kernbench::sim
