// SPDX-License-Identifier: Apache-2.0
#include "common/key_places.hpp"

#include <algorithm>

namespace kernbench::common {

void KeyPlaces::replace_given(const KeyPlaces& other, const SourcePosition& position) {
  for (const auto& [key, place] : other.places_) {
    if (place.given || !place.sound) places_[key] = {position, place.given, place.sound};
  }
}

void KeyPlaces::distrust_defaults_below(const std::string& section) {
  for (auto& [key, place] : places_) {
    if (!place.given && key.starts_with(section)) place.sound = false;
  }
}

bool KeyPlaces::given(const std::string& key) const {
  const auto found = places_.find(key);
  return found != places_.end() && found->second.given;
}

const KeyPlaces::Place& KeyPlaces::nearest(std::string key) const {
  while (true) {
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    const std::size_t end = key.find_last_of(".[");
    if (end == std::string::npos) return places_.at("");
    key.resize(end);
  }
}

const SourcePosition& KeyPlaces::position(const std::string& key) const {
  return nearest(key).position;
}

bool KeyPlaces::sound(std::initializer_list<std::string> keys) const {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return nearest(key).sound; });
}

}  // namespace kernbench::common
