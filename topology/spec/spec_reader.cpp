// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <list>
#include <utility>

#include "common/key_places.hpp"
#include "common/places.hpp"
#include "common/utf8.hpp"
#include "common/yaml_reader.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/spec_rules.hpp"

namespace kernbench::topology {
namespace {

using common::Diagnostics;
using common::YamlDocument;
using common::YamlMap;
using common::YamlNode;

bool is_identifier(std::string_view text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && is_small(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// Fills the spec from a document, key by key.
class SpecReader : public SpecVisitor {
 public:
  SpecReader(const YamlNode& root, common::KeyPlaces& places, Diagnostics& diagnostics)
      : places_(places), diagnostics_(diagnostics) {
    open_.emplace_back(root, "");
  }

  /// Reports unknown keys of the root; to be called after describe().
  void finish() { end_section(); }

  void begin_section(std::string_view key, std::string_view /*meaning*/) override {
    open_.emplace_back(map(), key, full_name(key));
  }

  void end_section() override {
    Open& closing = open_.back();
    const std::size_t errors = diagnostics_.size();
    closing.map.finish();
    if (diagnostics_.size() != errors) places_.distrust_defaults_below(closing.name);
    open_.pop_back();
  }

  void integer(std::string_view key, std::uint32_t& value, common::Range<std::uint32_t> range,
               std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    value = map().u32(key, range, value);
    note(key, errors);
  }

  void optional_integer(std::string_view key, std::optional<std::uint32_t>& value,
                        common::Range<std::uint32_t> range, std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    if (const auto given = map().node(key)) {
      value.reset();
      if (!given->is_scalar() || given->string("?") != "none") value = given->u32(range, range.min);
    }
    note(key, errors);
  }

  void number(std::string_view key, double& value, common::NumberRange range,
              std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    value = map().number(key, range, value);
    note(key, errors);
  }

  void identifier(std::string_view key, std::string& value, std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    const std::string given = map().string(key, value);
    const auto node = map().node(key);
    if (!is_identifier(given)) {
      map().error(key,
                  fmt::format("'{}' must consist of a-z, 0-9 and _ and start with a letter, not {}",
                              key, common::in_quotes(given)));
    } else if (node && node->is_scalar() && !node->is_text()) {
      node->refuse("text", "put it in quotes");
    } else {
      value = given;
    }
    note(key, errors);
  }

  void position(std::string_view key, PositionMm& value, common::NumberRange range,
                std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    const std::vector<YamlNode> items = map().optional_list(key, {.min = 2, .max = 2});
    if (items.size() == 2)
      value = {items[0].number(range, value.x), items[1].number(range, value.y)};
    note(key, errors);
  }

  void name(std::string_view key, std::size_t& value, std::span<const std::string_view> names,
            std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    value = map().one_of(key, names, value);
    note(key, errors);
  }

  void names(std::string_view key, std::vector<std::size_t>& values,
             std::span<const std::string_view> names, std::size_t min_length,
             std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    if (map().has(key)) {
      values.clear();
      for (const YamlNode& item : map().list(key, {.min = min_length})) {
        add_name(item, names, values);
      }
    }
    note(key, errors);
  }

  void io_chiplets(std::string_view key, std::vector<IoChipletSpec>& chiplets,
                   common::Range<std::size_t> length, std::string_view /*meaning*/) override {
    const std::size_t errors = diagnostics_.size();
    if (map().has(key)) {
      chiplets.clear();
      std::vector<YamlNode> items = map().list(key, length);
      if (items.size() > length.max) items.clear();  // one error is enough
      for (const YamlNode& item : items) {
        open_.emplace_back(item, fmt::format("{}[{}]", full_name(key), chiplets.size()));
        describe(*this, chiplets.emplace_back());
        end_section();
      }
    }
    note(key, errors);
  }

 private:
  struct Open {
    Open(const YamlNode& node, std::string full_name) : map(node), name(std::move(full_name)) {}
    Open(YamlMap& parent, std::string_view key, std::string full_name)
        : map(parent.optional_map(key)), name(std::move(full_name)) {}

    YamlMap map;
    std::string name;
  };

  [[nodiscard]] YamlMap& map() { return open_.back().map; }

  [[nodiscard]] std::string full_name(std::string_view key) const {
    const std::string& section = open_.back().name;
    return section.empty() ? std::string(key) : fmt::format("{}.{}", section, key);
  }

  /// Records the place of a key that was read after `errors_before` errors.
  void note(std::string_view key, std::size_t errors_before) {
    places_.add(full_name(key),
                {map().position(key), map().has(key), diagnostics_.size() == errors_before});
  }

  void add_name(const YamlNode& item, std::span<const std::string_view> names,
                std::vector<std::size_t>& values) {
    const std::size_t errors = diagnostics_.size();
    const std::size_t index = item.one_of(names);
    if (diagnostics_.size() != errors) return;
    if (std::find(values.begin(), values.end(), index) != values.end()) {
      item.error(fmt::format("'{}' is in the list twice", names[index]), "remove one of them");
      return;
    }
    values.push_back(index);
  }

  common::KeyPlaces& places_;
  Diagnostics& diagnostics_;
  std::list<Open> open_;  // a list, as a YamlMap cannot be moved
};

/// Returns the YAML document of a setting: a map within a map for each part of the key.
std::string document_of(std::string_view setting) {
  const std::size_t equals = setting.find('=');
  std::string text;
  std::string indent;
  for (std::string_view key = setting.substr(0, equals);;) {
    const std::size_t dot = key.find('.');
    text += fmt::format("{}{}:", indent, key.substr(0, dot));
    if (dot == std::string_view::npos) break;
    text += '\n';
    indent += "  ";
    key.remove_prefix(dot + 1);
  }
  return fmt::format("{} {}\n", text,
                     equals == std::string_view::npos ? "" : setting.substr(equals + 1));
}

/// Changes the keys that a setting names, by the rules for a file.
void apply_setting(const std::string& setting, TopologySpec& spec, common::KeyPlaces& places,
                   Diagnostics& diagnostics) {
  const std::string name = "--set topology." + setting.substr(0, setting.find('\n'));
  Diagnostics found;
  common::KeyPlaces given;
  try {
    if (setting.find('\n') != std::string::npos) {
      throw common::BadInput("a value of --set must be one line");
    }
    const YamlDocument document = YamlDocument::parse(document_of(setting), name, found);
    SpecReader reader(document.root(), given, found);
    describe(reader, spec);
    reader.finish();
  } catch (const common::BadInput& error) {
    found = error.diagnostics();
  }
  // The document is our own: its lines mean nothing to the user.
  for (const common::Diagnostic& one : found.errors()) {
    diagnostics.error({name, 0, 0}, one.message, one.hint);
  }
  places.replace_given(given, {name, 0, 0});
}

TopologySpec read(const YamlDocument& document, const std::vector<std::string>& settings,
                  Diagnostics& diagnostics) {
  const bool well_formed = diagnostics.empty();
  TopologySpec spec;
  common::KeyPlaces places;
  SpecReader reader(document.root(), places, diagnostics);
  describe(reader, spec);
  reader.finish();
  for (const std::string& setting : settings) apply_setting(setting, spec, places, diagnostics);
  // Without a well-formed document, the rules would report values lost with a duplicate key or an
  // alias.
  if (well_formed) check_spec_rules(spec, places, diagnostics);
  diagnostics.throw_if_any();
  return spec;
}

}  // namespace

TopologySpec load_topology_spec(const std::filesystem::path& path,
                                const std::vector<std::string>& settings) {
  Diagnostics diagnostics;
  return read(YamlDocument::load(common::expand_home(path), diagnostics), settings, diagnostics);
}

TopologySpec parse_topology_spec(std::string_view text, const std::string& name,
                                 const std::vector<std::string>& settings) {
  Diagnostics diagnostics;
  return read(YamlDocument::parse(text, name, diagnostics), settings, diagnostics);
}

}  // namespace kernbench::topology
