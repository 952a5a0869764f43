// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/debug/core_links.hpp"
#include "sim/debug/history.hpp"
#include "sim/debug/unit.hpp"
#include "sim/dut/dut.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// The signals of a unit, and where a model keeps the registers among them.
struct UnitRegisters {
  /// Bits of a member of the model.
  struct Bits {
    std::size_t member = 0;
    unsigned low = 0;
  };
  std::string instance;  ///< path in the RTL; empty if the RTL has other names
  std::vector<UnitSignal>
      signals;  ///< signals of the reference, then other members of the instance
  /// Place of each signal behind the ports; none for what the model does not have.
  std::vector<std::optional<Bits>> members;
};
[[nodiscard]] UnitRegisters find_registers(const Model& model, const UnitReference& reference);

/// First signal of a unit that differs from the reference.
struct FirstWrong {
  std::uint64_t cycle = 0;
  std::size_t signal = 0;  ///< number in Recording::signals
  maze::Payload seen = 0;
  maze::Payload expected = 0;
};

/// The values at one unit before and behind a failure.
struct Recording {
  Unit unit;
  std::string name;                     ///< "[3,4].x[6] -> [3,3].x[6]"
  std::string module;                   ///< "IRS_N"
  std::string instance;                 ///< path in the RTL; empty if the RTL has other names
  unsigned depth = 0;                   ///< IRS stages of a link
  std::size_t ports = 0;                ///< the first signals are ports
  std::size_t reference_signals = 0;    ///< ports and registers that the reference has
  std::vector<UnitConstant> constants;  ///< UnitReference::constants()
  PacketTexts texts;
  std::vector<PacketPort> packet_ports;
  std::vector<UnitSignal>
      signals;                    ///< signals of the reference, then other members of the instance
  std::vector<bool> is_seen;      ///< false for registers that the model does not have
  std::vector<UnitCycle> cycles;  ///< the window, in order
  std::optional<FirstWrong> wrong;  ///< absent if the unit behaves as its reference does
  std::optional<History> history;   ///< counts of its place, before the edge in front of `wrong`
};

/// Returns an empty recording of a unit, with the signals of its reference, of the instance of this
/// path.
[[nodiscard]] Recording recording_of(const Unit& unit, const UnitReference& reference,
                                     std::string instance);

/// Records one unit while a case runs again: its ports, the registers that the model has, and what
/// the reference expects. Keeps the cycles before a failure and some behind it.
class Recorder final : public Extension {
 public:
  /// `failure` is the cycle of the failure. `known`, unless null, are the registers of the unit in
  /// another model of the same library.
  Recorder(const Dut& dut, const Unit& unit, const maze::NetworkConfig& config, bool network,
           std::uint64_t failure, const UnitRegisters* known = nullptr);
  /// Records a unit of a design that is not a MAZE: its ports and, unless `model` is null, the
  /// registers that the model has.
  Recorder(std::unique_ptr<UnitReference> reference, const Unit& unit, std::uint64_t failure,
           const Model* model = nullptr);

  void on_cycle(const CycleView& view) override;
  /// Returns what was recorded, after the run.
  [[nodiscard]] Recording take();

  /// Cycles that a window shows before and behind its failure, and all together.
  static constexpr std::uint64_t kBefore = 1000;
  static constexpr std::uint64_t kBehind = 50;
  static constexpr std::uint64_t kWindow = kBefore + kBehind + 1;

 private:
  struct Source {
    const unsigned char* at = nullptr;  ///< byte with the lowest bit; null: not in the model
    unsigned bytes = 0;
    unsigned shift = 0;
    unsigned bits = 0;

    [[nodiscard]] maze::Payload read() const;
  };
  void add_registers(const Model& model, const UnitRegisters& registers);
  void look_for_first_wrong(const UnitCycle& cycle);

  std::unique_ptr<UnitReference> reference_;
  HistoryCounter counter_;
  std::uint64_t failure_;
  Recording recording_;
  std::optional<CoreLinks> links_;  ///< for a network whose model does not show its links
  std::vector<Source> sources_;     ///< values of the signals behind the ports
  std::deque<UnitCycle> window_;
};

}  // namespace kernbench::sim
