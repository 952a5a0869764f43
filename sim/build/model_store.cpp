// SPDX-License-Identifier: Apache-2.0
#include "sim/build/model_store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/file_lock.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/text_file.hpp"
#include "sim/build/model_builder.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

/// The start of the end of the name of a folder with other RTL.
constexpr std::string_view kOtherRtl = "-rtl-";

/// Returns the end of the name of the folder of a model of other RTL, which tells users apart whose
/// RTL is in different places.
std::string folder_suffix(const BuildSettings& settings) {
  if (settings.rtl.empty()) return "";
  return std::string(kOtherRtl) +
         common::hex64(common::hash_bytes(settings.rtl.arguments())).substr(0, 8) +
         (settings.assertions ? "" : "-noassert");
}

std::string shape_text(const maze::Shape& shape) {
  return fmt::format("{}x{}x{}", shape.nx, shape.ny, shape.flit_w);
}

/// Returns what `known` returns, and the file list. A file that has gone makes a state of its own.
SourceState with_list(const RtlRequest& rtl, const std::function<SourceState()>& known) {
  SourceState state;
  try {
    state = known();
  } catch (const common::BadInput& error) {
    state[""] = error.what();
  }
  if (!rtl.filelist.empty()) state[rtl.filelist] = content_hash(rtl.filelist).value_or("");
  return state;
}

common::FileLock lock(const std::string& folder) {
  return {fs::path(folder) / ".lock", "builds this model"};
}

}  // namespace

ModelStore::ModelStore(std::string root, const std::string& folder)
    : root_(std::move(root)), folder_(fs::absolute(folder).lexically_normal().string()) {}

BuildSettings ModelStore::settings_of(const ModelRequest& request) const {
  BuildSettings settings = settings_of_environment();
  settings.shape = request.shape;
  settings.checkers = request.checkers;
  settings.trace = request.trace;
  settings.primitive = request.primitive;
  if (!request.rtl.shipped()) {
    settings.assertions = request.rtl.assertions;
    settings.rtl = find_rtl(request.rtl, root_ + "/rtl/topo.f");
  }
  return settings;
}

BuildSettings ModelStore::network_settings(const NetworkRequest& request) const {
  BuildSettings settings = settings_of_environment();
  settings.device = Device::Network;
  settings.shape = request.shape;
  settings.high_bound = request.high_bound;
  settings.fixed = request.fixed_priority;
  settings.node_checkers = request.checkers;
  if (!request.rtl.shipped()) {
    settings.links = false;
    settings.assertions = request.rtl.assertions;
    RtlRequest rtl = request.rtl;
    if (!rtl.folder.empty()) {
      rtl.filelist = rtl.folder + "/network/maze.f";
      rtl.folder.clear();
    }
    settings.rtl = find_rtl(rtl, root_ + "/rtl/topo.f");
  }
  return settings;
}

std::string ModelStore::model_folder(const ModelRequest& request,
                                     const BuildSettings& settings) const {
  const char* variant = request.primitive ? "-primitive" : request.checkers ? "" : "-bare";
  return fmt::format("{}/{}{}{}{}", folder_, shape_text(request.shape), folder_suffix(settings),
                     variant, request.trace ? "-trace" : "");
}

std::string ModelStore::network_folder(const BuildSettings& settings) const {
  std::string name = "network-" + shape_text(settings.shape);
  if (settings.high_bound != NetworkRequest{}.high_bound) {
    name += fmt::format("-bound{}", settings.high_bound);
  }
  if (settings.fixed) name += "-fixed";
  if (settings.node_checkers) name += "-checkers";
  return fmt::format("{}/{}{}", folder_, name, folder_suffix(settings));
}

BuildSettings ModelStore::noc_settings(const NocRequest& request) const {
  BuildSettings settings = settings_of_environment();
  settings.device = Device::Noc;
  settings.nodes = request.nodes;
  settings.channels = request.channels;
  settings.vcs = request.vcs;
  settings.flit_bits = request.flit_bits;
  settings.checkers = request.checkers;
  settings.assertions = request.rtl.assertions;
  settings.rtl = find_rtl(request.rtl, root_ + "/rtl/topo.f");
  return settings;
}

std::string ModelStore::noc_folder(const NocRequest& request, const BuildSettings& settings) const {
  return fmt::format("{}/noc-{}{}{}", folder_, request.name, folder_suffix(settings),
                     request.checkers ? "" : "-bare");
}

std::string ModelStore::library_path(const ModelRequest& request) const {
  return model_folder(request, settings_of(request)) + "/libmaze_model.so";
}

