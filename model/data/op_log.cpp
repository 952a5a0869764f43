// SPDX-License-Identifier: Apache-2.0
#include "model/data/op_log.hpp"

#include <utility>

namespace kernbench::model::data {

namespace {

constexpr std::size_t kExpected = std::size_t{1} << 16U;

}  // namespace

std::uint32_t OpLog::begin(OpRecord record) {
  if (records_.empty()) {
    // Reserves address space only. Growing from empty would copy most records several times.
    records_.reserve(kExpected);
    moments_.reserve(2 * kExpected);
  }
  const auto number = static_cast<std::uint32_t>(records_.size());
  records_.push_back(std::move(record));
  moments_.push_back({number, false});
  return number;
}

void OpLog::end(std::uint32_t record, common::SimTime now) {
  records_[record].end = now;
  moments_.push_back({record, true});
}

}  // namespace kernbench::model::data
