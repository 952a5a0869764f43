// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <sstream>
#include <string>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/units.hpp"

namespace kernbench::common {

// How cereal writes and reads a SimTime.

template <class Archive>
std::int64_t save_minimal(const Archive&, const SimTime& time) {
  return time.ps();
}
template <class Archive>
void load_minimal(const Archive&, SimTime& time, const std::int64_t& ps) {
  time = SimTime::from_ps(ps);
}

/// Makes cereal write values of a type as the JSON of their description.
template <typename T>
inline constexpr bool kArchivedByDescription = false;

/// Returns a value as bytes, the same on every machine. Types have a `serialize` for cereal in
/// headers called `*_archive.hpp`.
template <typename T>
[[nodiscard]] std::string archived(const T& value) {
  std::ostringstream bytes(std::ios::binary);
  cereal::PortableBinaryOutputArchive archive(bytes);
  archive(value);
  return bytes.str();
}

/// Reads a value from the bytes of archived(). Throws BadInput for bytes that it did not write.
template <typename T>
void unarchive(const std::string& bytes, T& value) {
  std::istringstream stream(bytes, std::ios::binary);
  try {
    cereal::PortableBinaryInputArchive archive(stream);
    archive(value);
  } catch (const std::exception& error) {
    throw BadInput(std::string("a result of a part is damaged: ") + error.what());
  }
}

}  // namespace kernbench::common

// Found by the archive that they are called with.
namespace cereal {

template <class Archive, typename T>
requires kernbench::common::kArchivedByDescription<T> std::string save_minimal(const Archive&,
                                                                               const T& value) {
  return kernbench::common::to_json(value).dump();
}
template <class Archive, typename T>
requires kernbench::common::kArchivedByDescription<T>
void load_minimal(const Archive&, T& value, const std::string& text) {
  value = kernbench::common::value_of<T>(nlohmann::json::parse(text), "a result of a part");
}

}  // namespace cereal
