// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/key_places.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::common {

/// Who wrote what is read.
enum class FormUse {
  Input,   ///< a user: members with a default can be missing, and no text is empty
  Report,  ///< the program, or another one in its place
};

/// Reads the root of a document in a form. Reports all that is wrong, and notes the place of each
/// key, such as "suites[1].traffic.load". Returns what is right, as JSON of the form; of a required
/// member that is wrong or missing, the allowed value nearest to 0. A number or a boolean without
/// quotes is not a text. JSON is YAML.
[[nodiscard]] nlohmann::json read_form(const YamlNode& root, const ValueForm& form,
                                       KeyPlaces& places, Diagnostics& diagnostics,
                                       FormUse use = FormUse::Input);

/// Returns whether a number is within a range that its form does not know, and reports one that is
/// not.
[[nodiscard]] bool is_within(std::uint64_t number, Range<std::uint64_t> range,
                             const KeyPlaces::Place& place, Diagnostics& diagnostics);

/// An input of a described type, while the rules that join several of its members are checked:
///
///   Diagnostics diagnostics;
///   const auto document = YamlDocument::load(path, diagnostics);
///   Input<Model> model(document.root(), diagnostics);
///   if (model->experts < model->used) model.error("used", "a token cannot use ...");
///   diagnostics.throw_if_any();
template <typename T>
class Input {
 public:
  /// Reads the document and reports what is wrong with its form.
  Input(const YamlNode& root, Diagnostics& diagnostics, FormUse use = FormUse::Input)
      : diagnostics_(diagnostics) {
    const Description<T>& description = description_of<T>();
    description.read(read_form(root, description.form(), places_, diagnostics, use), value_);
  }

  [[nodiscard]] T& operator*() { return value_; }
  [[nodiscard]] T* operator->() { return &value_; }
  [[nodiscard]] const KeyPlaces& places() const { return places_; }
  [[nodiscard]] bool has(const std::string& key) const { return places_.given(key); }

  /// Returns the names of a map under this key in the order of the file.
  template <typename Map>
  [[nodiscard]] std::vector<std::string> in_file_order(const std::string& key,
                                                       const Map& map) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : map) names.push_back(name);
    std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
      const SourcePosition& left = places_.position(key + "." + a);
      const SourcePosition& right = places_.position(key + "." + b);
      return std::pair(left.line, left.column) < std::pair(right.line, right.column);
    });
    return names;
  }

  /// Returns whether the number at a key that the form has is from `least` to `most`, which the
  /// form does not know, and reports one that is not.
  bool check_within(const std::string& key, std::uint64_t number, std::uint64_t least,
                    std::uint64_t most) {
    return is_within(number, {least, most}, places_.at(key), diagnostics_);
  }
  /// Reports an error at a key, or where it would be.
  void error(const std::string& key, std::string message, std::string hint = {}) {
    diagnostics_.error(places_.position(key), std::move(message), std::move(hint));
  }

 private:
  Diagnostics& diagnostics_;
  KeyPlaces places_;
  T value_{};
};

}  // namespace kernbench::common
