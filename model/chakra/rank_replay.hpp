// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "model/chakra/replay.hpp"
#include "model/chakra/trace.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"

namespace kernbench::model::chakra {

/// Replays the trace of one rank: resolves its dependencies and runs its computations. A
/// computation costs one event; memory traffic and communication are left to the owner.
class RankReplay final : public engine::EventHandler {
 public:
  /// The services of the owner for all ranks.
  class Owner {
   public:
    /// Begins a node that is ready: a load, store, send, receive or collective. The owner calls
    /// finish() at its end, never from within.
    virtual void begin(std::uint32_t rank, std::uint32_t node) = 0;
    /// Returns the time of a computation.
    [[nodiscard]] virtual common::SimTime time_of(std::uint32_t rank, const Node& node) = 0;
    /// Notes that a node is done.
    virtual void note(const NodeSpan& span, common::SimTime ready) = 0;
    /// Notes that all nodes of a rank are done.
    virtual void note_end() = 0;

   protected:
    ~Owner() = default;
  };

  RankReplay(Owner& owner, std::uint32_t rank, const RankTrace& trace);

  /// Starts the nodes without dependencies.
  void start(engine::Simulation& simulation);
  /// Ends a node that the owner began. Its own time began at `begin`.
  void finish(std::uint32_t node, common::SimTime begin);

  [[nodiscard]] bool done() const { return left_ == 0; }
  /// Returns the figures so far, in times of the simulation.
  [[nodiscard]] const RankFigures& figures() const { return figures_; }

 private:
  /// Runs one computation at a time.
  struct Resource {
    /// Nodes that wait, with the time when they became ready.
    std::priority_queue<std::pair<common::SimTime, std::uint32_t>,
                        std::vector<std::pair<common::SimTime, std::uint32_t>>, std::greater<>>
        waiting;
    bool busy = false;
    std::uint32_t node = 0;
    common::SimTime ready;
    common::SimTime begin;
  };
  void on_event(engine::EventArgument argument) override;
  /// Notes the end of a node, and makes those ready that depend on it.
  void release(std::uint32_t node);
  void start_ready();
  void start_computations();
  void account();

  Owner& owner_;
  std::uint32_t rank_;
  const RankTrace& trace_;
  engine::Simulation* simulation_ = nullptr;
  std::vector<std::uint32_t> missing_;  ///< dependencies not done, by node
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
  std::map<std::uint32_t, common::SimTime> begun_;  ///< when nodes left to the owner were ready
  std::size_t left_;                                ///< nodes that are not done
  Resource resources_[2];                           ///< the rank and its host
  std::size_t communications_ = 0;                  ///< ready and not done
  common::SimTime accounted_;
  RankFigures figures_;
};

}  // namespace kernbench::model::chakra
