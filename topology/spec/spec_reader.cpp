// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_reader.hpp"

#include <fmt/format.h>

#include <iterator>

#include "common/form_reader.hpp"
#include "common/key_places.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/spec_rules.hpp"

namespace kernbench::topology {
namespace {

using common::Diagnostics;
using common::YamlDocument;

/// Sets what a document has, and reports all that is wrong with its form.
void read_onto(TopologySpec& spec, const YamlDocument& document, common::KeyPlaces& places,
               Diagnostics& diagnostics) {
  const auto& description = common::description_of<TopologySpec>();
  description.read(common::read_form(document.root(), description.form(), places, diagnostics),
                   spec);
}

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
    read_onto(spec, document, given, found);
  } catch (const common::BadInput& error) {
    found = error.diagnostics();
  }
  // The document is our own: its lines mean nothing to the user.
  for (const common::Diagnostic& diagnostic : found.errors()) {
    diagnostics.error({name, 0, 0}, diagnostic.message, diagnostic.hint);
  }
  places.replace_given(given, {name, 0, 0});
}

TopologySpec read(const YamlDocument& document, const std::filesystem::path& folder,
                  const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  const bool well_formed = diagnostics.empty();
  TopologySpec spec;
  common::KeyPlaces places;
  read_onto(spec, document, places, diagnostics);
  for (const std::string& setting : settings) apply_setting(setting, spec, places, diagnostics);
  load_noc_topologies(spec, folder, places, diagnostics);
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
  const std::filesystem::path file = common::expand_home(path);
  return read(YamlDocument::load(file, diagnostics), file.parent_path(), settings, diagnostics);
}

std::vector<std::filesystem::path> topology_files(const std::filesystem::path& path,
                                                  const std::vector<std::string>& settings) {
  const common::ReadFiles read;
  (void)load_topology_spec(path, settings);
  return {std::next(read.paths().begin()), read.paths().end()};
}

TopologySpec parse_topology_spec(std::string_view text, const std::string& name,
                                 const std::vector<std::string>& settings) {
  Diagnostics diagnostics;
  return read(YamlDocument::parse(text, name, diagnostics), {}, settings, diagnostics);
}

}  // namespace kernbench::topology
