// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/matching.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/diagnostics.hpp"

namespace kernbench::model::chakra {

namespace {

constexpr std::size_t kListedWaits = 20;

std::string text_of(const TraceGroup& group) {
  return group.name.empty() ? "all ranks" : fmt::format("group '{}'", group.name);
}

/// Returns "all-reduce of 1024 bytes", with the root where there is one.
std::string text_of(const Node& node, const CollectiveCall& call, const TraceGroup& group) {
  const CollectiveType& type = kCollectives[call.collective];
  std::string text(type.name);
  if (type.has_bytes) text += fmt::format(" of {} bytes", node.bytes);
  if (type.has_root) text += fmt::format(" with root {}", group.ranks[call.root]);
  return text;
}

}  // namespace

Matching::Matching(const TraceSet& traces) : traces_(traces) {
  for (const TraceGroup& group : traces.groups) {
    groups_.push_back({std::vector<std::size_t>(group.ranks.size()), 0, {}});
  }
}

std::string Matching::describe(const RankNode& at) const {
  return fmt::format("{} of rank {}", traces_.ranks[at.rank].describe(node_of(at)), at.rank);
}

void Matching::check_call(std::uint32_t group, std::size_t number, const Call& call,
                          const RankNode& caller) const {
  const TraceGroup& members = traces_.groups[group];
  const RankNode first{members.ranks[call.first], *call.nodes[call.first]};
  const auto call_of = [&](const RankNode& at) {
    return traces_.ranks[at.rank].calls[node_of(at).detail];
  };
  const CollectiveCall mine = call_of(caller);
  const CollectiveCall theirs = call_of(first);
  if (mine.collective == theirs.collective && mine.root == theirs.root &&
      node_of(caller).bytes == node_of(first).bytes) {
    return;
  }
  throw common::BadInput(fmt::format("call {} of {}: {} is {}, but {} is {}", number,
                                     text_of(members), describe(first),
                                     text_of(node_of(first), theirs, members), describe(caller),
                                     text_of(node_of(caller), mine, members)));
}

std::optional<CompleteCall> Matching::call(const RankNode& caller) {
  const std::uint32_t index = traces_.ranks[caller.rank].calls[node_of(caller).detail].group;
  const std::vector<std::uint32_t>& ranks = traces_.groups[index].ranks;
  const auto member = static_cast<std::uint32_t>(
      std::find(ranks.begin(), ranks.end(), caller.rank) - ranks.begin());
  Group& group = groups_[index];
  const std::size_t number = group.called[member]++;
  if (number - group.complete == group.open.size()) {
    group.open.push_back({std::vector<std::optional<std::uint32_t>>(ranks.size()), 0, member});
  }
  // A call is complete no earlier than the one before it, because members call in order.
  Call& call = group.open[number - group.complete];
  call.nodes[member] = caller.node;
  check_call(index, number + 1, call, caller);
  if (++call.made != ranks.size()) return std::nullopt;
  CompleteCall complete{index, {}};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    complete.members.push_back({ranks[i], *call.nodes[i]});
  }
  group.open.pop_front();
  ++group.complete;
  return complete;
}

Matching::Key Matching::key_of(const RankNode& at) const {
  const Node& node = node_of(at);
  const MessageEnd& end = traces_.ranks[at.rank].messages[node.detail];
  return node.kind == NodeKind::Send ? Key{at.rank, end.peer, end.tag}
                                     : Key{end.peer, at.rank, end.tag};
}

void Matching::check_bytes(const Key& key, const Channel& channel, std::size_t number) const {
  if (number >= channel.sends.size() || number >= channel.receives.size()) return;
  const RankNode sender{std::get<0>(key), channel.sends[number].node};
  const RankNode receiver{std::get<1>(key), channel.receives[number]};
  if (node_of(sender).bytes == node_of(receiver).bytes) return;
  throw common::BadInput(fmt::format("{} sends {} bytes with tag {}, but {} receives {}",
                                     describe(sender), node_of(sender).bytes, std::get<2>(key),
                                     describe(receiver), node_of(receiver).bytes));
}

std::size_t Matching::send(const RankNode& sender) {
  const Key key = key_of(sender);
  Channel& channel = channels_[key];
  channel.sends.push_back({sender.node, false});
  check_bytes(key, channel, channel.sends.size() - 1);
  return channel.sends.size() - 1;
}

std::optional<RankNode> Matching::arrived(const RankNode& sender, std::size_t number) {
  const Key key = key_of(sender);
  Channel& channel = channels_[key];
  channel.sends[number].arrived = true;
  if (number >= channel.receives.size()) return std::nullopt;
  return RankNode{std::get<1>(key), channel.receives[number]};
}

bool Matching::receive(const RankNode& receiver) {
  const Key key = key_of(receiver);
  Channel& channel = channels_[key];
  const std::size_t number = channel.receives.size();
  channel.receives.push_back(receiver.node);
  check_bytes(key, channel, number);
  return number < channel.sends.size() && channel.sends[number].arrived;
}

bool Matching::all_received() const {
  return std::all_of(channels_.begin(), channels_.end(), [](const auto& one) {
    return one.second.sends.size() == one.second.receives.size();
  });
}

std::vector<std::string> Matching::unfinished() const {
  std::vector<std::string> lines;
  for (std::uint32_t index = 0; index < groups_.size(); ++index) {
    const Group& group = groups_[index];
    const TraceGroup& members = traces_.groups[index];
    for (std::size_t i = 0; i < group.open.size(); ++i) {
      const Call& call = group.open[i];
      std::vector<std::uint32_t> missing;
      for (std::size_t member = 0; member < members.ranks.size(); ++member) {
        if (!call.nodes[member]) missing.push_back(members.ranks[member]);
      }
      const RankNode first{members.ranks[call.first], *call.nodes[call.first]};
      const CollectiveCall& detail = traces_.ranks[first.rank].calls[node_of(first).detail];
      lines.push_back(fmt::format(
          "{}, call {} of {} ({}), waits for {} {}", kCollectives[detail.collective].name,
          group.complete + i + 1, text_of(members), describe(first),
          missing.size() == 1 ? "rank" : "ranks", fmt::join(missing, ", ")));
    }
  }
  for (const auto& [key, channel] : channels_) {
    const auto& [from, to, tag] = key;
    for (std::size_t i = channel.sends.size(); i < channel.receives.size(); ++i) {
      lines.push_back(fmt::format("{} waits for a send of rank {} with tag {}",
                                  describe({to, channel.receives[i]}), from, tag));
    }
    for (std::size_t i = channel.receives.size(); i < channel.sends.size(); ++i) {
      lines.push_back(fmt::format("{} waits for a receive of rank {} with tag {}",
                                  describe({from, channel.sends[i].node}), to, tag));
    }
  }
  if (lines.size() > kListedWaits) {
    const std::size_t more = lines.size() - kListedWaits;
    lines.resize(kListedWaits);
    lines.push_back(fmt::format("and {} more", more));
  }
  return lines;
}

}  // namespace kernbench::model::chakra
