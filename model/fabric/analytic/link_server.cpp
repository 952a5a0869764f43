// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/link_server.hpp"

#include <algorithm>
#include <cstddef>

namespace kernbench::model::fabric {

void LinkServer::add(FlowId flow, Qos qos, Input input, std::uint64_t ticket, std::uint64_t packets,
                     Edge now) {
  advance(now);
  Level& joined = level(qos);
  const std::size_t place = place_of(joined, input);
  Share share{flow, ticket, packets};
  if (place == joined.active.size() || joined.active[place].input != input) {
    joined.active.insert(joined.active.begin() + static_cast<std::ptrdiff_t>(place),
                         {input, share});
    return;
  }
  Share& head = joined.active[place].head;
  if (share.ticket < head.ticket) std::swap(share, head);
  std::deque<Share>* waiting = waiting_at(joined, input);
  if (waiting == nullptr) {
    waiting = &joined.waiting.emplace_back(input, std::deque<Share>()).second;
  }
  const auto after = std::upper_bound(
      waiting->begin(), waiting->end(), share,
      [](const Share& one, const Share& other) { return one.ticket < other.ticket; });
  waiting->insert(after, share);
}

std::uint64_t LinkServer::remove(FlowId flow, Qos qos, Input input, Edge now) {
  const std::uint64_t packets = remaining(flow, qos, input, now);
  if (packets == 0) return 0;
  Level& left = level(qos);
  const std::size_t place = place_of(left, input);
  if (left.active[place].head.flow == flow) {
    remove_head(left, place);
  } else {
    std::erase_if(*waiting_at(left, input),
                  [flow](const Share& share) { return share.flow == flow; });
  }
  return packets;
}

std::uint64_t LinkServer::remaining(FlowId flow, Qos qos, Input input, Edge now) {
  advance(now);
  Level& asked = level(qos);
  const std::size_t place = place_of(asked, input);
  if (place == asked.active.size() || asked.active[place].input != input) return 0;
  const Share& head = asked.active[place].head;
  if (head.flow == flow) return head.packets;
  if (const std::deque<Share>* waiting = waiting_at(asked, input)) {
    for (const Share& share : *waiting) {
      if (share.flow == flow) return share.packets;
    }
  }
  return 0;
}

std::optional<Edge> LinkServer::next_completion() const {
  const Level& served = served_level();
  if (served.active.empty()) return std::nullopt;
  return at_ + cycles_to_completion(served);
}

std::optional<LinkServer::FlowId> LinkServer::take_completed(Edge now) {
  advance(now);
  return std::exchange(completed_, std::nullopt);
}

std::uint64_t LinkServer::packets_moved(Edge now) const {
  return moved_ + (served_level().active.empty() ? 0 : now - at_);
}

void LinkServer::advance(Edge now) {
  while (at_ < now) {
    Level& served = level(levels_[1].active.empty() ? Qos::Low : Qos::High);
    if (served.active.empty()) {
      at_ = now;
    } else {
      serve(served, now - at_);
    }
  }
}

/// Serves the level for `most_cycles` cycles, or up to the first completion.
void LinkServer::serve(Level& level, Edge most_cycles) {
  std::vector<ActiveInput>& active = level.active;
  const std::size_t count = active.size();
  const Edge cycles = std::min(most_cycles, cycles_to_completion(level));
  const Edge rounds = cycles / count;
  const Edge more = cycles % count;
  std::size_t place = first_of_round(level);
  std::size_t last = place;
  for (std::size_t turn = 0; turn < count; ++turn) {
    active[place].head.packets -= rounds + (turn < more ? 1 : 0);
    if (turn + 1 == (more == 0 ? count : more)) last = place;
    if (++place == count) place = 0;
  }
  level.last_served = active[last].input;
  at_ += cycles;
  moved_ += cycles;
  if (active[last].head.packets != 0) return;
  completed_ = active[last].head.flow;
  remove_head(level, last);
}

void LinkServer::remove_head(Level& level, std::size_t place) {
  std::deque<Share>* waiting = waiting_at(level, level.active[place].input);
  if (waiting != nullptr && !waiting->empty()) {
    level.active[place].head = waiting->front();
    waiting->pop_front();
  } else {
    level.active.erase(level.active.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

std::deque<LinkServer::Share>* LinkServer::waiting_at(Level& level, Input input) {
  for (auto& [each, waiting] : level.waiting) {
    if (each == input) return &waiting;
  }
  return nullptr;
}

/// Returns the place of an active input, or the place where it would be inserted.
std::size_t LinkServer::place_of(const Level& level, Input input) {
  std::size_t place = 0;
  while (place < level.active.size() && level.active[place].input < input) ++place;
  return place;
}

std::size_t LinkServer::first_of_round(const Level& level) {
  for (std::size_t i = 0; i < level.active.size(); ++i) {
    if (level.active[i].input > level.last_served) return i;
  }
  return 0;
}

/// Returns the cycles until the first flow of a level that has active inputs completes.
Edge LinkServer::cycles_to_completion(const Level& level) {
  const std::vector<ActiveInput>& active = level.active;
  const std::size_t count = active.size();
  if (count == 1) return active.front().head.packets;
  std::size_t place = first_of_round(level);
  Edge least = ~Edge{0};
  for (std::size_t turn = 1; turn <= count; ++turn) {
    least = std::min(least, (active[place].head.packets - 1) * count + turn);
    if (++place == count) place = 0;
  }
  return least;
}

}  // namespace kernbench::model::fabric
