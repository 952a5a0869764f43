// SPDX-License-Identifier: Apache-2.0
#include "model/engine/occurrence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <vector>

#include "model/engine/simulation.hpp"

namespace kernbench::model::engine {

bool Occurrence::happened() const {
  return event_ != nullptr ? event_->triggered() : process_.ended();
}

std::string Occurrence::description() const {
  return event_ != nullptr ? fmt::format("event '{}'", event_->name())
                           : fmt::format("the end of process '{}'", process_.name());
}

WaitList& Occurrence::waiters() const {
  return event_ != nullptr ? event_->waiters_ : process_.record_->joiners;
}

void notify_all(WaitList& waiters) {
  while (!waiters.empty()) {
    WaitNode& node = static_cast<WaitNode&>(waiters.front());
    node.unlink();
    node.notified = true;
    node.wait->notified(node);
  }
}

bool OccurrenceWait::satisfied_by(std::span<const Occurrence> occurrences) {
  if (need_ == Need::Any && occurrences.empty()) {
    throw std::invalid_argument("any_of an empty list would wait forever");
  }
  std::size_t missing = 0;
  for (std::size_t i = occurrences.size(); i-- > 0;) {
    if (occurrences[i].happened()) {
      first_ = i;
    } else {
      ++missing;
    }
  }
  return missing == 0 || (need_ == Need::Any && missing != occurrences.size());
}

void OccurrenceWait::enter(ProcessRecord& process, std::span<const Occurrence> occurrences,
                           std::span<WaitNode> nodes) {
  process_ = &process;
  occurrences_ = occurrences;
  nodes_ = nodes;
  process.wait = this;
  missing_ = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].wait = this;
    nodes[i].notified = occurrences[i].happened();
    if (nodes[i].notified) continue;
    occurrences[i].waiters().push_back(nodes[i]);
    ++missing_;
  }
}

void OccurrenceWait::notified(WaitNode& node) {
  --missing_;
  if (need_ == Need::Any) {
    first_ = static_cast<std::size_t>(&node - nodes_.data());
    abandon();
  } else if (missing_ != 0) {
    return;
  }
  process_->simulation.wake(*process_);
}

void OccurrenceWait::abandon() {
  for (WaitNode& node : nodes_) node.unlink();
}

std::string OccurrenceWait::description() const {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].notified) continue;
    missing.push_back(nodes_[i].linked() ? occurrences_[i].description() : "a destroyed event");
  }
  if (nodes_.size() == 1) return missing.front();
  return fmt::format("{} of {}", need_ == Need::All ? "all" : "any", fmt::join(missing, ", "));
}

}  // namespace kernbench::model::engine
