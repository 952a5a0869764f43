// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/same_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "sim/structure/canonical_text.hpp"

namespace kernbench::sim::structure {
namespace {

std::string described(const CanonicalText& text, const Item* item) {
  if (item == nullptr) return "nothing";
  return fmt::format("{} at {}", item->what, text.design().at(item->place));
}

/// Returns the items that the other list does not have, in order of their lines.
std::vector<const Item*> only_in(const std::vector<Item>& items, const std::vector<Item>& others) {
  std::map<std::string, int> count;
  for (const Item& other : others) ++count[other.text];
  std::vector<const Item*> only;
  for (const Item& item : items) {
    if (count[item.text]-- <= 0) only.push_back(&item);
  }
  std::stable_sort(only.begin(), only.end(),
                   [](const Item* a, const Item* b) { return a->place.line < b->place.line; });
  return only;
}

/// Returns the first two that are the same thing, such as an assignment to x, or else the first of
/// each list; null for an empty list.
std::pair<const Item*, const Item*> first_pair(const std::vector<const Item*>& a,
                                               const std::vector<const Item*>& b) {
  for (const Item* item : a) {
    for (const Item* other : b) {
      if (item->what == other->what) return {item, other};
    }
  }
  return {a.empty() ? nullptr : a.front(), b.empty() ? nullptr : b.front()};
}

class Comparison {
 public:
  Comparison(CanonicalText& a, CanonicalText& b) : a_(a), b_(b) {}

  /// Returns the innermost difference of two modules whose texts differ.
  Difference of(const Module& a, const Module& b) {
    const ModuleText& in_a = a_.of(a);
    const ModuleText& in_b = b_.of(b);
    for (const Instance& instance : a.instances) {
      const auto other = std::find_if(b.instances.begin(), b.instances.end(),
                                      [&](const Instance& it) { return it.name == instance.name; });
      if (other == b.instances.end()) continue;
      const Module* child_a = a_.design().module(instance.module);
      const Module* child_b = b_.design().module(other->module);
      if (child_a != nullptr && child_b != nullptr && child_a->orig == child_b->orig &&
          a_.of(*child_a).whole != b_.of(*child_b).whole) {
        return of(*child_a, *child_b);
      }
    }
    const auto [only_a, only_b] =
        first_pair(only_in(in_a.items, in_b.items), only_in(in_b.items, in_a.items));
    const Item* shown = only_a != nullptr ? only_a : only_b;
    const CanonicalText& owner = only_a != nullptr ? a_ : b_;
    const Place place = shown != nullptr ? shown->place : a.place;
    return {described(a_, only_a), described(b_, only_b),
            owner.design().dump().files.at(place.file), place.line};
  }

 private:
  CanonicalText& a_;
  CanonicalText& b_;
};

}  // namespace

std::optional<Difference> difference_of(const Design& first, const Design& second) {
  CanonicalText a(first);
  CanonicalText b(second);
  if (a.of(first.top()).whole == b.of(second.top()).whole) return std::nullopt;
  return Comparison(a, b).of(first.top(), second.top());
}

}  // namespace kernbench::sim::structure
