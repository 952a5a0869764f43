// SPDX-License-Identifier: Apache-2.0
#include "common/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "common/activity.hpp"
#include "common/declared_outputs.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::common {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw BadInput(fmt::format("cannot write '{}': {}", path.string(), reason));
}

[[noreturn]] void refuse(const fs::path& path, int error) {
  refuse(path, std::generic_category().message(error));
}

/// Descriptor of the former standard output after reserve_standard_output(), or -1.
int g_standard_output = -1;

/// A file whose text is complete.
struct CompleteFile {
  fs::path path;
  std::unique_ptr<TemporaryFile> temporary;  ///< null if it was written directly
};

/// Declared outputs that commit_declared_outputs() has not renamed yet.
std::vector<CompleteFile> g_held_back;

void put_in_place(const CompleteFile& file) {
  try {
    if (file.temporary != nullptr) file.temporary->become_target();
  } catch (const std::system_error& failed) {
    refuse(file.path, failed.code().value());
  }
  if (activity_is_shown()) report_activity("wrote " + file.path.string());
}

/// Returns a copy of the descriptor of standard output or error if that is the file, otherwise -1.
/// A second descriptor of its own would write over what the program prints.
int open_standard_stream(const struct stat& file) {
  for (std::FILE* stream : {stdout, stderr}) {
    struct stat open {};
    if (fstat(fileno(stream), &open) != 0) continue;
    if (open.st_dev != file.st_dev || open.st_ino != file.st_ino) continue;
    std::fflush(stream);
    return fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3);
  }
  return -1;
}

}  // namespace

DescriptorBuffer::DescriptorBuffer() {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

int DescriptorBuffer::close() {
  (void)DescriptorBuffer::sync();  // the destructor calls this
  if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  return error_;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int DescriptorBuffer::sync() {
  const char* from = pbase();
  while (error_ == 0 && from != pptr()) {
    const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
    if (written >= 0) {
      from += written;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

fs::path followed_links(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // as Linux
  if (path.empty()) throw BadInput("cannot write a file: its path is empty");
  fs::path followed = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    std::error_code error;
    const bool is_link = fs::is_symlink(fs::symlink_status(followed, error));
    if (!is_link) return followed;
    const fs::path next = fs::read_symlink(followed, error);
    if (error) refuse(path, error.value());
    followed = followed.parent_path() / next;  // an absolute one replaces the parent
  }
  refuse(path, ELOOP);
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  if (path_.empty()) (void)followed_links(path_);  // refuses it
  if (opened_directly()) return;
  target_ = followed_links(path_);
  open_temporary();
}

void reserve_standard_output() {
  std::fflush(stdout);
  g_standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (g_standard_output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) refuse("-", errno);
}

bool AtomicFile::opened_directly() {
  if (path_ == "-") {
    std::fflush(stdout);
    const int reserved = g_standard_output < 0 ? STDOUT_FILENO : g_standard_output;
    const int copy = fcntl(reserved, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) refuse(path_, errno);
    buffer_.open(copy);
    return true;
  }
  struct stat file {};
  if (stat(path_.c_str(), &file) != 0) {
    if (errno == ENOENT) return false;
    refuse(path_, errno);
  }
  if (S_ISDIR(file.st_mode)) refuse(path_, EISDIR);
  int descriptor = open_standard_stream(file);
  if (descriptor < 0 && S_ISREG(file.st_mode)) return false;
  if (descriptor < 0) descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(path_, errno);
  buffer_.open(descriptor);
  return true;
}

void AtomicFile::open_temporary() {
  try {
    temporary_ = std::make_unique<TemporaryFile>(target_);
    buffer_.open(temporary_->descriptor());
  } catch (const std::system_error& error) {
    refuse(path_, error.code().value());
  }
  struct stat former {};
  if (stat(target_.c_str(), &former) == 0) {
    (void)fchmod(buffer_.descriptor(), former.st_mode & ALLPERMS);
  }
}

AtomicFile::~AtomicFile() {
  (void)buffer_.close();
}

void AtomicFile::commit() {
  const int error = buffer_.close();
  if (error != 0) refuse(path_, error);
  if (!out_) refuse(path_, EIO);  // marked as failed by what wrote to it
  CompleteFile complete{path_, std::move(temporary_)};
  if (complete.temporary != nullptr && is_declared_output(path_)) {
    g_held_back.push_back(std::move(complete));
  } else {
    put_in_place(complete);
  }
}

void commit_declared_outputs() {
  for (const CompleteFile& file : std::exchange(g_held_back, {})) put_in_place(file);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.stream() << content;
  file.commit();
}

void ensure_directory(const fs::path& path) {
  if (path.empty()) throw BadInput("cannot create a folder: its path is empty");
  std::error_code error;
  fs::create_directories(path, error);
  std::error_code unknown;
  if (!error && !fs::is_directory(path, unknown)) {
    error = unknown ? unknown : std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    throw BadInput(fmt::format("cannot create folder '{}': {}", path.string(), error.message()));
  }
}

}  // namespace kernbench::common
