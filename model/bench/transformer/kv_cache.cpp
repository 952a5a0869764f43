// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/kv_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kernbench::model::bench::transformer {

KvCache::KvCache(std::vector<std::uint64_t> capacities, std::uint64_t page_tokens,
                 std::uint32_t pes)
    : capacities_(std::move(capacities)),
      page_tokens_(page_tokens),
      pes_(pes),
      used_(pes),
      tokens_(capacities_.size()),
      pages_(capacities_.size()) {
  std::vector<std::uint64_t> of_pe(pes);
  for (std::uint64_t sequence = 0; sequence < capacities_.size(); ++sequence) {
    const std::uint64_t pages = (capacities_[sequence] - 1) / page_tokens + 1;
    for (std::uint64_t page = 0; page < pages; ++page) ++of_pe[pe_of(sequence, page)];
  }
  pages_of_pe_ = 0;
  for (const std::uint64_t count : of_pe) pages_of_pe_ = std::max(pages_of_pe_, count);
}

void KvCache::append(std::uint64_t sequence, std::uint64_t tokens) {
  tokens_[sequence] += tokens;
  if (tokens_[sequence] > capacities_[sequence]) {
    throw std::length_error(fmt::format("sequence {} has {} tokens, but the cache has room for {}",
                                        sequence, tokens_[sequence], capacities_[sequence]));
  }
  std::vector<std::uint64_t>& pages = pages_[sequence];
  while (pages.size() * page_tokens_ < tokens_[sequence]) {
    const std::uint32_t pe = pe_of(sequence, pages.size());
    pages.push_back(pe * pages_of_pe_ + used_[pe]++);
  }
}

}  // namespace kernbench::model::bench::transformer