std::string ModelStore::ensure(const std::string& folder, const BuildSettings& settings,
                               const std::string& what) const {
  ModelBuilder builder(root_, folder, settings, what);
  const common::FileLock locked = lock(folder);
  const common::Progress progress([&what] {
    return common::ProgressState{std::nullopt, "building " + what};
  });
  const std::size_t rtl = folder.rfind(kOtherRtl);
  if (!settings.rtl.empty() && !builder.is_current()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      const std::string other = entry.path().string();
      if (other != folder && other.starts_with(folder.substr(0, rtl + kOtherRtl.size())) &&
          builder.adopt(entry.path())) {
        break;
      }
    }
  }
  builder.build();
  return builder.library().string();
}

ElaboratedDesign ModelStore::ensure_design(const std::string& folder, const BuildSettings& settings,
                                           const std::string& what) const {
  ModelBuilder builder(root_, folder, settings, what);
  const common::FileLock locked = lock(folder);
  const common::Progress progress([&what] {
    return common::ProgressState{std::nullopt, "building " + what};
  });
  return {folder, builder.elaborate()};
}

std::string ModelStore::ensure(const ModelRequest& request) const {
  const BuildSettings settings = settings_of(request);
  return ensure(model_folder(request, settings), settings,
                request.primitive
                    ? "the IRS_N model"
                    : fmt::format("the {}x{} TOPO model", request.shape.nx, request.shape.ny));
}

bool ModelStore::is_current(const ModelRequest& request) const {
  const BuildSettings settings = settings_of(request);
  return ModelBuilder(root_, model_folder(request, settings), settings, "").is_current();
}

bool ModelStore::is_network_current(const NetworkRequest& request) const {
  const BuildSettings settings = network_settings(request);
  return ModelBuilder(root_, network_folder(settings), settings, "").is_current();
}

SourceState ModelStore::sources(const ModelRequest& request) const {
  return with_list(request.rtl, [&] {
    const BuildSettings settings = settings_of(request);
    return ModelBuilder(root_, model_folder(request, settings), settings, "").sources();
  });
}

SourceState ModelStore::network_sources(const NetworkRequest& request) const {
  return with_list(request.rtl, [&] {
    const BuildSettings settings = network_settings(request);
    return ModelBuilder(root_, network_folder(settings), settings, "").sources();
  });
}

std::string ModelStore::ensure_network(const NetworkRequest& request) const {
  const BuildSettings settings = network_settings(request);
  return ensure(network_folder(settings), settings,
                fmt::format("the {}x{} network model", request.shape.nx, request.shape.ny));
}

std::string ModelStore::ensure_noc(const NocRequest& request) const {
  const BuildSettings settings = noc_settings(request);
  return ensure(noc_folder(request, settings), settings,
                fmt::format("the model of {}", request.name));
}

bool ModelStore::is_noc_current(const NocRequest& request) const {
  const BuildSettings settings = noc_settings(request);
  return ModelBuilder(root_, noc_folder(request, settings), settings, "").is_current();
}

SourceState ModelStore::noc_sources(const NocRequest& request) const {
  return with_list(request.rtl, [&] {
    const BuildSettings settings = noc_settings(request);
    return ModelBuilder(root_, noc_folder(request, settings), settings, "").sources();
  });
}

ElaboratedDesign ModelStore::ensure_noc_design(const NocRequest& request) const {
  const BuildSettings settings = noc_settings(request);
  return ensure_design(noc_folder(request, settings), settings,
                       fmt::format("the dump of {}", request.name));
}

ElaboratedDesign ModelStore::ensure_network_design(const maze::Shape& shape,
                                                   const RtlRequest& rtl) const {
  BuildSettings settings = network_settings({.shape = shape, .rtl = rtl});
  settings.links = false;  // the bench looks into the network for them
  return ensure_design(network_folder(settings), settings,
                       fmt::format("the dump of the {}x{} network", shape.nx, shape.ny));
}

ElaboratedDesign ModelStore::ensure_design(const ModelRequest& request) const {
  const BuildSettings settings = settings_of(request);
  return ensure_design(
      model_folder(request, settings), settings,
      fmt::format("the dump of the {}x{} TOPO", request.shape.nx, request.shape.ny));
}

std::string ModelStore::ensure_traced(const std::string& library,
                                      const std::string& build_hash) const {
  const fs::path plain = fs::absolute(library).lexically_normal().parent_path();
  const fs::path file = plain / "settings";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw common::BadInput(
        fmt::format("{}: nothing beside it tells how it was built (there is no file '{}'); build "
                    "it again with `kernbench model`",
                    library, file.string()));
  }
  BuildSettings settings = parse_settings(common::read_text_file(file), file.string());
  const std::string what = "the model with waves";
  {
    const ModelBuilder builder(root_, plain, settings, what);
    if (builder.source_hash() != build_hash) {
      throw common::BadInput(fmt::format(
          "{}: its sources, the bench or the tools have changed since it was built", library));
    }
  }
  settings.trace = true;
  return ensure(plain.string() + "-trace", settings, what);
}

}  // namespace kernbench::sim
