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

std::uint32_t OpLog::add_launch(std::string kernel) {
  launches_.push_back(std::move(kernel));
  return static_cast<std::uint32_t>(launches_.size() - 1);
}

std::uint32_t OpLog::add_tensor(TensorRecord tensor) {
  tensor.first = static_cast<std::uint32_t>(records_.size());
  tensors_.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(tensors_.size() - 1);
}

void OpLog::release_tensor(std::uint32_t tensor) {
  tensors_[tensor].end = static_cast<std::uint32_t>(records_.size());
}

}  // namespace kernbench::model::data
