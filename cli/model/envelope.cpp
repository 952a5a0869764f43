// SPDX-License-Identifier: Apache-2.0
#include "cli/model/envelope.hpp"

#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "model/plugin/plugin.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {

common::ReportEnvelope topology_envelope(std::string_view kind, common::Outcome outcome,
                                         const std::string& spec, const Invocation& invocation,
                                         const std::vector<std::string>& settings) {
  common::ReportEnvelope report;
  report.kind = kind;
  report.outcome = outcome;
  std::string inputs = common::read_text_file(common::expand_home(spec));
  for (const auto& file : topology::topology_files(spec, topology_settings(settings))) {
    inputs += "\n" + common::read_text_file(file);
  }
  for (const std::string& setting : settings) inputs += "\n" + setting;
  report.config_hash = common::hex64(common::hash_bytes(inputs));
  report.revision = source_revision();
  report.plugins = reported_plugins();
  report.command = invocation.command_line();
  return report;
}

std::vector<std::string> with_sources(std::vector<std::string> settings,
                                      const std::map<std::string, std::string>& sources) {
  for (const auto& [name, hash] : sources) settings.push_back("source " + name + " " + hash);
  return settings;
}

std::vector<common::ReportedPlugin> reported_plugins() {
  std::vector<common::ReportedPlugin> plugins;
  for (const model::plugin::Plugin& plugin : model::plugin::loaded_plugins()) {
    plugins.push_back({plugin.name, plugin.version, plugin.hash});
  }
  return plugins;
}

}  // namespace kernbench::cli
