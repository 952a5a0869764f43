// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// A node of a rank.
struct RankNode {
  std::uint32_t rank = 0;
  std::uint32_t node = 0;
};

/// A call of a collective by all members.
struct CompleteCall {
  std::uint32_t group = 0;
  std::vector<RankNode> members;
};

/// Finds the calls and messages that belong together: the k-th call of each member of a group, and
/// the k-th send and receive with the same ranks and tag, in the order in which their nodes become
/// ready. All functions throw common::BadInput for nodes that do not fit each other.
class Matching {
 public:
  explicit Matching(const TraceSet& traces);

  /// Notes a call, and returns it when it is that of the last member.
  [[nodiscard]] std::optional<CompleteCall> call(const RankNode& caller);

  /// Notes a send and returns its number.
  std::size_t send(const RankNode& sender);
  /// Notes that the message of a send has arrived. Returns its receive if that waits.
  [[nodiscard]] std::optional<RankNode> arrived(const RankNode& sender, std::size_t number);
  /// Notes a receive. Returns true if its message has arrived.
  [[nodiscard]] bool receive(const RankNode& receiver);

  /// Returns true if every send has its receive.
  [[nodiscard]] bool all_received() const;
  /// Returns a line for each call that members have not made, and for each send and receive without
  /// its other end; at most 20.
  [[nodiscard]] std::vector<std::string> unfinished() const;

 private:
  struct Call {
    std::vector<std::optional<std::uint32_t>> nodes;  ///< by member
    std::size_t made = 0;
    std::uint32_t first = 0;  ///< member that called first
  };
  struct Group {
    std::vector<std::size_t> called;  ///< number of calls, by member
    std::size_t complete = 0;         ///< calls that are no longer in `open`
    std::deque<Call> open;
  };
  struct Channel {
    struct Send {
      std::uint32_t node = 0;
      bool arrived = false;
    };
    std::vector<Send> sends;
    std::vector<std::uint32_t> receives;
  };
  /// Sender, receiver and tag.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;

  [[nodiscard]] const Node& node_of(const RankNode& at) const {
    return traces_.ranks[at.rank].nodes[at.node];
  }
  [[nodiscard]] std::string describe(const RankNode& at) const;
  [[nodiscard]] Key key_of(const RankNode& at) const;
  void check_call(std::uint32_t group, std::size_t number, const Call& call,
                  const RankNode& caller) const;
  void check_bytes(const Key& key, const Channel& channel, std::size_t number) const;

  const TraceSet& traces_;
  std::vector<Group> groups_;
  std::map<Key, Channel> channels_;
};

}  // namespace kernbench::model::chakra
