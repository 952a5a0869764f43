// SPDX-License-Identifier: Apache-2.0
#include "cli/web/report_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/utf8.hpp"

namespace kernbench::cli::web {

namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
// O_NONBLOCK: opening a FIFO must not block.
constexpr int kFileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
constexpr int kDepth = 4;                // levels of folders to list
constexpr std::size_t kMostFiles = 500;  // number of files to list
constexpr std::size_t kHeadBytes = 2048;
constexpr std::string_view kDatabase = ".db";

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTypes = {
    {{".json", "application/json"},
     {".html", "text/html; charset=utf-8"},
     {".svg", "image/svg+xml"},
     {".txt", "text/plain; charset=utf-8"},
     {".csv", "text/plain; charset=utf-8"},
     {".xml", "text/plain; charset=utf-8"}}};

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return value_; }
  int release() { return std::exchange(value_, -1); }
  void reset(int value) {
    if (value_ >= 0) close(value_);
    value_ = value;
  }

 private:
  int value_ = -1;
};

bool is_plain(std::string_view part) {
  return !part.empty() && part.front() != '.' && part.find('\0') == std::string_view::npos;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = common::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

struct Listed {
  std::string path;
  std::int64_t modified = 0;
  std::uint64_t bytes = 0;
  nlohmann::json facts;  ///< kind, outcome, page and rows as far as they are known
};

std::shared_ptr<const OpenFile> open_regular(int folder, const std::string& name) {
  Descriptor file(openat(folder, name.c_str(), kFileFlags));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  return std::make_shared<OpenFile>(file.release(), status);
}

bool is_regular(int folder, const std::string& name) {
  struct stat status {};
  return fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(status.st_mode);
}

/// Opens the folder of a file below `root` and returns it with the last part of the file's name.
/// Its descriptor is -1 if the name is not allowed or a folder does not exist.
std::pair<Descriptor, std::string> folder_of(const std::filesystem::path& root,
                                             std::string_view name) {
  Descriptor folder(::open(root.c_str(), kFolderFlags));
  for (;;) {
    const std::size_t slash = name.find('/');
    std::string part(name.substr(0, slash));
    if (!is_plain(part)) return {};
    if (slash == std::string_view::npos) return {std::move(folder), std::move(part)};
    folder.reset(openat(folder.get(), part.c_str(), kFolderFlags | O_NOFOLLOW));
    if (folder.get() < 0) return {};
    name.remove_prefix(slash + 1);
  }
}

/// Returns the text value of `key` in the head of a JSON artefact, which contains the envelope.
std::optional<std::string> head_value(const std::string& head, std::string_view key) {
  const std::string start = fmt::format("\"{}\": \"", key);
  const std::size_t at = head.find(start);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = at + start.size();
  const std::size_t to = head.find('"', from);
  if (to == std::string::npos) return std::nullopt;
  return head.substr(from, to - from);
}

nlohmann::json facts_of_head(const std::string& head, const plot::ReportKinds& kinds) {
  nlohmann::json facts = nlohmann::json::object();
  // An envelope begins with "{\n \"schema\"". In other files "kind" has another meaning.
  if (head.find("\"traceEvents\"") != std::string::npos) {
    facts["kind"] = "timeline";
  } else if (head.find("\"schema\"") < 16) {
    if (const auto kind = head_value(head, "kind")) {
      facts["kind"] = *kind;
      const plot::ReportKind* const known = plot::find_kind(kinds, *kind);
      if (known != nullptr) facts["compares"] = true;
      if (known != nullptr && !known->has_own_page) facts["page"] = true;
    }
    if (const auto outcome = head_value(head, "outcome")) facts["outcome"] = *outcome;
  }
  return facts;
}

/// A sweep has the outcome of its worst point, or none while all points have passed and some have
/// not run.
nlohmann::json facts_of_sweep(int folder, const std::string& path) try {
  const farm::Store store(folder, path);
  std::size_t rows = 0;
  common::Outcome worst = common::Outcome::Pass;
  for (const auto& [outcome, count] : store.outcomes()) {
    rows += count;
    worst = common::worst(worst, outcome);
  }
  nlohmann::json facts = {{"kind", "sweep"}, {"rows", rows}};
  const bool is_complete = rows > 0 && rows == store.planned();
  if (is_complete || worst != common::Outcome::Pass) facts["outcome"] = common::name(worst);
  return facts;
} catch (const common::BadInput&) {
  return nlohmann::json::object();
}

/// Lists the reports below `folder`. Takes ownership of `folder`.
void collect(int folder, const std::string& prefix, int depth, const plot::ReportKinds& kinds,
             std::vector<Listed>& files) {
  DIR* entries = fdopendir(folder);
  if (entries == nullptr) {
    close(folder);
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries)) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!is_plain(name) || !is_utf8(name) || files.size() >= kMostFiles) continue;
    const bool is_database = name.ends_with(kDatabase);
    const bool is_report = is_database || !ReportFolder::media_type(name).empty();
    const auto file = is_report ? open_regular(dirfd(entries), name) : nullptr;
    if (file != nullptr) {
      const std::string path = prefix + name;
      nlohmann::json facts = nlohmann::json::object();
      if (is_database) facts = facts_of_sweep(dirfd(entries), path);
      if (name.ends_with(".json")) facts = facts_of_head(file->read(0, kHeadBytes), kinds);
      files.push_back({path, file->modified(), file->bytes(), std::move(facts)});
    }
    if (file != nullptr || depth == 0) continue;
    const int below = openat(dirfd(entries), name.c_str(), kFolderFlags | O_NOFOLLOW);
    if (below >= 0) collect(below, prefix + name + "/", depth - 1, kinds, files);
  }
  closedir(entries);
}

}  // namespace

