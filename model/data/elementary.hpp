// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kernbench::model::data {

// Functions with the same bits on every machine. C libraries use different code on processors
// with fused multiply-adds; Eigen's exp(-infinity) is not 0, and its log does not support
// subnormals. All functions compute in double with relative errors below 1e-10 and round to float
// once: errors are below 0.501 units in the last place. All preserve NaN.

/// Returns exp(x) with a relative error below 1e-11 for x from -110 to 90, and the value at the
/// nearer end beyond.
[[nodiscard]] inline double portable_exp_in_double(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep0;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, in the lowest bits
  // Beyond these limits floats are 0 and infinity. The comparisons preserve NaN.
  double y = x;
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
  return sum * std::bit_cast<double>(exponent);
}

[[nodiscard]] inline float portable_exp(float x) {
  return static_cast<float>(portable_exp_in_double(static_cast<double>(x)));
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

/// Returns 1 / sqrt(x): infinity for 0, NaN below it.
[[nodiscard]] inline float portable_rsqrt(float x) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}

[[nodiscard]] inline float portable_tanh(float x) {
  const double y = static_cast<double>(x);
  const double size = std::abs(y);
  const double power = portable_exp_in_double(-2.0 * size);
  const double large = std::copysign((1.0 - power) / (1.0 + power), y);
  // The difference above loses digits near 0, where the series converges quickly.
  const double z = y * y;
  double sum = 21844.0 / 6081075.0;
  sum = sum * z - 1382.0 / 155925.0;
  sum = sum * z + 62.0 / 2835.0;
  sum = sum * z - 17.0 / 315.0;
  sum = sum * z + 2.0 / 15.0;
  sum = sum * z - 1.0 / 3.0;
  sum = sum * z + 1.0;
  return static_cast<float>(size < 0.25 ? y * sum : large);
}

/// Returns exp(z^2) erfc(z) for z >= 0. The polynomial in t = 2 / (2 + z) interpolates
/// exp(z^2) erfc(z) / t at the zeros of a Chebyshev polynomial for z up to 10.6, with a relative
/// error below 3e-12.
[[nodiscard]] inline double scaled_erfc(double z) {
  const double t = 2.0 / (2.0 + z);
  double sum = -0.011657829789361931;
  sum = sum * t + 0.08467267799570645;
  sum = sum * t - 0.238751968263898;
  sum = sum * t + 0.24699646479499388;
  sum = sum * t + 0.2834292851579119;
  sum = sum * t - 1.2290073522519391;
  sum = sum * t + 1.7300435855141445;
  sum = sum * t - 1.3154629605917072;
  sum = sum * t + 0.6455642735528403;
  sum = sum * t - 0.3236177296229591;
  sum = sum * t + 0.069651001504368;
  sum = sum * t + 0.06889985942356444;
  sum = sum * t + 0.178404654665467;
  sum = sum * t + 0.24663562442235015;
  sum = sum * t + 0.28210590432861804;
  sum = sum * t + 0.2820945091593198;
  return sum * t;
}

/// Returns x Phi(x) = x (1 + erf(x / sqrt(2))) / 2, the exact form of the Gaussian error linear
/// unit, and -0 for -infinity.
[[nodiscard]] inline float portable_gelu(float x) {
  constexpr double kHalfRoot = 0x1.6a09e667f3bcdp-1;  // sqrt(1/2)
  // Below -15 the result is 0 in f32; the limit avoids infinity times 0.
  double y = static_cast<double>(x);
  y = y < -15.0 ? -15.0 : y;
  const double tail =
      0.5 * scaled_erfc(std::abs(y) * kHalfRoot) * portable_exp_in_double(-0.5 * y * y);
  return static_cast<float>(y * (y < 0.0 ? tail : 1.0 - tail));
}

/// Returns x sigmoid(x) = x / (1 + exp(-x)), and -0 for -infinity.
[[nodiscard]] inline float portable_silu(float x) {
  double y = static_cast<double>(x);
  y = y < -110.0 ? -110.0 : y;
  const double power = portable_exp_in_double(-std::abs(y));
  return static_cast<float>(y * (y < 0.0 ? power : 1.0) / (1.0 + power));
}

}  // namespace kernbench::model::data
