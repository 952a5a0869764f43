// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/registration.hpp"

namespace kernbench::common {

/// The things of one kind that a program knows by name, such as algorithms. Files register theirs
/// before main(), plugins when they are loaded, so the order of registration means nothing: all()
/// sorts by name. Entries stay where they are.
template <typename T>
class Registry {
 public:
  /// Takes what T is in a message, such as "algorithm".
  explicit Registry(const char* what) : what_(what) {}

  /// Refuses a name that is already registered.
  void add(T entry) {
    if (find(entry.name) != nullptr) {
      refuse_registration(std::string("the ") + what_ + " '" + entry.name +
                          "' is already registered");
      return;
    }
    entries_.push_back(std::move(entry));
    const auto place = std::lower_bound(
        sorted_.begin(), sorted_.end(), entries_.back().name,
        [](const T* known, const std::string& name) { return known->name < name; });
    sorted_.insert(place, &entries_.back());
  }
  /// Returns all entries, sorted by name.
  [[nodiscard]] const std::vector<const T*>& all() const { return sorted_; }
  /// Returns the entry with this name, or null.
  [[nodiscard]] const T* find(std::string_view name) const {
    for (const T* known : sorted_) {
      if (known->name == name) return known;
    }
    return nullptr;
  }

 private:
  const char* what_;
  std::deque<T> entries_;
  std::vector<const T*> sorted_;
};

}  // namespace kernbench::common
