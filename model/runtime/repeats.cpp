// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "common/random.hpp"

namespace kernbench::model::runtime {

using common::SimTime;

double RepeatSample::error() const {
  return std::abs((repeated - simulated).ns()) / simulated.ns();
}

Repeats::Pass::Pass(const RepeatedWork& work, Kind kind)
    : key_(work.key),
      index_(work.index),
      kind_(kind),
      missing_(work.members),
      members_(work.members),
      all_arrived_(fmt::format("all members of the repeated work '{}'", work.key)) {}

SimTime Repeats::Pass::end_of(std::uint32_t member) const {
  return last_arrival_ + (model_->members_[member].end - model_->last_arrival_);
}

void Repeats::Pass::end(std::uint32_t member, SimTime now, std::vector<std::size_t> launches) {
  if (missing_ != 0) {
    throw std::invalid_argument(
        fmt::format("member {} ends the repeated work '{}' before all members have begun it; it "
                    "needs a collective that waits for all",
                    member, key_));
  }
  members_[member].end = now;
  members_[member].launches = std::move(launches);
}

SimTime Repeats::Pass::time() const {
  SimTime last;
  for (const Member& member : members_) last = std::max(last, member.end);
  return last - last_arrival_;
}

SimTime Repeats::Pass::distance(const Pass& other) const {
  SimTime largest;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const SimTime mine = last_arrival_ - members_[i].begin;
    const SimTime theirs = other.last_arrival_ - other.members_[i].begin;
    largest = std::max(largest, mine > theirs ? mine - theirs : theirs - mine);
  }
  return largest;
}

Repeats::Pass& Repeats::arrive(const RepeatedWork& work, SimTime now) {
  Known& known = known_[work.key];
  if (known.passes.empty()) known.positions.resize(work.members);
  if (known.positions.size() != work.members) {
    throw std::invalid_argument(fmt::format(
        "member {} shares the repeated work '{}' with {} members in all, another member with {}",
        work.member, work.key, work.members, known.positions.size()));
  }
  const std::size_t position = known.positions.at(work.member)++;
  if (position == known.passes.size()) {
    const std::uint64_t always = work.members > 1 ? 2 : 1;
    const bool is_sample =
        options_.samples && work.count > always && position < work.count &&
        work.index ==
            always + common::Rng::stream(options_.seed, work.key).below(work.count - always);
    known.passes.emplace_back(work, position < always || !(is_sample || options_.repeats)
                                        ? Pass::Kind::Simulated
                                    : is_sample ? Pass::Kind::Sampled
                                                : Pass::Kind::Repeated);
  }
  Pass& pass = known.passes[position];
  if (pass.index_ != work.index) {
    throw std::invalid_argument(
        fmt::format("member {} begins the repeated work '{}' with index {}, another member with {}",
                    work.member, work.key, work.index, pass.index_));
  }
  pass.members_[work.member].begin = now;
  pass.last_arrival_ = now;
  if (--pass.missing_ == 0) {
    pass.model_ = find_model(known, pass);
    pass.all_arrived_.trigger();
  }
  return pass;
}

const Repeats::Pass* Repeats::find_model(const Known& known, const Pass& pass) const {
  const Pass* nearest = nullptr;
  for (const Pass& one : known.passes) {
    if (&one == &pass) break;
    const bool usable = one.kind_ == Pass::Kind::Simulated ||
                        (one.kind_ == Pass::Kind::Sampled && !options_.wholes);
    if (!usable) continue;
    if (nearest == nullptr || pass.distance(one) <= pass.distance(*nearest)) nearest = &one;
  }
  return nearest;
}

RepeatSummary Repeats::summary() const {
  RepeatSummary sums;
  for (const auto& [key, known] : known_) {
    for (const Pass& pass : known.passes) {
      ++(pass.kind_ == Pass::Kind::Repeated ? sums.repeated : sums.simulated);
      if (pass.kind_ != Pass::Kind::Sampled) continue;
      sums.samples.push_back({key, pass.index_, pass.model_->time(), pass.time()});
    }
  }
  return sums;
}

}  // namespace kernbench::model::runtime
