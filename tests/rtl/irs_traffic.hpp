#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "tests/rtl/irs_bench.hpp"

namespace kernbench::tests {

/// When a receiver is ready.
enum class ReadyPattern {
  kRandom,    ///< each cycle with probability `ready`
  kPeriodic,  ///< 3 cycles on, 2 cycles off
  kStalls,    ///< on, with stalls of 40 cycles that begin with probability 1/32
  kReleased,  ///< off for 64 cycles, on for 64 cycles
};

struct IrsTrafficSpec {
  std::string name;
  double valid = 1.0;  ///< probability that a packet is offered while none is waiting
  ReadyPattern pattern = ReadyPattern::kRandom;
  double ready = 1.0;
  bool fickle = false;  ///< senders withdraw or change packets that were not taken
  std::uint64_t seed = 1;

  /// How GoogleTest names it.
  friend void PrintTo(const IrsTrafficSpec& spec, std::ostream* out) { *out << spec.name; }
};

/// Senders and receivers for every instance of a bench, each with a random stream of its own.
class IrsTraffic {
 public:
  IrsTraffic(const IrsTrafficSpec& spec, const std::vector<IrsInstance>& instances);

  /// The inputs of the coming cycle. `taken`: which packets offered in the last one were accepted.
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
