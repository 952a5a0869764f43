// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/model_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "common/activity.hpp"
#include "common/diagnostics.hpp"
#include "sim/dut/rtl_names.hpp"

namespace kernbench::sim {

ModelLibrary::ModelLibrary(std::string path, std::string kind, const char* abi_symbol,
                           std::uint32_t abi)
    : path_(std::move(path)), kind_(std::move(kind)) {
  const std::string absolute = std::filesystem::absolute(path_).string();
  // RTLD_LOCAL: the models define classes of the same names.
  void* raw = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (raw == nullptr) {
    const std::string why = dlerror();
    const bool lacks_function = why.find("undefined symbol") != std::string::npos;
    throw common::BadInput(fmt::format(
        "cannot load the model: {}{}", why,
        lacks_function ? "; if the RTL imports this function, name its file with --dpi" : ""));
  }
  handle_ = std::shared_ptr<void>(raw, [](void* handle) { dlclose(handle); });
  const std::uint32_t built_for = function<std::uint32_t (*)()>(abi_symbol)();
  if (built_for != abi) {
    throw common::BadInput(
        fmt::format("{}: built for model interface {}, this program has {}; build the model again",
                    path_, built_for, abi));
  }
  use_names(names());
  if (common::activity_is_shown()) common::report_activity("opened the model " + path_);
}

SourceNames ModelLibrary::names() const {
  return SourceNames::read(std::filesystem::absolute(path_).parent_path());
}

void* ModelLibrary::symbol(const char* name) const {
  void* address = dlsym(handle_.get(), name);
  if (address == nullptr) {
    throw common::BadInput(fmt::format("{}: not a {}: it exports no '{}'", path_, kind_, name));
  }
  return address;
}

}  // namespace kernbench::sim
