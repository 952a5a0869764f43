// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Properties of a built model.
struct ModelInfo {
  bool checkers = false;   ///< SystemVerilog checkers are active
  bool trace = false;      ///< FST tracing is compiled in
  bool coverage = false;   ///< line/branch/toggle coverage is compiled in
  std::string build_hash;  ///< hash of the RTL sources, parameters and flags of the build
};

/// Properties of a built model of a MAZE.
struct DutInfo : ModelInfo {
  maze::Shape shape;
};

/// Violation of a rule, reported by a SystemVerilog checker.
struct Violation {
  std::uint64_t cycle = 0;
  LinkEnd link;            ///< TOPO: source of the link; network: node and port, A or B last
  std::string rule;        ///< such as "output_payload_stable"
  std::string level = {};  ///< QoS level in a network: "low", "high" or empty
};

/// A variable of a verilated model that keeps its value from one evaluation to the next: a
/// register, or a wire that Verilator has not removed.
struct Member {
  /// Begin and end of its path in the RTL: "maze_tb_top.u_topo.g_y[0]...main_vld_q".
  const char* instance = "";
  const char* name = "";
  unsigned bits = 0;
  const void* at = nullptr;  ///< its value, least significant byte first, while the DUT lives
  unsigned bytes = 0;

  [[nodiscard]] std::string path() const { return std::string(instance) + name; }
};

/// Signals between the nodes and the links of a network in one cycle (ports C).
struct LinkSignals {
  explicit LinkSignals(const maze::Shape& s) : from_nodes(s), to_nodes(s) {}
  maze::TopoInputs from_nodes;
  maze::TopoOutputs to_nodes;
};

/// A clocked model of any design; derived classes have its inputs and outputs. Calls in one cycle,
/// in this order:
///   drive(inputs); settle(); sample(outputs); clock_edge();
/// `settle` evaluates combinational paths, `clock_edge` is the rising edge. For a change of rst_n
/// within a cycle, `settle` may be called several times before `clock_edge`, each time with other
/// inputs, and `falling_edge` between two of them. A process may have several instances, each used
/// by one thread at a time.
class Model : public RtlOutput {
 public:
  [[nodiscard]] virtual const ModelInfo& model_info() const = 0;
  /// Sets rst_n to !asserted, effective at the next settle() (the reset is asynchronous).
  virtual void set_reset(bool asserted) = 0;
  virtual void settle() = 0;
  /// The falling edge in the middle of a cycle. A cycle without this call has it in clock_edge().
  virtual void falling_edge() = 0;
  virtual void clock_edge() = 0;

  /// Returns the variables of the RTL that this model has and that are one vector. Nothing is paid
  /// for them before the call.
  [[nodiscard]] virtual std::vector<Member> members() const { return {}; }

  /// Returns the violations since the last call, in order of occurrence. Empty without checkers.
  [[nodiscard]] virtual std::vector<Violation> take_violations() = 0;

  /// Starts writing an FST. Throws std::logic_error when the model was built without tracing, and
  /// std::runtime_error when the file cannot be written.
  virtual void open_trace(const std::string& path) = 0;
  /// Switches writing on or off. Time stamps always follow the cycle number.
  virtual void enable_trace(bool on) = 0;
  virtual void close_trace() = 0;

  /// Writes Verilator's coverage.dat. Throws std::logic_error when built without coverage.
  virtual void write_coverage(const std::string& path) = 0;
};

/// A MAZE as a black box with ready/valid ports.
class Dut : public Model {
 public:
  [[nodiscard]] virtual const DutInfo& info() const = 0;
  [[nodiscard]] const ModelInfo& model_info() const final { return info(); }
  /// Returns the ports at each node of inputs and outputs.
  [[nodiscard]] virtual unsigned ports() const { return info().shape.ports(); }
  virtual void drive(const maze::TopoInputs& inputs) = 0;
  virtual void sample(maze::TopoOutputs& outputs) const = 0;
  /// Returns true if sample_links() can be called.
  [[nodiscard]] virtual bool shows_links() const { return false; }
  /// Samples the signals between nodes and links.
  virtual void sample_links(LinkSignals& /*signals*/) const {}
};

}  // namespace kernbench::sim
