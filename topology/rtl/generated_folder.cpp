// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/generated_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // renameat2

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/temporary_files.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;
using common::BadInput;

/// Returns the text of a file of the folder, which is an output of the command, or nothing.
std::optional<std::string> bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string list_of(const std::vector<GeneratedFile>& files) {
  std::string list;
  for (const GeneratedFile& file : files) {
    list += fmt::format("{} {}\n", common::hex64(common::hash_bytes(file.text)), file.name);
  }
  return list;
}

/// Reads the list of a folder: hashes by name.
std::map<std::string, std::string> hashes_in(const fs::path& folder) {
  std::map<std::string, std::string> hashes;
  std::istringstream lines(bytes_of(folder / kGeneratedList).value_or(""));
  std::string hash;
  std::string name;
  while (lines >> hash && std::getline(lines >> std::ws, name)) hashes[name] = hash;
  return hashes;
}

/// Returns the names of a folder in order.
std::set<std::string> names_of_folder(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// Throws BadInput unless the folder holds only what a generator wrote.
void require_ours(const fs::path& folder) {
  const std::map<std::string, std::string> hashes = hashes_in(folder);
  common::Diagnostics wrong;
  for (const std::string& name : names_of_folder(folder)) {
    if (name == kGeneratedList && !hashes.empty()) continue;
    const fs::path path = folder / name;
    const auto known = hashes.find(name);
    if (known == hashes.end() || !fs::is_regular_file(fs::symlink_status(path))) {
      wrong.error({}, fmt::format("{} was not generated; name another folder, or move it away",
                                  path.string()));
    } else if (known->second != common::hex64(common::hash_bytes(bytes_of(path).value_or("")))) {
      wrong.error({}, fmt::format("{} was edited by hand; name another folder, or delete it",
                                  path.string()));
    }
  }
  wrong.throw_if_any();
}

[[noreturn]] void fail_to_write(const fs::path& folder, int reason) {
  throw BadInput(fmt::format("cannot write {}: {}", folder.string(), std::strerror(reason)));
}

/// Puts the new folder in the place of `folder`. What was there gets the temporary name.
void put_in_place(const fs::path& temporary, const fs::path& folder) {
  const unsigned flags = fs::exists(folder) ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, folder.c_str(), flags) != 0) {
    fail_to_write(folder, errno);
  }
}

}  // namespace

void write_generated_folder(const fs::path& given, const std::vector<GeneratedFile>& files) {
  const fs::path folder = fs::absolute(common::followed_links(common::expand_home(given)) / "")
                              .lexically_normal()
                              .parent_path();
  const fs::file_status status = fs::status(folder);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw BadInput(fmt::format("{} is not a folder", given.string()));
  }
  try {
    if (fs::exists(status)) require_ours(folder);
    common::ensure_directory(folder.parent_path());
    const common::TemporaryFolder temporary(folder);
    const fs::path part = temporary.path();
    for (const GeneratedFile& file : files) {
      common::write_file_atomically(part / file.name, file.text);
    }
    common::write_file_atomically(part / kGeneratedList, list_of(files));
    put_in_place(part, folder);
  } catch (const std::system_error& error) {
    fail_to_write(given, error.code().value());
  }
}

std::vector<std::string> differences_of_folder(const fs::path& given,
                                               const std::vector<GeneratedFile>& files) {
  const fs::path folder = common::expand_home(given);
  if (!fs::is_directory(folder)) {
    throw BadInput(fmt::format("{} is not a folder", given.string()));
  }
  const std::map<std::string, std::string> hashes = hashes_in(folder);
  std::set<std::string> others = names_of_folder(folder);
  others.erase(kGeneratedList);
  std::vector<std::string> differences;
  for (const GeneratedFile& file : files) {
    others.erase(file.name);
    const std::optional<std::string> text = bytes_of(folder / file.name);
    if (text == file.text) continue;
    const auto known = hashes.find(file.name);
    const bool edited =
        text && known != hashes.end() && known->second != common::hex64(common::hash_bytes(*text));
    differences.push_back(fmt::format("{}: {}", file.name,
                                      !text    ? "missing"
                                      : edited ? "edited by hand"
                                               : "generated from something else"));
  }
  for (const std::string& name : others) {
    differences.push_back(fmt::format("{}: not generated", name));
  }
  if (differences.empty() && bytes_of(folder / kGeneratedList) != list_of(files)) {
    differences.push_back(fmt::format("{}: edited by hand", kGeneratedList));
  }
  return differences;
}

}  // namespace kernbench::topology