OpenFile::OpenFile(int descriptor, const struct stat& status)
    : descriptor_(descriptor),
      bytes_(static_cast<std::uint64_t>(status.st_size)),
      modified_(status.st_mtime) {}

OpenFile::~OpenFile() {
  close(descriptor_);
}

std::string OpenFile::read(std::uint64_t offset, std::size_t size) const {
  std::string text(size, '\0');
  const ssize_t got = pread(descriptor_, text.data(), size, static_cast<off_t>(offset));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string_view ReportFolder::media_type(std::string_view name) {
  for (const auto& [extension, type] : kTypes) {
    if (name.ends_with(extension)) return type;
  }
  return {};
}

std::shared_ptr<const OpenFile> ReportFolder::open(std::string_view name) const {
  if (media_type(name).empty()) return nullptr;
  const auto [folder, part] = folder_of(root_, name);
  return folder.get() < 0 ? nullptr : open_regular(folder.get(), part);
}

std::optional<farm::Table> ReportFolder::sweep(std::string_view name) const {
  if (!name.ends_with(kDatabase)) return std::nullopt;
  const auto [folder, part] = folder_of(root_, name);
  if (folder.get() < 0 || !is_regular(folder.get(), part)) return std::nullopt;
  return farm::Store(folder.get(), std::string(name)).table();
}

nlohmann::json ReportFolder::list() const {
  std::vector<Listed> files;
  const int folder = ::open(root_.c_str(), kFolderFlags);
  if (folder >= 0) collect(folder, "", kDepth, kinds_, files);
  std::sort(files.begin(), files.end(), [](const Listed& a, const Listed& b) {
    return std::tuple(-a.modified, std::string_view(a.path)) <
           std::tuple(-b.modified, std::string_view(b.path));
  });
  nlohmann::json json = nlohmann::json::array();
  for (const Listed& listed : files) {
    json.push_back({{"path", listed.path}, {"bytes", listed.bytes}, {"modified", listed.modified}});
    json.back().update(listed.facts);
  }
  return json;
}

}  // namespace kernbench::cli::web
