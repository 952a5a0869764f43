// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_users.hpp"
#include "sim/stimulus/script.hpp"

namespace kernbench::sim {

/// The flits of a packet.
struct NocScriptPacket {
  std::vector<noc::Flit> flits;
  /// Cycle of each flit, counted from that of the head; rising.
  std::vector<std::uint64_t> after;
  friend bool operator==(const NocScriptPacket&, const NocScriptPacket&) = default;
};

/// Actions of the users of a network, from the reset at the start on. A flit is sent in its cycle,
/// or as soon as there is a credit; receivers that do not stall take every flit at once.
struct NocScript {
  /// Cycles, packets, stalls and resets. The end of a packet or stall has the number of its virtual
  /// channel in place of a port; `packet` is an index in `packets`.
  Script events;
  std::vector<NocScriptPacket> packets;  ///< some may not be sent
  friend bool operator==(const NocScript&, const NocScript&) = default;
};

/// Users that do what a script says.
class ScriptedNocUsers final : public NocStimulus {
 public:
  /// `script` must outlive the object.
  ScriptedNocUsers(const NocDevice& device, const NocScript& script);

  void drive(std::uint64_t cycle, Phase phase, const NocOutputs& before,
             NocInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return false; }

 private:
  struct Next {
    std::size_t packet = 0;  ///< place in the list of its node and virtual channel
    std::size_t flit = 0;
  };
  void receive(bool drains, NocInputs& inputs);
  void send(std::uint32_t node, NocInputs& inputs);
  void skip_packets();

  const NocDevice& device_;
  const NocScript& script_;
  std::uint32_t vcs_;
  NocPorts ports_;
  std::vector<std::vector<const ScriptPacket*>> packets_;  ///< [node * vcs + vc]
  std::vector<Next> next_;                                 ///< indexed like them
  std::vector<std::uint32_t> stalls_;                      ///< stalls that last, indexed like them
  std::size_t next_stall_ = 0;
  std::vector<ScriptStall> running_;  ///< stalls
  std::uint64_t cycle_ = 0;           ///< run cycle
};

/// Writes down what users do.
class NocScriptRecorder {
 public:
  explicit NocScriptRecorder(const NocDevice& device);

  /// Records a cycle. `before` is what the network did in the previous one.
  void record(Phase phase, const NocOutputs& before, const NocInputs& inputs);
  /// Returns the script, after the run. `resets` are those of its plan.
  [[nodiscard]] NocScript script(const std::vector<ResetEvent>& resets) const;

 private:
  void end_packets();
  void record_receivers(const NocInputs& inputs);
  void record_senders(const NocInputs& inputs);

  const NocDevice& device_;
  std::uint32_t vcs_;
  NocScript script_;
  std::vector<std::optional<std::size_t>> open_;  ///< packet that is being sent, [node * vcs + vc]
  std::vector<std::uint32_t> waiting_;            ///< flits at B, indexed like them
  std::vector<std::optional<std::uint64_t>> stalled_;  ///< begin of a stall, indexed like them
  std::uint64_t cycle_ = 0;                            ///< cycles outside resets
  std::uint64_t run_ = 0;                              ///< run cycles among them
};

/// Drives a network as other users do, whose actions are written down.
class RecordedNocUsers final : public NocStimulus {
 public:
  RecordedNocUsers(NocStimulus& own, NocScriptRecorder& recorder)
      : own_(own), recorder_(recorder) {}

  void drive(std::uint64_t cycle, Phase phase, const NocOutputs& before,
             NocInputs& inputs) override {
    own_.drive(cycle, phase, before, inputs);
    recorder_.record(phase, before, inputs);
  }
  [[nodiscard]] bool exhausted() const override { return own_.exhausted(); }

 private:
  NocStimulus& own_;
  NocScriptRecorder& recorder_;
};

/// Writes down what the users of a running network do that no stimulus drives.
class NocUserObserver final : public Extension {
 public:
  explicit NocUserObserver(const NocDevice& device);

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] NocScript script() const { return recorder_.script({}); }

 private:
  NocScriptRecorder recorder_;
  NocOutputs before_;
};

}  // namespace kernbench::sim
