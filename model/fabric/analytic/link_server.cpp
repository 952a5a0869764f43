#include "model/fabric/analytic/link_server.hpp"

#include <algorithm>
#include <cstddef>

namespace kernbench::model::fabric {

void LinkServer::join(FlowId flow, Qos qos, Input input, std::uint64_t ticket,
                      std::uint64_t packets, Edge now) {
  advance(now);
  Level& joined = level(qos);
  std::vector<Sharer>& sharers = joined.sharers;
  const auto place = std::find_if(sharers.begin(), sharers.end(),
                                  [input](const Sharer& sharer) { return sharer.input >= input; });
  Flow last{flow, ticket, packets};
  if (place == sharers.end() || place->input != input) {
    sharers.insert(place, {input, last});
    return;
  }
  if (last.ticket < place->flow.ticket) std::swap(last, place->flow);
  std::deque<Flow>* queue = behind(joined, input);
  if (queue == nullptr) queue = &joined.behind.emplace_back(input, std::deque<Flow>()).second;
  const auto after = std::upper_bound(
      queue->begin(), queue->end(), last,
      [](const Flow& one, const Flow& other) { return one.ticket < other.ticket; });
  queue->insert(after, last);
}

std::uint64_t LinkServer::leave(FlowId flow, Qos qos, Input input, Edge now) {
  advance(now);
  Level& left = level(qos);
  for (std::size_t i = 0; i < left.sharers.size(); ++i) {
    if (left.sharers[i].input != input) continue;
    if (left.sharers[i].flow.id == flow) {
      const std::uint64_t packets = left.sharers[i].flow.packets;
      remove(left, i);
      return packets;
    }
    std::deque<Flow>* queue = behind(left, input);
    if (queue == nullptr) return 0;
    const auto waiting = std::find_if(queue->begin(), queue->end(),
                                      [flow](const Flow& each) { return each.id == flow; });
    if (waiting == queue->end()) return 0;
    const std::uint64_t packets = waiting->packets;
    queue->erase(waiting);
    return packets;
  }
  return 0;
}

std::optional<Edge> LinkServer::next() const {
  const Level& served = served_level();
  if (served.sharers.empty()) return std::nullopt;
  return at_ + until_through(served);
}

std::optional<LinkServer::FlowId> LinkServer::through(Edge now) {
  advance(now);
  return std::exchange(through_, std::nullopt);
}

std::uint64_t LinkServer::moved(Edge now) const {
  return moved_ + (served_level().sharers.empty() ? 0 : now - at_);
}

void LinkServer::advance(Edge now) {
  while (at_ < now) {
    Level& served = levels_[levels_[1].sharers.empty() ? 0 : 1];
    if (served.sharers.empty()) {
      at_ = now;
    } else {
      serve(served, now - at_);
    }
  }
}

/// `cycles` or until one is through.
void LinkServer::serve(Level& level, Edge cycles) {
  std::vector<Sharer>& sharers = level.sharers;
  const std::size_t count = sharers.size();
  const Edge served = std::min(cycles, until_through(level));
  const Edge rounds = served / count;
  const Edge more = served % count;
  std::size_t place = first_turn(level);
  std::size_t last = place;
  for (std::size_t turn = 0; turn < count; ++turn) {
    sharers[place].flow.packets -= rounds + (turn < more ? 1 : 0);
    if (turn + 1 == (more == 0 ? count : more)) last = place;
    if (++place == count) place = 0;
  }
  level.last_turn = sharers[last].input;
  at_ += served;
  moved_ += served;
  if (sharers[last].flow.packets != 0) return;
  through_ = sharers[last].flow.id;
  remove(level, last);
}

void LinkServer::remove(Level& level, std::size_t place) {
  std::deque<Flow>* queue = behind(level, level.sharers[place].input);
  if (queue != nullptr && !queue->empty()) {
    level.sharers[place].flow = queue->front();
    queue->pop_front();
  } else {
    level.sharers.erase(level.sharers.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

std::deque<LinkServer::Flow>* LinkServer::behind(Level& level, Input input) {
  for (auto& [of, queue] : level.behind) {
    if (of == input) return &queue;
  }
  return nullptr;
}

std::size_t LinkServer::first_turn(const Level& level) {
  const std::vector<Sharer>& sharers = level.sharers;
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    if (sharers[i].input > level.last_turn) return i;
  }
  return 0;
}

Edge LinkServer::until_through(const Level& level) {
  const std::vector<Sharer>& sharers = level.sharers;
  const std::size_t count = sharers.size();
  if (count == 1) return sharers.front().flow.packets;
  std::size_t place = first_turn(level);
  Edge least = ~Edge{0};
  for (std::size_t turn = 0; turn < count; ++turn) {
    least = std::min(least, (sharers[place].flow.packets - 1) * count + turn + 1);
    if (++place == count) place = 0;
  }
  return least;
}

}  // namespace kernbench::model::fabric
