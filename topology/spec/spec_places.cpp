// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_places.hpp"

#include <algorithm>

namespace kernbench::topology {

void SpecPlaces::replace_given(const SpecPlaces& other, const common::SourcePosition& position) {
  for (const auto& [key, place] : other.places_) {
    if (place.given || !place.sound) places_[key] = {position, place.given, place.sound};
  }
}

void SpecPlaces::distrust_defaults_below(const std::string& section) {
  for (auto& [key, place] : places_) {
    if (!place.given && key.starts_with(section)) place.sound = false;
  }
}

bool SpecPlaces::sound(std::initializer_list<std::string> keys) const {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return at(key).sound; });
}

}  // namespace kernbench::topology
