// SPDX-License-Identifier: Apache-2.0
// The hierarchy block of an FST: https://blog.timhutt.co.uk/fst_spec/ describes the format.
#include "sim/wave/fst_signals.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace kernbench::sim {
namespace {

/// A block that ends too early or has bytes with another meaning.
struct Malformed : std::runtime_error {
  Malformed() : std::runtime_error("not an FST hierarchy") {}
};

/// Reads bytes in order. Throws Malformed at the end of the data.
class ByteReader {
 public:
  explicit ByteReader(std::string_view data) : data_(data) {}

  [[nodiscard]] bool done() const { return data_.empty(); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1).front()); }
  std::uint64_t big_endian() {
    std::uint64_t value = 0;
    for (const char c : take(8)) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  }
  /// A number with seven bits in each byte, the lowest first.
  void skip_varint() {
    while ((byte() & 0x80U) != 0) {
    }
  }
  std::string_view text() {
    const std::string_view result = data_.substr(0, data_.find('\0'));
    take(result.size() + 1);
    return result;
  }
  std::string_view take(std::uint64_t count) {
    if (count > data_.size()) throw Malformed();
    const std::string_view result = data_.substr(0, count);
    data_.remove_prefix(count);
    return result;
  }
  [[nodiscard]] std::string_view rest() const { return data_; }

 private:
  std::string_view data_;
};

/// Decompresses one LZ4 block of a known size.
std::string lz4_block(std::string_view compressed, std::uint64_t size) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  constexpr unsigned kShortestMatch = 4;
  if (size > kMostBytes) throw Malformed();
  std::string out;
  out.reserve(size);
  ByteReader in(compressed);
  const auto length = [&](unsigned nibble) {
    std::uint64_t total = nibble;
    if (nibble != 15) return total;
    std::uint8_t more = 255;
    while (more == 255) total += more = in.byte();
    return total;
  };
  while (!in.done()) {
    const std::uint8_t token = in.byte();
    out += in.take(length(token >> 4U));
    if (in.done()) break;  // the last sequence has literals only
    const unsigned low = in.byte();
    const std::size_t offset = low | static_cast<unsigned>(in.byte()) << 8U;
    const std::uint64_t match = length(token & 15U) + kShortestMatch;
    if (offset == 0 || offset > out.size() || out.size() + match > size) throw Malformed();
    for (std::uint64_t i = 0; i < match; ++i) out += out[out.size() - offset];
  }
  if (out.size() != size) throw Malformed();
  return out;
}

/// Adds "name [left:right]" below `scope`.
void add_signal(FstSignals& signals, const std::string& scope, std::string_view declared) {
  SignalRange range;
  std::string_view name = declared.substr(0, declared.find(' '));
  if (name.size() != declared.size()) {
    const std::string text(declared.substr(name.size() + 1));  // [left:right]
    const auto colon = text.find(':');
    range.vector = true;
    range.left = std::atoi(text.c_str() + 1);
    range.right = colon == std::string::npos ? range.left : std::atoi(text.c_str() + colon + 1);
  }
  signals.emplace(scope + std::string(name), range);
}

FstSignals signals_of(std::string_view hierarchy) {
  constexpr std::uint8_t kAttributeBegin = 252;
  constexpr std::uint8_t kAttributeEnd = 253;
  constexpr std::uint8_t kScope = 254;
  constexpr std::uint8_t kUpScope = 255;
  FstSignals signals;
  std::vector<std::string> scopes = {""};  // each ends in a dot
  ByteReader in(hierarchy);
  while (!in.done()) {
    const std::uint8_t tag = in.byte();
    if (tag == kScope) {
      in.byte();  // kind
      scopes.push_back(scopes.back() + std::string(in.text()) + ".");
      in.text();  // component
    } else if (tag == kUpScope) {
      if (scopes.size() > 1) scopes.pop_back();
    } else if (tag == kAttributeBegin) {
      in.take(2);
      in.text();
      in.skip_varint();
    } else if (tag != kAttributeEnd) {  // a variable
      in.byte();                        // direction
      add_signal(signals, scopes.back(), in.text());
      in.skip_varint();  // length
      in.skip_varint();  // alias
    }
  }
  return signals;
}

FstContent content_of(std::ifstream& file) {
  constexpr std::uint8_t kHeader = 0;
  constexpr std::uint8_t kLz4 = 6;
  constexpr std::uint8_t kLz4Twice = 7;
  FstContent content;
  for (std::string head(9, '\0'); file.read(head.data(), 9);) {
    ByteReader header(head);
    const std::uint8_t kind = header.byte();
    const std::uint64_t length = header.big_endian();  // with its own eight bytes
    if (length < 8) throw Malformed();
    if (kind == kHeader) {
      std::string times(16, '\0');
      if (length < 24 || !file.read(times.data(), 16)) throw Malformed();
      ByteReader in(times);
      content.first = in.big_endian();
      content.last = in.big_endian();
      file.seekg(static_cast<std::streamoff>(length - 24), std::ios::cur);
      continue;
    }
    if (kind != kLz4 && kind != kLz4Twice) {
      file.seekg(static_cast<std::streamoff>(length - 8), std::ios::cur);
      continue;
    }
    std::string block;
    block.resize(length - 8);
    if (!file.read(block.data(), static_cast<std::streamsize>(block.size()))) throw Malformed();
    ByteReader body(block);
    const std::uint64_t size = body.big_endian();
    if (kind == kLz4) {
      content.signals = signals_of(lz4_block(body.rest(), size));
    } else {
      const std::uint64_t once = body.big_endian();
      content.signals = signals_of(lz4_block(lz4_block(body.rest(), once), size));
    }
  }
  return content;
}

}  // namespace

FstContent read_fst(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  try {
    return content_of(file);
  } catch (const Malformed&) {
    return {};
  } catch (const std::length_error&) {  // an absurd length
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace kernbench::sim
