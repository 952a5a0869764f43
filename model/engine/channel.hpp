// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/engine/process.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/engine/simulation.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// First-in-first-out queue between processes. Waiting processes, on either side, are served in
/// order of arrival.
template <typename T>
class Channel {
 public:
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  /// Creates a channel for up to `capacity` items. `name` appears in the wait-for list. Throws
  /// std::invalid_argument when `capacity` is 0.
  Channel(Simulation& simulation, std::string name, std::size_t capacity = kUnbounded)
      : simulation_(simulation), name_(std::move(name)), capacity_(capacity) {
    if (capacity == 0) {
      throw std::invalid_argument(
          fmt::format("channel '{}' needs a capacity of at least 1", name_));
    }
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// `co_await channel.put(item)` returns when the channel has accepted the item, at once if there
  /// is room. Cancelling a process that waits discards its item.
  class PutWait;
  [[nodiscard]] PutWait put(T item) { return PutWait(*this, std::move(item)); }

  /// `T item = co_await channel.get()`. Throws std::logic_error when the channel is destroyed after
  /// an item was granted and before the process resumes.
  class GetWait;
  [[nodiscard]] GetWait get() { return GetWait(*this); }

  /// Moves the item into the channel if there is room and no process waits for room. Otherwise
  /// returns false and leaves the item unchanged.
  bool try_put(T&& item) {
    if (!has_room()) return false;
    accept(std::move(item));
    return true;
  }

  /// Removes the first item that is not granted to a waiting process, if there is one.
  std::optional<T> try_get() {
    if (!has_item()) return std::nullopt;
    return take();
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }

 private:
  [[nodiscard]] bool has_room() const { return putters_.empty() && items_.size() < capacity_; }
  // The first items belong to the granted getters until those resume.
  [[nodiscard]] bool has_item() const { return granted_.empty() && !items_.empty(); }

  void accept(T item) {
    items_.push(std::move(item));
    grant();
  }

  T take() {
    T item = items_.pop();
    if (!putters_.empty()) {
      auto& putter = static_cast<PutWait&>(putters_.front());
      putter.unlink();
      items_.push(std::move(putter.item_));
      simulation_.wake(*putter.process_);
      grant();
    }
    return item;
  }

  void grant() {
    while (!getters_.empty() && granted_count_ < items_.size()) {
      auto& getter = static_cast<GetWait&>(getters_.front());
      getter.unlink();
      granted_.push_back(getter);
      getter.is_granted_ = true;
      ++granted_count_;
      simulation_.wake(*getter.process_);
    }
  }

  Simulation& simulation_;
  std::string name_;
  std::size_t capacity_;
  RingQueue<T> items_;
  WaitList putters_;
  WaitList getters_;
  WaitList granted_;  // getters that own an item but have not resumed yet
  std::size_t granted_count_ = 0;
};

template <typename T>
class Channel<T>::PutWait final : public Wait, private ListNode {
 public:
  PutWait(Channel& channel, T item) : channel_(channel), item_(std::move(item)) {}
  [[nodiscard]] bool await_ready() { return channel_.try_put(std::move(item_)); }
  void await_suspend(Process::Frame frame) {
    process_ = frame.promise().record;
    process_->wait = this;
    channel_.putters_.push_back(*this);
  }
  void await_resume() const noexcept {}

  [[nodiscard]] std::string description() const override {
    if (!linked()) return "a destroyed channel";
    return fmt::format("room in channel '{}', which holds {}", channel_.name_,
                       channel_.items_.size());
  }
  void abandon() override { unlink(); }

 private:
  friend class Channel;
  Channel& channel_;
  T item_;
  ProcessRecord* process_ = nullptr;
};

template <typename T>
class Channel<T>::GetWait final : public Wait, private ListNode {
 public:
  explicit GetWait(Channel& channel) : channel_(channel) {}
  [[nodiscard]] bool await_ready() const { return channel_.has_item(); }
  void await_suspend(Process::Frame frame) {
    process_ = frame.promise().record;
    process_->wait = this;
    channel_.getters_.push_back(*this);
    channel_.grant();
  }
  [[nodiscard]] T await_resume() {
    if (process_ != nullptr) {
      if (!linked()) throw std::logic_error("the channel was destroyed while an item was granted");
      unlink();
      --channel_.granted_count_;
    }
    return channel_.take();
  }

  [[nodiscard]] std::string description() const override {
    if (!linked()) return "a destroyed channel";
    return fmt::format("an item in channel '{}'", channel_.name_);
  }
  void abandon() override {
    if (!linked()) return;  // the channel was destroyed
    unlink();
    if (!is_granted_) return;
    --channel_.granted_count_;
    channel_.grant();
  }

 private:
  friend class Channel;
  Channel& channel_;
  ProcessRecord* process_ = nullptr;  // null when it did not have to wait
  bool is_granted_ = false;
};

}  // namespace kernbench::model::engine
