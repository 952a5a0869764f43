// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/trace_file.hpp"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/declared_outputs.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::model::chakra {

namespace {

constexpr int kBlockBytes = 1 << 18;

}  // namespace

/// The bytes of a file, decompressed by zlib, which tells both kinds of file apart.
class TraceFile::Bytes final : public google::protobuf::io::CopyingInputStream {
 public:
  explicit Bytes(const std::filesystem::path& path) {
    common::require_not_output(path);
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr) {
      throw common::BadInput(
          fmt::format("cannot open '{}': {}", path.string(), std::strerror(errno)));
    }
    (void)gzbuffer(file_, kBlockBytes);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() override { (void)gzclose_r(file_); }

  int Read(void* buffer, int size) override {
    return gzread(file_, buffer, static_cast<unsigned>(size));
  }

  /// Returns what is wrong with the compressed data, or an empty text.
  [[nodiscard]] std::string error() const {
    int code = Z_OK;
    const char* const text = gzerror(file_, &code);
    if (code == Z_BUF_ERROR) return "the compressed data end too early";
    return code == Z_OK ? std::string() : fmt::format("the compressed data are damaged ({})", text);
  }

 private:
  gzFile file_ = nullptr;
};

TraceFile::TraceFile(const std::filesystem::path& path)
    : bytes_(std::make_shared<Bytes>(path)), stream_(bytes_.get(), kBlockBytes) {}

TraceFile::Next TraceFile::broken(std::string problem) {
  std::string damage = bytes_->error();
  problem_ = std::move(damage.empty() ? problem : damage);
  return Next::Broken;
}

TraceFile::Next TraceFile::next(std::string& message) {
  position_ = static_cast<std::uint64_t>(stream_.ByteCount());
  google::protobuf::io::CodedInputStream coded(&stream_);
  std::uint32_t size = 0;
  if (!coded.ReadVarint32(&size)) {
    if (coded.CurrentPosition() == 0 && bytes_->error().empty()) return Next::End;
    return broken("the file ends within the length of a message");
  }
  const int head = coded.CurrentPosition();
  if (!std::in_range<int>(size)) {
    return broken(fmt::format("{} is not the length of a message", size));
  }
  if (!coded.ReadString(&message, static_cast<int>(size))) {
    return broken(fmt::format("expected a message of {} bytes, but the file ends after {} of them",
                              size, coded.CurrentPosition() - head));
  }
  return Next::Message;
}

}  // namespace kernbench::model::chakra
