// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kernbench::sim {

/// Statements of the RTL that end a case.
enum class RtlEventKind : std::uint8_t {
  Finish,  ///< `$finish`
  Stop,    ///< `$stop`
  Error,   ///< a violated assertion, `$error` or `$fatal`
  Unique,  ///< a violated `unique` or `priority`
  Broken,  ///< an error of the simulation, such as a loop that does not converge; nothing follows
};

/// One execution of such a statement.
struct RtlEvent {
  RtlEventKind kind = RtlEventKind::Finish;
  std::uint64_t cycle = 0;
  std::string file;
  unsigned line = 0;
  std::string scope;    ///< hierarchical name with the label of an assertion; may be empty
  std::string message;  ///< text of the RTL; may be empty
};

/// The checks that the author of the RTL wrote into it.
struct RtlChecks {
  unsigned assertions = 0;  ///< `assert` and `assume` in the sources
  unsigned unique = 0;      ///< `unique`, `unique0` and `priority` in the sources
  bool checked = false;     ///< the model evaluates both
};

/// Output of `$display` and its siblings, up to a limit.
struct RtlText {
  static constexpr std::size_t kLimit = std::size_t{64} << 10U;
  std::string text;
  std::uint64_t left_out = 0;  ///< bytes beyond the limit
};

/// The part of a verilated model that tells what its RTL reports. By default the RTL reports
/// nothing.
class RtlOutput {
 public:
  RtlOutput() = default;
  RtlOutput(const RtlOutput&) = delete;
  RtlOutput& operator=(const RtlOutput&) = delete;
  virtual ~RtlOutput() = default;

  [[nodiscard]] virtual RtlChecks rtl_checks() const { return {}; }
  /// Executes the `final` blocks. Called once, after the last cycle that counts.
  virtual void finish() {}
  /// Returns the events since the last call, in order of occurrence. Later ones of one kind beyond
  /// a limit are left out.
  virtual std::vector<RtlEvent> take_events() { return {}; }
  /// Returns the text so far.
  [[nodiscard]] virtual RtlText rtl_text() const { return {}; }
};

}  // namespace kernbench::sim
