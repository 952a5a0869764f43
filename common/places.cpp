// SPDX-License-Identifier: Apache-2.0
#include "common/places.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>

namespace kernbench::common {
namespace {

namespace fs = std::filesystem;

bool has(const fs::path& folder, const char* name) {
  std::error_code unreadable;
  return fs::exists(folder / name, unreadable);
}

/// Returns the value of an environment variable that is an absolute path; empty otherwise.
fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): never set
  fs::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : fs::path();
}

}  // namespace

fs::path running_program() {
  std::error_code unreadable;
  fs::path program = fs::read_symlink("/proc/self/exe", unreadable);
  if (!unreadable) return program;
  // Without /proc, as in a bare chroot: the path by which the kernel was asked to start the
  // program.
  // The kernel gives the address as a number.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return fs::canonical(started == nullptr ? "" : started, unreadable);
}

std::optional<DataFolder> find_data_folder(const fs::path& program, const fs::path& named) {
  const fs::path installed = program.parent_path().parent_path() / "share" / "kernbench";
  if (has(installed, "Makefile.verilator")) return DataFolder{installed, false};
  for (fs::path around = program.parent_path(); around.has_relative_path();
       around = around.parent_path()) {
    if (is_checkout(around)) return DataFolder{around, true};
  }
  if (!named.empty() && has(named, "Makefile.verilator")) {
    return DataFolder{fs::absolute(named).lexically_normal(), is_checkout(named)};
  }
  return std::nullopt;
}

bool is_checkout(const fs::path& folder) {
  return has(folder, "Makefile.verilator") && has(folder, "CMakeLists.txt");
}

std::optional<fs::path> user_cache_folder() {
  if (const fs::path cache = folder_in("XDG_CACHE_HOME"); !cache.empty()) {
    return cache / "kernbench";
  }
  if (const fs::path home = folder_in("HOME"); !home.empty()) return home / ".cache" / "kernbench";
  return std::nullopt;
}

std::string default_models_folder(const DataFolder& data) {
  const auto cache = user_cache_folder();
  const bool beside = data.checkout && is_writable_folder(data.path);
  if (beside) return seen_from_here(data.path / "build" / "models");
  if (!cache) return "build/models";
  return seen_from_here(*cache / "models");
}

bool is_writable_folder(const fs::path& folder) {
  return faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

std::string seen_from_here(const fs::path& path) {
  std::error_code gone;
  const fs::path here = fs::current_path(gone);
  if (gone) return path.string();
  const fs::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

fs::path expand_home(const fs::path& path) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set
  if (home == nullptr || path.empty() || *path.begin() != "~") return path;
  fs::path expanded = home;
  for (auto part = std::next(path.begin()); part != path.end(); ++part) expanded /= *part;
  return expanded;
}

}  // namespace kernbench::common
