// SPDX-License-Identifier: Apache-2.0
#include "cli/web/gzip.hpp"

#include <zlib.h>

#include <array>
#include <new>

namespace kernbench::cli::web {

namespace {

constexpr int kLevel = 4;  // a third of the time of the default level, and 10 % more bytes
constexpr int kWindowBits = 15 + 16;  // the largest window; 16 selects the gzip format
constexpr int kMemory = 8;            // zlib's default

}  // namespace

void Gzip::Close::operator()(z_stream_s* stream) const {
  deflateEnd(stream);
  delete stream;
}

Gzip::Gzip() : stream_(new z_stream()) {
  if (deflateInit2(stream_.get(), kLevel, Z_DEFLATED, kWindowBits, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
}

std::string Gzip::pack(std::string_view part) {
  std::string packed;
  std::array<Bytef, 16384> buffer{};
  stream_->next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(part.data()));
  stream_->avail_in = static_cast<uInt>(part.size());
  do {
    stream_->next_out = buffer.data();
    stream_->avail_out = buffer.size();
    ended_ = deflate(stream_.get(), part.empty() ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END;
    packed.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
  return packed;
}

}  // namespace kernbench::cli::web
