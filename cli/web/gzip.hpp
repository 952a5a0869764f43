// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace kernbench::cli::web {

/// Compresses one text, part by part, in the gzip format (zlib).
class Gzip {
 public:
  Gzip();

  /// Takes the next part of the text, or its end if `part` is empty. Returns compressed bytes,
  /// which may be none as long as the text has not ended.
  [[nodiscard]] std::string pack(std::string_view part);
  /// Returns true after the end of the text was packed.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  struct Close {
    void operator()(z_stream_s* stream) const;
  };
  std::unique_ptr<z_stream_s, Close> stream_;
  bool ended_ = false;
};

}  // namespace kernbench::cli::web
