// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace kernbench::model::chakra {

/// A file of messages, each after its length as a varint. A file that begins with the magic bytes
/// of gzip is decompressed; positions are those of the decompressed bytes.
class TraceFile {
 public:
  /// Throws common::BadInput for a file that cannot be opened.
  explicit TraceFile(const std::filesystem::path& path);

  enum class Next : std::uint8_t { Message, End, Broken };
  /// Reads the next message. After Broken, problem() says why.
  [[nodiscard]] Next next(std::string& message);
  /// Returns the byte at which the last message, its length first, begins.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  class Bytes;
  Next broken(std::string problem);

  std::shared_ptr<Bytes> bytes_;
  google::protobuf::io::CopyingInputStreamAdaptor stream_;
  std::uint64_t position_ = 0;
  std::string problem_;
};

}  // namespace kernbench::model::chakra
