// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "tests/rtl/irs_bench.hpp"

namespace kernbench::tests {

/// Pattern of a receiver's ready.
enum class ReadyPattern {
  kRandom,    ///< each cycle with probability `ready`
  kPeriodic,  ///< 3 cycles ready, 2 cycles not
  kStalls,    ///< ready, with stalls of 40 cycles that start with probability 1/32
  kReleased,  ///< 64 cycles not ready, 64 cycles ready
};

struct IrsTrafficSpec {
  std::string name;
  double valid = 1.0;  ///< probability that a packet is offered while none is waiting
  ReadyPattern pattern = ReadyPattern::kRandom;
  double ready = 1.0;
  bool fickle = false;  ///< senders withdraw or change packets that were not accepted
  std::uint64_t seed = 1;

  /// Prints the name for GoogleTest.
  friend void PrintTo(const IrsTrafficSpec& spec, std::ostream* out) { *out << spec.name; }
};

/// Senders and receivers for every instance of a bench, each with its own random stream.
class IrsTraffic {
 public:
  IrsTraffic(const IrsTrafficSpec& spec, const std::vector<IrsInstance>& instances);

  /// Returns the inputs of the next cycle. `taken`: instances that accepted the last offered
  /// packet.
  [[nodiscard]] const std::vector<IrsInputs>& next(const std::vector<bool>& taken);

 private:
  [[nodiscard]] bool receiver_ready(std::size_t instance);

  IrsTrafficSpec spec_;
  std::uint64_t valid_threshold_;
  std::uint64_t ready_threshold_;
  std::uint64_t cycle_ = 0;
  std::vector<Payload> masks_;
  std::vector<common::Rng> random_;
  std::vector<std::uint64_t> stalled_until_;
  std::vector<IrsInputs> inputs_;
};

}  // namespace kernbench::tests
