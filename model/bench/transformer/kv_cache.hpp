// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace kernbench::model::bench::transformer {

/// The page table of a paged key-value cache (W. Kwon et al., *PagedAttention*, 2023). A page holds
/// the keys and values of `page_tokens` tokens of one sequence. The pages of a sequence follow each
/// other on the PEs of a cube, so that each PE has its share of any context in its own slice.
class KvCache {
 public:
  /// Has room for sequences of up to these numbers of tokens. All arguments are at least 1.
  KvCache(std::vector<std::uint64_t> capacities, std::uint64_t page_tokens, std::uint32_t pes);

  /// Appends tokens to a sequence, and pages when its last page is full. Throws std::length_error
  /// beyond the capacity.
  void append(std::uint64_t sequence, std::uint64_t tokens);

  /// Returns the rows of the tensors of keys and of values: the pages of PE 0, of PE 1, ...
  [[nodiscard]] std::uint64_t rows() const { return pages_of_pe_ * pes_ * page_tokens_; }
  [[nodiscard]] std::uint64_t page_tokens() const { return page_tokens_; }
  [[nodiscard]] std::uint64_t tokens(std::uint64_t sequence) const { return tokens_[sequence]; }
  [[nodiscard]] std::uint64_t pages(std::uint64_t sequence) const {
    return pages_[sequence].size();
  }
  /// Returns the PE that holds a page of a sequence.
  [[nodiscard]] std::uint32_t pe_of(std::uint64_t sequence, std::uint64_t page) const {
    return static_cast<std::uint32_t>((sequence + page) % pes_);
  }
  /// Returns the first row of a page of a sequence.
  [[nodiscard]] std::uint64_t row_of(std::uint64_t sequence, std::uint64_t page) const {
    return pages_[sequence][page] * page_tokens_;
  }

 private:
  std::vector<std::uint64_t> capacities_;  ///< tokens, by sequence
  std::uint64_t page_tokens_;
  std::uint32_t pes_;
  std::uint64_t pages_of_pe_;
  std::vector<std::uint64_t> used_;                ///< pages, by PE
  std::vector<std::uint64_t> tokens_;              ///< by sequence
  std::vector<std::vector<std::uint64_t>> pages_;  ///< by sequence; numbers of pages
};

}  // namespace kernbench::model::bench::transformer
