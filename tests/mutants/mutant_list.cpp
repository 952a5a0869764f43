// SPDX-License-Identifier: Apache-2.0
#include "mutant_list.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::mutants {
namespace fs = std::filesystem;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Edit read_edit(common::YamlMap& map, const fs::path& rtl_dir) {
  Edit edit;
  edit.file = map.string("file");
  edit.find = map.lines("find");
  edit.replace = map.lines("replace");
  if (!fs::is_regular_file(rtl_dir / edit.file)) {
    map.error("file", fmt::format("{} has no file '{}'", rtl_dir.string(), edit.file));
    return edit;
  }
  const std::size_t count = occurrences(common::read_text_file(rtl_dir / edit.file), edit.find);
  if (count != 1) {
    map.error("find",
              fmt::format("occurs {} times in {}, must occur exactly once", count, edit.file));
  }
  return edit;
}

Mutant read_mutant(const common::YamlNode& node, const fs::path& rtl_dir) {
  Mutant mutant;
  common::YamlMap map(node);
  mutant.id = map.string("id");
  mutant.kind = map.string("kind");
  mutant.full_size = map.boolean("full_size", false);
  mutant.survives = map.has("survives") ? map.lines("survives") : "";
  mutant.edits.push_back(read_edit(map, rtl_dir));
  return mutant;
}

}  // namespace

std::vector<Mutant> load_mutants(const std::string& path, const std::string& rtl_dir) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  std::vector<Mutant> mutants;
  {
    common::YamlMap root(document.root());
    std::set<std::string> ids;
    for (const common::YamlNode& node : root.list("mutants", {.min = 1})) {
      mutants.push_back(read_mutant(node, rtl_dir));
      if (!ids.insert(mutants.back().id).second) {
        node.error(fmt::format("a second mutant '{}'", mutants.back().id));
      }
    }
  }
  diagnostics.throw_if_any();
  return mutants;
}

void plant(const Mutant& mutant, const std::string& rtl_dir, const std::string& folder) {
  fs::remove_all(folder);
  common::ensure_directory(folder);
  fs::copy(rtl_dir, folder, fs::copy_options::recursive);
  for (const Edit& edit : mutant.edits) {
    const fs::path file = fs::path(folder) / edit.file;
    std::string text = common::read_text_file(file);
    text.replace(text.find(edit.find), edit.find.size(), edit.replace);
    common::write_file_atomically(file, text);
  }
}

}  // namespace kernbench::mutants
