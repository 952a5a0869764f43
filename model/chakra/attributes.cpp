// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/attributes.hpp"

#include <cmath>
#include <concepts>
#include <utility>

namespace kernbench::model::chakra {

using kernbench::chakra::AttributeProto;

namespace {

template <std::integral Number>
std::optional<std::int64_t> whole(Number number) {
  if (!std::in_range<std::int64_t>(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> whole(bool number) {
  return number ? 1 : 0;
}

std::optional<std::int64_t> whole(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(number >= -kLimit && number < kLimit) || std::floor(number) != number) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

template <typename List>
std::optional<std::vector<std::int64_t>> all_whole(const List& list) {
  std::vector<std::int64_t> numbers;
  for (const auto value : list.values()) {
    const std::optional<std::int64_t> number = whole(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::optional<std::int64_t> number_in(const AttributeProto& attribute) {
  switch (attribute.value_case()) {
    case AttributeProto::kDoubleVal:
      return whole(attribute.double_val());
    case AttributeProto::kFloatVal:
      return whole(static_cast<double>(attribute.float_val()));
    case AttributeProto::kInt32Val:
      return whole(attribute.int32_val());
    case AttributeProto::kInt64Val:
      return whole(attribute.int64_val());
    case AttributeProto::kUint32Val:
      return whole(attribute.uint32_val());
    case AttributeProto::kUint64Val:
      return whole(attribute.uint64_val());
    case AttributeProto::kSint32Val:
      return whole(attribute.sint32_val());
    case AttributeProto::kSint64Val:
      return whole(attribute.sint64_val());
    case AttributeProto::kFixed32Val:
      return whole(attribute.fixed32_val());
    case AttributeProto::kFixed64Val:
      return whole(attribute.fixed64_val());
    case AttributeProto::kSfixed32Val:
      return whole(attribute.sfixed32_val());
    case AttributeProto::kSfixed64Val:
      return whole(attribute.sfixed64_val());
    case AttributeProto::kBoolVal:
      return whole(attribute.bool_val());
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<std::int64_t>> numbers_in(const AttributeProto& attribute) {
  switch (attribute.value_case()) {
    case AttributeProto::kDoubleList:
      return all_whole(attribute.double_list());
    case AttributeProto::kFloatList:
      return all_whole(attribute.float_list());
    case AttributeProto::kInt32List:
      return all_whole(attribute.int32_list());
    case AttributeProto::kInt64List:
      return all_whole(attribute.int64_list());
    case AttributeProto::kUint32List:
      return all_whole(attribute.uint32_list());
    case AttributeProto::kUint64List:
      return all_whole(attribute.uint64_list());
    case AttributeProto::kSint32List:
      return all_whole(attribute.sint32_list());
    case AttributeProto::kSint64List:
      return all_whole(attribute.sint64_list());
    case AttributeProto::kFixed32List:
      return all_whole(attribute.fixed32_list());
    case AttributeProto::kFixed64List:
      return all_whole(attribute.fixed64_list());
    case AttributeProto::kSfixed32List:
      return all_whole(attribute.sfixed32_list());
    case AttributeProto::kSfixed64List:
      return all_whole(attribute.sfixed64_list());
    default:
      return std::nullopt;
  }
}

}  // namespace kernbench::model::chakra
