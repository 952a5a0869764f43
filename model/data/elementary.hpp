// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kernbench::model::data {

// exp and log with the same bits on every machine. C libraries use different code on processors
// with fused multiply-adds; Eigen's exp(-infinity) is not 0, and its log does not support
// subnormals. Both functions compute in double with errors below 1e-11. Results are the nearest
// float, except one in thousands, which is the next float.

[[nodiscard]] inline float portable_exp(float x) {
  constexpr double kLog2E = 0x1.71547652b82fep0;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, in the lowest bits
  // Beyond these limits results are 0 and infinity. The comparisons preserve NaN.
  double y = static_cast<double>(x);
  y = y < -110.0 ? -110.0 : y;
  y = y > 90.0 ? 90.0 : y;
  const double rounded = y * kLog2E + kRound;
  const double r = y - (rounded - kRound) * kLn2;  // at most ln(2) / 2 either way
  double sum = 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(rounded) + 1023U) << 52U;
  return static_cast<float>(sum * std::bit_cast<double>(exponent));
}

[[nodiscard]] inline float portable_log(float x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // x = m 2^e with m >= sqrt(1/2); every float is a normal double.
  constexpr std::uint64_t kHalfRoot = 0x3fe6a09e667f3bcdU;
  constexpr std::uint64_t kBias = 1023ULL << 52U;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(static_cast<double>(x));
  const std::uint64_t above = bits - kHalfRoot + kBias;
  // The lowest bits of a double near 2^52 hold an integer.
  const double e = std::bit_cast<double>(0x4330000000000000U | (above >> 52U)) - (0x1p52 + 1023.0);
  const auto m = std::bit_cast<double>((above & 0xfffffffffffffU) + kHalfRoot);
  // log(m) = 2 artanh(s)
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double sum = 1.0 / 13.0;
  sum = sum * z + 1.0 / 11.0;
  sum = sum * z + 1.0 / 9.0;
  sum = sum * z + 1.0 / 7.0;
  sum = sum * z + 1.0 / 5.0;
  sum = sum * z + 1.0 / 3.0;
  sum = sum * z + 1.0;
  float result = static_cast<float>(e * kLn2 + 2.0 * s * sum);
  if (x == kInfinity) result = x;
  if (x == 0.0F) result = -kInfinity;
  if (!(x >= 0.0F)) result = std::numeric_limits<float>::quiet_NaN();
  return result;
}

}  // namespace kernbench::model::data
