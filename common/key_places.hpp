// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "common/source_location.hpp"

namespace kernbench::common {

/// Positions of the keys of an input in its file, by full name ("sip.cube_mesh.w",
/// "sip.io_chiplets[1].id"), and whether their values are reliable.
class KeyPlaces {
 public:
  struct Place {
    SourcePosition position;  ///< place of the value, or of the enclosing map
    bool given = false;       ///< false if the value is the default
    bool sound = true;        ///< false if an error was already reported for the key
    std::string label{};      ///< name of the value in messages: "'w'", "item 2 of 'edges'"
  };

  void add(const std::string& key, Place place) { places_[key] = std::move(place); }
  /// Replaces the places of all keys that `other` has as given, or whose values are unreliable
  /// there, by `position`.
  void replace_given(const KeyPlaces& other, const SourcePosition& position);
  /// Marks the defaults in the map `section` as unreliable. Call it for a map with unknown keys:
  /// each may be a misspelling of an absent key.
  void distrust_defaults_below(const std::string& section);

  /// Returns the place of `key`. Throws std::out_of_range for an unknown key.
  [[nodiscard]] const Place& at(const std::string& key) const { return places_.at(key); }
  /// Returns whether the file has `key`.
  [[nodiscard]] bool given(const std::string& key) const;
  /// Returns the position of `key`, or of the closest map around it that is known. The document
  /// must have been added under an empty name.
  [[nodiscard]] const SourcePosition& position(const std::string& key) const;
  /// Returns true if no error was reported for any of these keys, or for the maps around those that
  /// are not known.
  [[nodiscard]] bool sound(std::initializer_list<std::string> keys) const;
  /// Returns " (the default)" if the key is absent, else "".
  [[nodiscard]] std::string_view origin(const std::string& key) const {
    return at(key).given ? "" : " (the default)";
  }

 private:
  [[nodiscard]] const Place& nearest(std::string key) const;

  std::map<std::string, Place> places_;
};

}  // namespace kernbench::common
