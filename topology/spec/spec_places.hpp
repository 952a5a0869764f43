#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "common/source_location.hpp"

namespace kernbench::topology {

/// Where the keys of a spec stand in its file, by their full names ("sip.cube_mesh.w",
/// "sip.io_chiplets[1].id"), and whether their values can be relied upon.
class SpecPlaces {
 public:
  struct Place {
    common::SourcePosition position;  ///< of the value; of the map above where the key is absent
    bool given = false;               ///< false: the value is the default
    bool sound = true;                ///< false: an error was reported for it already
  };

  void add(const std::string& key, Place place) { places_[key] = std::move(place); }
  /// After unknown keys in the map `section`: any of them may be a misspelling of one that is
  /// absent, so the defaults below it cannot be relied upon.
  void distrust_defaults_below(const std::string& section);

  /// Throws std::out_of_range for a key that there is not.
  [[nodiscard]] const Place& at(const std::string& key) const { return places_.at(key); }
  /// Whether no error was reported for any of these keys.
  [[nodiscard]] bool sound(std::initializer_list<std::string> keys) const;
  /// " (the default)" if the key is absent.
  [[nodiscard]] std::string_view origin(const std::string& key) const {
    return at(key).given ? "" : " (the default)";
  }

 private:
  std::map<std::string, Place> places_;
};

}  // namespace kernbench::topology
