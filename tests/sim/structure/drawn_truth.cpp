// SPDX-License-Identifier: Apache-2.0
// Finds the true dependences of drawn modules by evaluating all inputs of the verilated top. Prints
// a line for each module, in order: for each of the 8 bits of its output the bits of its input that
// change it, as a hexadecimal mask. DRAWN is their number.
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "Vdrawn.h"
#include "verilated.h"

namespace {

constexpr int kSteps = 3;

using Outputs = std::vector<std::uint8_t>;  // of one evaluation, by module

class Bench {
 public:
  /// Returns the outputs that `input` leads to without a clock.
  Outputs values(unsigned input) {
    top_->a = static_cast<std::uint8_t>(input);
    top_->eval();
    Outputs outputs(DRAWN);
    for (int k = 0; k < DRAWN; ++k) outputs[k] = byte(top_->o, k);
    return outputs;
  }

  void reset() {
    top_->clk = 0;
    top_->rst_n = 1;
    top_->eval();
    top_->rst_n = 0;
    top_->a = 0;
    top_->eval();
    top_->rst_n = 1;
    top_->eval();
  }

  void clock() {
    top_->clk = 1;
    top_->eval();
    top_->clk = 0;
    top_->eval();
  }

 private:
  template <typename Words>
  static std::uint8_t byte(const Words& words, int k) {
    if constexpr (std::is_integral_v<Words>) {
      return static_cast<std::uint8_t>(words >> (8 * k));
    } else {
      return static_cast<std::uint8_t>(words[k / 4] >> (8 * (k % 4)));
    }
  }

  std::unique_ptr<Vdrawn> top_ = std::make_unique<Vdrawn>();
};

}  // namespace

int main() {
  Bench bench;
  std::vector<std::array<std::uint8_t, 8>> masks(DRAWN);
  const auto compare = [&](const Outputs& a, const Outputs& b, int input) {
    for (int k = 0; k < DRAWN; ++k) {
      const int differ = a[k] ^ b[k];
      for (int bit = 0; bit < 8; ++bit) {
        if ((differ >> bit & 1) != 0) masks[k][bit] |= static_cast<std::uint8_t>(1 << input);
      }
    }
  };
  // Every input after a reset.
  std::vector<Outputs> alone;
  bench.reset();
  for (unsigned a = 0; a < 256; ++a) alone.push_back(bench.values(a));
  for (unsigned a = 0; a < 256; ++a) {
    for (int i = 0; i < 8; ++i) compare(alone[a], alone[a ^ (1U << i)], i);
  }
  // Every sequence of inputs of 4 bits; modules with registers use no more.
  std::vector<std::array<Outputs, kSteps>> runs(1U << (4 * kSteps));
  for (unsigned run = 0; run < runs.size(); ++run) {
    bench.reset();
    for (int step = 0; step < kSteps; ++step) {
      runs[run][step] = bench.values(run >> (4 * step) & 15);
      bench.clock();
    }
  }
  for (unsigned run = 0; run < runs.size(); ++run) {
    for (int flip = 0; flip < 4 * kSteps; ++flip) {
      const auto& other = runs[run ^ (1U << flip)];
      for (int step = 0; step < kSteps; ++step) compare(runs[run][step], other[step], flip % 4);
    }
  }
  for (const auto& module : masks) {
    for (const auto mask : module) std::printf("%02x ", static_cast<unsigned>(mask));
    std::printf("\n");
  }
  return 0;
}
