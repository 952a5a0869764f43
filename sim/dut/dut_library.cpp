// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/dut_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "common/activity.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::sim {
namespace {

template <typename Function>
Function symbol(void* handle, const std::string& path, const char* name) {
  void* address = dlsym(handle, name);
  if (address == nullptr) {
    throw common::BadInput(fmt::format("{}: not a TOPO model: it exports no '{}'", path, name));
  }
  return reinterpret_cast<Function>(address);
}

}  // namespace

DutLibrary DutLibrary::open(const std::string& path) {
  const std::string absolute = std::filesystem::absolute(path).string();
  // RTLD_LOCAL: the models define classes of the same names.
  void* raw = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (raw == nullptr) throw common::BadInput(fmt::format("cannot load the model: {}", dlerror()));
  std::shared_ptr<void> handle(raw, [](void* h) { dlclose(h); });
  const auto abi = symbol<DutAbiFunction>(raw, path, kDutAbiSymbol)();
  if (abi != kDutAbi) {
    throw common::BadInput(
        fmt::format("{}: built for model interface {}, this program has {}; build the model again",
                    path, abi, kDutAbi));
  }
  if (common::activity_is_shown()) common::report_activity("opened the model " + path);
  return {path, handle, symbol<CreateDutFunction>(raw, path, kCreateDutSymbol)};
}

std::shared_ptr<MazeDut> DutLibrary::create(std::uint64_t seed) const {
  return {create_(seed), [handle = handle_](MazeDut* dut) { delete dut; }};
}

}  // namespace kernbench::sim
