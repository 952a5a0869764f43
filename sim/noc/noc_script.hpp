// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_users.hpp"

namespace kernbench::sim {

/// A packet of a script, and the cycle in which each of its flits is sent if there is a credit.
struct NocScriptPacket {
  std::uint32_t node = 0;
  std::uint32_t vc = 0;
  std::vector<noc::Flit> flits;
  std::vector<std::uint64_t> at;  ///< by flit, in cycles after the reset; rising
  friend bool operator==(const NocScriptPacket&, const NocScriptPacket&) = default;
};

/// A flit that a receiver takes at port B, if one waits there.
struct NocScriptTake {
  std::uint64_t at = 0;
  std::uint32_t node = 0;
  std::uint32_t vc = 0;
  friend bool operator==(const NocScriptTake&, const NocScriptTake&) = default;
};

/// The acts of the users of a network, from a reset on.
struct NocScript {
  std::vector<NocScriptPacket>
      packets;             ///< packets; each node and virtual channel has its own in order
  bool takes_all = false;  ///< receivers take every flit at once
  std::vector<NocScriptTake> takes;  ///< unless they do; by rising cycle
  friend bool operator==(const NocScript&, const NocScript&) = default;
};

/// Records what the users do, since the last reset.
class NocScriptRecorder final : public Extension {
 public:
  explicit NocScriptRecorder(const NocDevice& device);

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] const NocScript& script() const { return script_; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  const NocDevice& device_;
  NocScript script_;
  std::vector<std::size_t> open_;  ///< packet that is being sent, [node * vcs + vc], or kNone
  std::uint64_t cycle_ = 0;        ///< since the reset
};

/// Users that do what a script says.
class ScriptedNocUsers final : public NocStimulus {
 public:
  ScriptedNocUsers(const NocDevice& device, const NocScript& script);

  void drive(std::uint64_t cycle, Phase phase, const NocOutputs& before,
             NocInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return left_ == 0; }

 private:
  void send(std::uint32_t node, NocInputs& inputs);

  struct Next {
    std::size_t packet = 0;  ///< place in the list of its node and virtual channel
    std::size_t flit = 0;
  };

  const NocDevice& device_;
  const NocScript& script_;
  NocPorts ports_;
  std::vector<std::vector<const NocScriptPacket*>> packets_;  ///< [node * vcs + vc]
  std::vector<Next> next_;                                    ///< indexed like them
  std::size_t take_ = 0;
  std::size_t left_ = 0;     ///< flits to be sent
  std::uint64_t cycle_ = 0;  ///< since the reset
};

}  // namespace kernbench::sim
