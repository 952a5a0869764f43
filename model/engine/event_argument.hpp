// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace kernbench::model::engine {

/// The 64 bits that a scheduled event carries to its handler: a number, a reference to an object,
/// or a tag with an index and a generation. Only the handler knows which form it scheduled; it must
/// read the same form back.
class EventArgument {
 public:
  static constexpr unsigned kIndexBits = 32;
  static constexpr unsigned kGenerationBits = 28;
  static constexpr unsigned kTagBits = 64 - kIndexBits - kGenerationBits;
  /// Generations that can be told apart.
  static constexpr std::uint32_t kGenerations = std::uint32_t{1} << kGenerationBits;

  /// A number. The conversion is implicit so that schedule(at, handler, 7) works.
  constexpr EventArgument(std::uint64_t number = 0)  // NOLINT(google-explicit-constructor)
      : bits_(number) {}

  /// A tag, which tells a handler's kinds of events apart, and the index of the event's subject.
  /// The generation tells an earlier user of the same index from a later one. The tag's value must
  /// be below 2^kTagBits and the generation below kGenerations.
  template <typename Tag>
  requires std::is_enum_v<Tag>
  constexpr EventArgument(Tag tag, std::uint32_t index, std::uint32_t generation = 0)
      : bits_(static_cast<std::uint64_t>(tag) << kTagShift |
              std::uint64_t{generation} << kIndexBits | index) {}

  /// A reference to an object, which must outlive the event.
  template <typename T>
  [[nodiscard]] static EventArgument to(T& object) {
    return std::bit_cast<std::uint64_t>(&object);
  }

  [[nodiscard]] constexpr std::uint64_t number() const { return bits_; }

  template <typename Tag>
  requires std::is_enum_v<Tag>
  [[nodiscard]] constexpr Tag tag() const { return static_cast<Tag>(bits_ >> kTagShift); }
  [[nodiscard]] constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(bits_); }
  [[nodiscard]] constexpr std::uint32_t generation() const {
    return static_cast<std::uint32_t>(bits_ >> kIndexBits) & (kGenerations - 1);
  }

  template <typename T>
  [[nodiscard]] T& object() const {
    return *std::bit_cast<T*>(bits_);
  }

 private:
  static constexpr unsigned kTagShift = kIndexBits + kGenerationBits;
  static_assert(sizeof(void*) == sizeof(std::uint64_t));

  std::uint64_t bits_;
};

}  // namespace kernbench::model::engine
