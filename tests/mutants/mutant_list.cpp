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

Mutant read_mutant(const common::YamlNode& node, const fs::path& rtl_dir) {
  Mutant mutant;
  common::YamlMap map(node);
  mutant.id = map.string("id");
  mutant.kind = map.string("kind");
  mutant.file = map.string("file");
  mutant.find = map.string("find");
  mutant.replace = map.string("replace");
  mutant.full_size = map.boolean("full_size", false);
  mutant.survives = map.has("survives") ? map.string("survives") : "";
  if (!fs::is_regular_file(rtl_dir / mutant.file)) {
    map.error("file", fmt::format("{} has no file '{}'", rtl_dir.string(), mutant.file));
    return mutant;
  }
  const std::size_t count = occurrences(common::read_text_file(rtl_dir / mutant.file), mutant.find);
  if (count != 1) {
    map.error("find",
              fmt::format("occurs {} times in {}, must occur exactly once", count, mutant.file));
  }
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
  const fs::path file = fs::path(folder) / mutant.file;
  std::string text = common::read_text_file(file);
  text.replace(text.find(mutant.find), mutant.find.size(), mutant.replace);
  common::write_file_atomically(file, text);
}

}  // namespace kernbench::mutants
