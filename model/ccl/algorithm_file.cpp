// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/algorithm_file.hpp"

#include <deque>
#include <mutex>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"

namespace kernbench::model::ccl {
namespace {

namespace fs = std::filesystem;

ReadAlgorithm g_read = nullptr;

/// A version of a file. Runs may use an older one than the last.
struct Version {
  AlgorithmOfFile read;
  std::map<std::string, std::string> hashes;
};

/// The files that have been read, by path and name.
struct KnownFiles {
  std::recursive_mutex guard;
  std::map<std::pair<fs::path, std::string>, std::deque<Version>> versions;
};
KnownFiles& known_files() {
  static KnownFiles known;
  return known;
}

/// Returns the version of a file that stated an algorithm, or null.
const Version* version_of(const Algorithm& algorithm) {
  KnownFiles& known = known_files();
  const std::lock_guard lock(known.guard);
  for (const auto& [file, versions] : known.versions) {
    for (const Version& version : versions) {
      if (&version.read.algorithm == &algorithm) return &version;
    }
  }
  return nullptr;
}

}  // namespace

std::map<std::string, std::string> source_hashes(const std::vector<std::string>& files) {
  std::map<std::string, std::string> hashes;
  if (files.empty()) return hashes;
  const fs::path folder = fs::absolute(files.front()).parent_path();
  for (const std::string& file : files) {
    const std::string name = fs::absolute(file).lexically_relative(folder).string();
    hashes[name] = common::hex64(common::hash_bytes(common::read_text_file(file)));
  }
  return hashes;
}

void read_algorithms_by(ReadAlgorithm read) {
  g_read = read;
}

bool is_algorithm_file(std::string_view name) {
  return name.ends_with(".py");
}

const Algorithm* algorithm_of_file(const fs::path& path, const std::string& name) {
  if (g_read == nullptr) throw common::BadInput("files of algorithms need the benches");
  KnownFiles& known = known_files();
  const std::lock_guard lock(known.guard);
  (void)common::read_text_file(path);  // throws for one that cannot be read
  std::deque<Version>& versions = known.versions[{fs::weakly_canonical(path), name}];
  if (versions.empty() || source_hashes(versions.back().read.files) != versions.back().hashes) {
    Version version{g_read(path.string(), name), {}};
    version.hashes = source_hashes(version.read.files);
    versions.push_back(std::move(version));
  }
  return &versions.back().read.algorithm;
}

std::vector<std::string> files_of(const Algorithm& algorithm) {
  const Version* const version = version_of(algorithm);
  return version == nullptr ? std::vector<std::string>{} : version->read.files;
}

std::map<std::string, std::string> sources_of(const Algorithm& algorithm) {
  const Version* const version = version_of(algorithm);
  return version == nullptr ? std::map<std::string, std::string>{} : version->hashes;
}

}  // namespace kernbench::model::ccl
