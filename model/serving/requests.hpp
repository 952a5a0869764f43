// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::serving {

/// A prompt that a model continues.
struct Request {
  common::SimTime arrival;
  std::uint64_t prompt = 1;  ///< tokens, 1 or more
  std::uint64_t output = 1;  ///< tokens, 1 or more; the prefill computes the first

  /// Returns the tokens whose keys and values are kept in the end: all but the last of the output.
  [[nodiscard]] std::uint64_t cached_tokens() const { return prompt + output - 1; }
  friend bool operator==(const Request&, const Request&) = default;
};

/// The room of a server for sequences.
struct ServerRoom {
  std::uint64_t max_batch = 1;
  std::uint64_t pages = 0;  ///< pages of the key-value cache
  std::uint64_t page_tokens = 1;
  /// PEs of a cube. Page p of sequence s of a batch is on PE (s + p) modulo `pes`.
  std::uint64_t pes = 1;
  /// Heads of keys that a cube computes. PE (s * kv_heads + h) modulo `pes` merges the parts of
  /// head h of sequence s, one from each PE that has pages of it.
  std::uint64_t kv_heads = 1;

  /// Returns the pages that a sequence of 1 or more tokens takes.
  [[nodiscard]] std::uint64_t pages_of(std::uint64_t tokens) const {
    return (tokens - 1) / page_tokens + 1;
  }
  /// Returns the pages that a request takes until its end.
  [[nodiscard]] std::uint64_t pages_of(const Request& request) const {
    return pages_of(request.cached_tokens());
  }
};

/// Largest number of tokens of a prompt or an output.
inline constexpr std::uint64_t kMostTokens = 1'000'000;
/// Largest number of tokens of a prompt in a file, and largest mean of drawn lengths.
inline constexpr std::uint64_t kMostPrompt = kMostTokens / 2;
/// Longest time in which requests arrive, in seconds.
inline constexpr double kMostSeconds = 1e6;

/// Lengths of requests that are drawn: each number of tokens from 1 to 2 * mean - 1 is as likely as
/// any other.
struct DrawnLengths {
  std::uint64_t prompt = 1;  ///< mean
  std::uint64_t output = 1;  ///< mean
  std::uint64_t seed = 1;

  [[nodiscard]] Request longest() const { return {{}, 2 * prompt - 1, 2 * output - 1}; }
};

/// Draws requests that arrive within `duration` by a Poisson process with a mean of `gap` between
/// them. Both are positive.
[[nodiscard]] std::vector<Request> draw_requests(const DrawnLengths& lengths, common::SimTime gap,
                                                 common::SimTime duration);
/// Draws requests that all arrive at time 0.
[[nodiscard]] std::vector<Request> draw_backlog(const DrawnLengths& lengths, std::size_t count);

/// Reads requests from a CSV file with the header "arrival_s,prompt,output": seconds, in ascending
/// order, and numbers of tokens. Request i is in line i + 2. Throws common::BadInput with all
/// errors and their positions.
[[nodiscard]] std::vector<Request> read_requests(const std::filesystem::path& path);
/// Parses text instead of a file; `name` stands for the file in messages.
[[nodiscard]] std::vector<Request> parse_requests(std::string_view text, const std::string& name);

}  // namespace kernbench::model::serving
