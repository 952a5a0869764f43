// SPDX-License-Identifier: Apache-2.0
// The checkers of a network of any topology.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/hash.hpp"
#include "noc/packet_fields.hpp"
#include "sim/dut/noc_dut.hpp"
#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_reference.hpp"
#include "sim/regression/user_traffic.hpp"

namespace kernbench::sim {

/// Compares every output of every node with the reference in every cycle, resets included. Kinds:
/// valid, vc, flit, credit, overflow.
class NocLockstep final : public Extension {
 public:
  explicit NocLockstep(const NocDevice& device) : device_(device), reference_(device.network) {}

  void on_cycle(const CycleView& view) override;
  /// Links that were compared, over all cycles.
  [[nodiscard]] std::uint64_t checks() const override { return compared_; }
  /// The reference. After on_cycle() it has been clocked, except in reset.
  [[nodiscard]] const noc::NetworkModel& reference() const { return reference_.model(); }

 private:
  void report(std::uint64_t cycle, noc::Link link, const NocOutputs& seen,
              const NocOutputs& expected);

  const NocDevice& device_;
  NocReference reference_;
  std::uint64_t compared_ = 0;
};

/// Checks every delivery at port B against what was sent at the ports A. Knows sources,
/// destinations and order only: each packet arrives once, whole and unchanged, at the node that it
/// names, unmixed with others on its virtual channel; with one lane a class, packets of one source,
/// virtual channel of injection and destination arrive in order. Kinds: delivery, loss, latency.
class NocScoreboard final : public Extension {
 public:
  /// With `alone`, each packet takes its exact time.
  NocScoreboard(const NocDevice& device, bool alone);

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  /// Flits delivered.
  [[nodiscard]] std::uint64_t checks() const override { return delivered_; }
  /// Packets by node, and their latencies from the head at A to the tail at B.
  [[nodiscard]] const UserTraffic& traffic() const { return traffic_; }
  /// Returns the flits that are inside the network.
  [[nodiscard]] std::uint64_t inside() const { return sent_ - delivered_; }

 private:
  struct Packet {
    std::uint64_t cycle = 0;  ///< cycle of the head at A
    std::vector<noc::Flit> flits;
  };
  /// Source, virtual channel of injection and destination.
  using Stream = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  struct Arriving {
    std::shared_ptr<Packet> packet;
    std::size_t flits = 0;  ///< flits that have arrived
    Stream stream;
  };

  void send(std::uint64_t cycle, std::uint32_t node, std::uint32_t vc, noc::Flit flit);
  void deliver(std::uint64_t cycle, std::uint32_t node, std::uint32_t vc, noc::Flit flit);
  [[nodiscard]] std::string begin(std::uint32_t node, std::uint32_t vc, noc::Flit head);
  void forget();

  const NocDevice& device_;
  noc::PacketFields packets_;
  bool alone_;
  std::uint32_t vcs_;
  std::map<Stream, std::deque<std::shared_ptr<Packet>>> streams_;
  std::vector<std::shared_ptr<Packet>> sending_;   ///< [node * vcs + vc]; null between packets
  std::vector<std::optional<Arriving>> arriving_;  ///< [node * vcs + vc]
  UserTraffic traffic_;
  std::uint64_t sent_ = 0, delivered_ = 0;
};

/// Checks the rules of every link from its signals alone: a flit needs a credit, no credit comes
/// back for a slot that is free, and a virtual channel carries one packet after the other. Kinds:
/// no_credit, credit, stream.
class NocRules final : public Extension {
 public:
  explicit NocRules(const NocDevice& device);

  void on_cycle(const CycleView& view) override;
  /// Flits and credits on all links.
  [[nodiscard]] std::uint64_t checks() const override { return seen_; }

 private:
  struct Vc {
    std::uint32_t taken = 0;  ///< slots of the receiver that the sender cannot use
    bool is_in_packet = false;
  };
  void flit(std::uint64_t cycle, noc::Link link, const char* port, std::vector<Vc>& vcs,
            std::uint32_t vc, noc::Flit flit);
  void credits(std::uint64_t cycle, noc::Link link, const char* port, std::vector<Vc>& vcs,
               noc::Mask mask);

  const NocDevice& device_;
  std::vector<std::vector<Vc>> links_;       ///< by link: channels, then ports B
  std::vector<std::vector<Vc>> from_users_;  ///< ports A, by node
  std::uint64_t seen_ = 0;
};

/// Finds a network that stands still: flits are inside, and none has moved on any link for `limit`
/// cycles. Names the circle in which virtual channels wait for each other, if there is one. Kind:
/// stuck.
class NocWatchdog final : public Extension {
 public:
  NocWatchdog(const NocDevice& device, const NocScoreboard& scoreboard,
              const noc::NetworkModel& reference, std::uint64_t limit)
      : device_(device), scoreboard_(scoreboard), reference_(reference), limit_(limit) {}

  void on_cycle(const CycleView& view) override;
  /// Cycles in which flits were inside.
  [[nodiscard]] std::uint64_t checks() const override { return watched_; }

 private:
  const NocDevice& device_;
  const NocScoreboard& scoreboard_;
  const noc::NetworkModel& reference_;
  std::uint64_t limit_;
  std::uint64_t still_ = 0;
  std::uint64_t watched_ = 0;
};

/// Hashes everything that the nodes drive.
class NocOutputHash final : public Extension {
 public:
  void on_cycle(const CycleView& view) override;
  [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

 private:
  common::RunHash hash_;
};

}  // namespace kernbench::sim
