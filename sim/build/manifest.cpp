// SPDX-License-Identifier: Apache-2.0
#include "sim/build/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "sim/build/one_line.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::optional<std::string> content_hash(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  try {
    return common::hex64(common::hash_bytes(common::read_text_file(path)));
  } catch (const common::BadInput&) {
    return std::nullopt;
  }
}

std::string build_hash(const std::string& recipe,
                       const std::vector<std::pair<std::string, std::string>>& files) {
  common::ByteHash hash;
  hash.add(recipe);
  for (const auto& [name, content] : files) {
    for (const std::string* text : {&name, &content}) {
      hash.add(*text);
      hash.add(std::string_view("\0", 1));
    }
  }
  return common::hex64(hash.value());
}

bool is_current(const Manifest& manifest, const std::string& recipe, const SourceNames& names) {
  return manifest.recipe == recipe &&
         std::all_of(manifest.files.begin(), manifest.files.end(),
                     [&](const auto& file) {
                       return content_hash(names.path_of(file.first)) == file.second;
                     }) &&
         std::none_of(manifest.absent.begin(), manifest.absent.end(),
                      [&](const std::string& name) { return is_there(names.path_of(name)); });
}

std::optional<Manifest> read_manifest(const fs::path& path) {
  std::ifstream file(path);
  Manifest manifest;
  if (!std::getline(file, manifest.hash)) return std::nullopt;
  bool is_whole = false;
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "recipe") {
      manifest.recipe = value;
    } else if (key == "file" && value.size() > 17) {
      manifest.files.emplace_back(from_one_line(std::string_view(value).substr(17)),
                                  value.substr(0, 16));
    } else if (key == "absent") {
      manifest.absent.push_back(from_one_line(value));
    } else if (key == "end") {
      is_whole = true;
    } else {
      return std::nullopt;
    }
  }
  // A manifest without files would be current for ever.
  if (!is_whole || manifest.files.empty()) return std::nullopt;
  return manifest;
}

void write_manifest(const fs::path& path, const Manifest& manifest) {
  std::string text = fmt::format("{}\nrecipe {}\n", manifest.hash, manifest.recipe);
  for (const auto& [name, content] : manifest.files) {
    text += fmt::format("file {} {}\n", content, one_line(name));
  }
  for (const std::string& name : manifest.absent)
    text += fmt::format("absent {}\n", one_line(name));
  common::write_file_atomically(path, text + "end\n");
}

std::vector<std::string> files_read(const fs::path& list) {
  // S     12 10953187  1795655200   818647598  1795655200   818647598 "kb_inc/0/cfg/a.svh"
  // Newer versions write a hash before the name, in quotes too.
  std::ifstream file(list);
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("S ")) continue;
    const std::size_t quote = line.find('"');
    if (quote == std::string::npos) continue;
    std::string name = line.substr(quote + 1);
    const std::size_t hash = name.find("\" \"");
    if (hash != std::string::npos &&
        std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(hash),
                    [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; })) {
      name.erase(0, hash + 3);
    }
    // The list does not escape a line break in a name.
    while (!name.ends_with('"') && std::getline(file, line)) name += "\n" + line;
    if (!name.ends_with('"')) continue;
    name.pop_back();
    names.insert(name);
  }
  if (names.empty()) {
    throw common::BadInput(
        fmt::format("{}: Verilator does not tell which files it has read", list.string()));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> names_before(const std::string& file,
                                      const std::vector<std::string>& searched,
                                      const std::vector<std::string>& suffixes) {
  const auto is_in = [&](const std::string& folder) { return file.starts_with(folder + "/"); };
  const auto found = std::find_if(searched.begin(), searched.end(), is_in);
  if (found == searched.end()) return {};
  const std::string name = file.substr(found->size() + 1);
  // It was asked for by its name, or as a module, whose name has no suffix.
  std::set<std::string> asked = {name};
  for (const std::string& suffix : suffixes) {
    if (!suffix.empty() && name.ends_with(suffix)) {
      asked.insert(name.substr(0, name.size() - suffix.size()));
    }
  }
  std::vector<std::string> before;
  for (const std::string& base : asked) {
    for (auto folder = searched.begin(); folder <= found; ++folder) {
      for (const std::string& suffix : suffixes) {
        const std::string candidate = fmt::format("{}/{}{}", *folder, base, suffix);
        if (candidate == file) break;
        before.push_back(candidate);
      }
    }
  }
  return before;
}

}  // namespace kernbench::sim
