// SPDX-License-Identifier: Apache-2.0
#include "model/plugin/plugin.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "common/activity.hpp"
#include "common/crash_handler.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/registration.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"
#include "model/ccl/algorithm.hpp"
#include "model/ccl/collective.hpp"
#include "model/ccl/neighbor_kind.hpp"
#include "model/plugin/plugin_abi.hpp"
#include "model/plugin/plugin_file.hpp"

namespace kernbench::model::plugin {
namespace {

std::vector<Plugin>& loaded() {
  static std::vector<Plugin> all;
  return all;
}

/// Returns "plugin 'mine' 1.0 (./libmine.so)".
std::string label_of(const Plugin& plugin) {
  return fmt::format("plugin {} {} ({})", common::in_quotes(plugin.name),
                     common::printable(plugin.version, 40), plugin.path);
}

/// Returns dlopen's last message without the path at its front, and with the function that it names
/// in C++ instead of mangled.
std::string loader_message(const std::string& path) {
  std::string message = dlerror();
  if (message.starts_with(path + ": ")) message.erase(0, path.size() + 2);
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = message.find(kUndefined);
  if (at == std::string::npos) return message;
  const std::size_t begin = at + kUndefined.size();
  const std::size_t end = std::min(message.find_first_of(" ,("), message.size());
  const std::string symbol = message.substr(begin, end < begin ? std::string::npos : end - begin);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return fmt::format(
      "undefined symbol: {}; the headers of kernbench mark what a plugin may use by KERNBENCH_API",
      status == 0 ? readable.get() : symbol);
}

/// Loads one library. Returns its errors.
std::vector<std::string> load(const std::string& path) {
  const std::string file = common::read_text_file(path);
  if (!is_shared_library(file)) {
    return {fmt::format("'{}' is not a shared library of this machine", path)};
  }
  const auto facts = read_facts(file);
  if (!facts) {
    return {fmt::format("'{}' is not a plugin: it has no KERNBENCH_PLUGIN(\"name\", \"version\")",
                        path)};
  }
  const Plugin plugin{facts->name, facts->version, path, common::hex64(common::hash_bytes(file))};
  const std::string label = label_of(plugin);
  if (facts->api_hash != api_hash()) {
    return {fmt::format(
        "{} was built against headers {}, but this kernbench has headers {}; rebuild it against "
        "the headers of this kernbench",
        label, common::printable(facts->api_hash, 40), api_hash())};
  }
  if (facts->abi != KERNBENCH_ABI) {
    return {fmt::format(
        "{} was compiled for {}, but this kernbench for {}; compile it with the options of "
        "KernBench::api",
        label, common::printable(facts->abi, 200), KERNBENCH_ABI)};
  }
  const auto same = std::find_if(loaded().begin(), loaded().end(),
                                 [&](const Plugin& other) { return other.name == plugin.name; });
  if (same != loaded().end()) {
    return {fmt::format("{}: a plugin of this name is already loaded from {}", label, same->path)};
  }

  const std::string absolute = std::filesystem::absolute(path).string();
  common::name_library(absolute, label);
  common::RegistrationErrors refused;
  if (dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    return {fmt::format("{} cannot be loaded: {}", label, loader_message(absolute))};
  }
  loaded().push_back(plugin);
  if (common::activity_is_shown()) common::report_activity("loaded " + label);
  std::vector<std::string> errors;
  for (const std::string& message : refused.messages()) {
    errors.push_back(fmt::format("{}: {}", label, message));
  }
  return errors;
}

/// Returns what is missing in collectives and their algorithms: entries refer to others by name, in
/// any order of registration.
std::vector<std::string> faults_of_collectives() {
  std::vector<std::string> faults;
  for (const ccl::NeighborKind* const kind : ccl::neighbor_kinds()) {
    if (kind->of == nullptr) {
      faults.push_back(fmt::format("the neighbour kind '{}' has no function", kind->name));
    }
  }
  for (const ccl::Collective* const one : ccl::collectives()) {
    if (one->input_blocks == nullptr || one->output_blocks == nullptr || one->after == nullptr) {
      faults.push_back(
          fmt::format("the collective '{}' lacks a function of its contract: "
                      "input_blocks, output_blocks and after are needed",
                      one->name));
    }
    if (ccl::algorithms_of(one->name).empty()) {
      faults.push_back(fmt::format("the collective '{}' has no algorithm", one->name));
    }
  }
  for (const ccl::Algorithm* const algorithm : ccl::algorithms()) {
    const auto refuse = [&](const std::string& what) {
      faults.push_back(fmt::format("the algorithm '{}' {}", algorithm->name, what));
    };
    if (algorithm->kernel == nullptr) refuse("has no kernel");
    if (ccl::find_collective(algorithm->collective) == nullptr) {
      refuse(fmt::format("is for the collective '{}', which is unknown", algorithm->collective));
    }
    if (algorithm->neighbors.empty()) refuse("has no neighbour kind");
    for (const std::string& kind : algorithm->neighbors) {
      if (ccl::find_neighbor_kind(kind) == nullptr) {
        refuse(fmt::format("needs the neighbour kind '{}', which is unknown", kind));
      }
    }
  }
  return faults;
}

}  // namespace

void load_plugins(const std::vector<std::string>& paths) {
  common::Diagnostics diagnostics;
  for (const std::string& path : paths) {
    try {
      for (std::string& error : load(path)) diagnostics.error({}, "--plugin: " + std::move(error));
    } catch (const common::BadInput& unreadable) {
      for (const common::Diagnostic& error : unreadable.diagnostics().errors()) {
        diagnostics.error({}, "--plugin: " + error.message);
      }
    }
  }
  diagnostics.throw_if_any();
  for (const std::string& fault : faults_of_collectives()) {
    diagnostics.error({}, "--plugin: " + fault);
  }
  diagnostics.throw_if_any();
}

const std::vector<Plugin>& loaded_plugins() {
  return loaded();
}

}  // namespace kernbench::model::plugin
