// SPDX-License-Identifier: Apache-2.0
#include "plot/report_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "plot/member_columns.hpp"
#include "plot/row_pairs.hpp"

namespace kernbench::plot {

using common::ValueForm;
using nlohmann::json;
using Kind = ValueForm::Kind;

namespace {

const json* member_of(const json* object, const std::string& name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto found = object->find(name);
  return found == object->end() ? nullptr : &*found;
}

/// Returns the names of the members of two objects.
std::set<std::string> names_in(const json& a, const json& b) {
  std::set<std::string> names;
  for (const json* side : {&a, &b}) {
    for (const auto& item : side->items()) names.insert(item.key());
  }
  return names;
}

class Walk {
 public:
  explicit Walk(const std::function<void(const ValuePair& pair)>& visit) : visit_(visit) {}

  void value(const ValueForm& given, const json* a, const json* b, const std::string& path) {
    if (a == nullptr && b == nullptr) return;
    const ValueForm& form = given.kind == Kind::Again ? given.again() : given;
    const bool are_both = a != nullptr && b != nullptr;
    if (are_both && form.kind == Kind::Object && a->is_object() && b->is_object()) {
      object(form, *a, *b, path);
    } else if (are_both && form.kind == Kind::Any && a->is_object() && b->is_object()) {
      any(*a, *b, path);
    } else if (are_both && form.kind == Kind::Map && a->is_object() && b->is_object()) {
      map(form, *a, *b, path);
    } else if (are_both && is_list_of_objects(form) && a->is_array() && b->is_array()) {
      rows(form, *a, *b, path);
    } else if (are_both && form.kind == Kind::List && a->size() == b->size() && a->is_array() &&
               b->is_array()) {
      for (std::size_t i = 0; i < a->size(); ++i) {
        value(form.item(i), &(*a)[i], &(*b)[i], fmt::format("{}[{}]", path, i));
      }
    } else {
      visit_({path, &form, a, b});
    }
  }

  void object(const ValueForm& form, const json& a, const json& b, const std::string& path) {
    for (const ValueForm& member : form.parts) {
      if (member.name == "host" || member.name == "seconds") continue;
      value(member, member_of(&a, member.name), member_of(&b, member.name),
            path.empty() ? member.name : path + "." + member.name);
    }
  }

 private:
  /// Walks through objects that no form describes.
  void any(const json& a, const json& b, const std::string& path) {
    for (const std::string& name : names_in(a, b)) {
      ValueForm form;
      form.kind = Kind::Any;
      form.name = name;
      value(form, member_of(&a, name), member_of(&b, name), fmt::format("{}.{}", path, name));
    }
  }
  void map(const ValueForm& form, const json& a, const json& b, const std::string& path) {
    for (const std::string& name : names_in(a, b)) {
      value(form.items(), member_of(&a, name), member_of(&b, name),
            fmt::format("{}.{}", path, name));
    }
  }

  void rows(const ValueForm& form, const json& a, const json& b, const std::string& path) {
    const RowPairs paired(form.items(), a, b);
    std::vector<RowPairs::Pair> pairs = paired.pairs();
    // Rows whose names differ, where each list has as many: their names are what differs.
    std::vector<std::size_t> only_a, only_b;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].second == nullptr) only_a.push_back(i);
      if (pairs[i].first == nullptr) only_b.push_back(i);
    }
    if (only_a.size() == only_b.size()) {
      for (std::size_t i = 0; i < only_a.size(); ++i) {
        pairs[only_a[i]].second = std::exchange(pairs[only_b[i]].second, nullptr);
      }
    }
    std::set<std::string> labels;
    for (const auto& [first, second] : pairs) {
      if (first == nullptr && second == nullptr) continue;
      std::string label = paired.label_of(first != nullptr ? *first : *second);
      for (int copy = 2; !labels.insert(label).second; ++copy) {
        label = fmt::format("{}#{}", paired.label_of(first != nullptr ? *first : *second), copy);
      }
      value(form.items(), first, second, fmt::format("{}.{}", path, label));
    }
  }

  const std::function<void(const ValuePair& pair)>& visit_;
};

}  // namespace

std::string difference_of(const ValueForm& form, const json& a, const json& b) {
  if (a == b) return "=";
  if (!a.is_number() || !b.is_number()) return "differs";
  return (b < a ? "-" : "+") + common::text_of_member(form.name, size_of_change(a, b)) +
         percent_of_change(a, b);
}

json size_of_change(const json& a, const json& b) {
  if (a.is_number_integer() && b.is_number_integer()) {
    return std::abs(b.get<std::int64_t>() - a.get<std::int64_t>());
  }
  return std::abs(b.get<double>() - a.get<double>());
}

std::string percent_of_change(const json& a, const json& b) {
  const double before = a.get<double>();
  if (before == 0) return {};
  return fmt::format(" ({:+.3g} %)", 100 * (b.get<double>() - before) / std::abs(before));
}

bool ValuePair::is_equal() const {
  return a != nullptr && b != nullptr && *a == *b;
}

void for_each_pair(const ValueForm& form, const json& a, const json& b,
                   const std::function<void(const ValuePair& pair)>& visit,
                   const std::string& path) {
  Walk(visit).object(form, a, b, path);
}

}  // namespace kernbench::plot
