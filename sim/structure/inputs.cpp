// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/inputs.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "common/hash.hpp"

namespace kernbench::sim::structure {

/// The sets and unions of one thread. It forgets them all when they are many.
class Inputs::Table {
 public:
  static Table& of_this_thread() {
    thread_local Table table;
    return table;
  }

  /// Returns the set of these bits, which are sorted.
  Inputs set(std::vector<BitId> bits) {
    if (bits.empty()) return {};
    std::uint64_t hash = bits.size();
    for (const BitId bit : bits) hash = common::mix64(hash + bit);
    const auto [first, last] = sets_.equal_range(hash);
    for (auto same = first; same != last; ++same) {
      if (*same->second == bits) return Inputs(same->second);
    }
    return Inputs(
        sets_.emplace(hash, std::make_shared<const std::vector<BitId>>(std::move(bits)))->second);
  }

  Inputs united(const Bits& a, const Bits& b) {
    const auto [x, y] = std::minmax(a, b);
    const auto known = unions_.find(Pair{x, y});
    if (known != unions_.end()) return Inputs(known->second);
    if (unions_.size() > kMost) {
      unions_.clear();
      sets_.clear();
    }
    std::vector<BitId> bits;
    bits.reserve(x->size() + y->size());
    std::set_union(x->begin(), x->end(), y->begin(), y->end(), std::back_inserter(bits));
    Inputs all = set(std::move(bits));
    unions_.emplace(Pair{x, y}, all.bits_);
    return all;
  }

 private:
  static constexpr std::size_t kMost = 1'000'000;
  using Pair = std::pair<Bits, Bits>;
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      const std::hash<const void*> hash;
      return common::mix64(common::mix64(hash(pair.first.get())) + hash(pair.second.get()));
    }
  };

  std::unordered_multimap<std::uint64_t, Bits> sets_;
  std::unordered_map<Pair, Bits, PairHash> unions_;
};

Inputs::Inputs(BitId bit) : Inputs(Table::of_this_thread().set({bit})) {}

Inputs Inputs::united(const Inputs& a, const Inputs& b) {
  if (a.empty() || a.bits_ == b.bits_) return b;
  if (b.empty()) return a;
  return Table::of_this_thread().united(a.bits_, b.bits_);
}

Inputs Inputs::united(std::span<const Inputs> all) {
  std::vector<Bits> different;
  for (const Inputs& inputs : all) {
    if (!inputs.empty()) different.push_back(inputs.bits_);
  }
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() == 1) return Inputs(different.front());
  std::vector<BitId> bits;
  for (const Bits& one : different) bits.insert(bits.end(), one->begin(), one->end());
  std::sort(bits.begin(), bits.end());
  bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
  return Table::of_this_thread().set(std::move(bits));
}

const std::vector<BitId>& Inputs::bits() const {
  static const std::vector<BitId> kNone;
  return bits_ == nullptr ? kNone : *bits_;
}

}  // namespace kernbench::sim::structure
