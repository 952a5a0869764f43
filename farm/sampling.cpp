// SPDX-License-Identifier: Apache-2.0
#include "farm/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "common/numbers.hpp"
#include "common/random.hpp"

namespace kernbench::farm {
namespace {

/// Returns a number from 0 up to, but not including, 1.
double unit_number(common::Rng& random) {
  return static_cast<double>(random.bits64() >> 11U) * 0x1p-53;
}

Value pick(const Parameter& parameter, double share) {
  if (parameter.span) return value_at(*parameter.span, share);
  const auto count = static_cast<double>(parameter.values.size());
  const auto index = static_cast<std::size_t>(share * count);
  return parameter.values[std::min(index, parameter.values.size() - 1)];
}

std::vector<common::Rng> streams_of(const std::vector<Parameter>& parameters, std::uint64_t seed) {
  std::vector<common::Rng> streams;
  streams.reserve(parameters.size());
  for (const Parameter& parameter : parameters) {
    streams.push_back(common::Rng::stream(seed, "sweep." + parameter.name));
  }
  return streams;
}

std::vector<std::string> texts_of(const PlanPoint& point) {
  std::vector<std::string> texts;
  texts.reserve(point.size());
  for (const Value& value : point) texts.push_back(value.text);
  return texts;
}

/// Cuts the range of each parameter into `count` parts and draws one point in each part.
std::vector<PlanPoint> cut_in_parts(const std::vector<Parameter>& parameters, std::size_t count,
                                    std::uint64_t seed) {
  std::vector<common::Rng> streams = streams_of(parameters, seed);
  std::vector<PlanPoint> points(count);
  std::vector<std::size_t> parts(count);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(parts[i - 1], parts[streams[p].below(i)]);
    for (std::size_t i = 0; i < count; ++i) {
      const double share =
          (static_cast<double>(parts[i]) + unit_number(streams[p])) / static_cast<double>(count);
      points[i].push_back(pick(parameters[p], share));
    }
  }
  return points;
}

}  // namespace

Value value_of(double number) {
  // Rounding hides the last bits of a computed value, which depend on the mathematical library.
  const std::string text = std::abs(number) < 1e15 && number == std::floor(number)
                               ? fmt::format("{:.0f}", number == 0 ? 0.0 : number)
                               : fmt::format("{:.12g}", number);
  return {text, common::parse_double(text)};
}

Value value_at(const NumberSpan& span, double share) {
  const double number = span.log ? span.from * std::pow(span.to / span.from, share)
                                 : span.from + (span.to - span.from) * share;
  Value value = value_of(number);
  return span.whole ? value_of(std::floor(*value.number + 0.5)) : value;
}

std::vector<Value> stepped_values(const NumberSpan& span, double step) {
  std::vector<Value> values;
  // A millionth of a step more, so that rounding does not lose the last value.
  const auto last = static_cast<std::size_t>((span.to - span.from) / step + 1e-6);
  for (std::size_t i = 0; i <= last; ++i) {
    values.push_back(value_of(span.from + static_cast<double>(i) * step));
  }
  return values;
}

std::vector<Value> counted_values(const NumberSpan& span, std::size_t count) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    Value value = value_at(span, share);
    if (values.empty() || values.back() != value) values.push_back(std::move(value));
  }
  return values;
}

std::size_t grid_size(const std::vector<Parameter>& parameters, std::size_t limit) {
  std::size_t size = 1;
  for (const Parameter& parameter : parameters) {
    if (parameter.values.size() > limit / size) return limit + 1;
    size *= parameter.values.size();
  }
  return size;
}

std::vector<PlanPoint> grid(const std::vector<Parameter>& parameters) {
  std::vector<PlanPoint> points(1);
  for (const Parameter& parameter : parameters) {
    std::vector<PlanPoint> longer;
    longer.reserve(points.size() * parameter.values.size());
    for (const PlanPoint& point : points) {
      for (const Value& value : parameter.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<PlanPoint> random_sample(const std::vector<Parameter>& parameters, std::size_t count,
                                     std::uint64_t seed,
                                     const std::function<bool(const PlanPoint&)>& accepted) {
  constexpr std::size_t kDrawsPerPoint = 1000;
  std::vector<common::Rng> streams = streams_of(parameters, seed);
  std::vector<PlanPoint> points;
  std::set<std::vector<std::string>> drawn;
  for (std::size_t i = 0; i < count * kDrawsPerPoint && points.size() < count; ++i) {
    PlanPoint point;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      point.push_back(pick(parameters[p], unit_number(streams[p])));
    }
    if (!accepted(point) || !drawn.insert(texts_of(point)).second) continue;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<PlanPoint> latin_hypercube(const std::vector<Parameter>& parameters, std::size_t count,
                                       std::uint64_t seed,
                                       const std::function<bool(const PlanPoint&)>& accepted) {
  constexpr std::size_t kPartsPerPoint = 64;
  std::vector<PlanPoint> points;
  for (std::size_t parts = count; parts <= count * kPartsPerPoint;) {
    points.clear();
    std::set<std::vector<std::string>> seen;
    for (PlanPoint& point : cut_in_parts(parameters, parts, seed)) {
      if (accepted(point) && seen.insert(texts_of(point)).second) {
        points.push_back(std::move(point));
      }
    }
    if (points.size() >= count) break;
    const std::size_t wanted = parts * count / std::max<std::size_t>(points.size(), 1);
    parts = std::clamp(wanted, parts + 1, 2 * parts);
  }
  points.resize(std::min(points.size(), count));  // their order is random
  return points;
}

std::vector<std::size_t> spread_order(std::size_t count) {
  constexpr double kGolden = 0.6180339887498949;
  // A step without a common divisor reaches each number once, and each value of each parameter of a
  // grid equally often.
  auto step =
      std::max<std::size_t>(1, static_cast<std::size_t>(kGolden * static_cast<double>(count)));
  while (std::gcd(step, count) > 1) ++step;
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i <= count; ++i) order.push_back(i * step % count);
  return order;
}

}  // namespace kernbench::farm
