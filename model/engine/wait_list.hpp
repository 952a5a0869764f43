// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::model::engine {

/// A member of at most one WaitList. Nodes live in the frames of suspended processes. They are
/// unlinked explicitly because compilers differ in when they destroy the temporaries of an await
/// expression.
class ListNode {
 public:
  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;

  [[nodiscard]] bool linked() const { return next_ != this; }
  void unlink() {
    prev_->next_ = next_;
    next_->prev_ = prev_;
    prev_ = next_ = this;
  }

 private:
  friend class WaitList;
  ListNode* prev_ = this;
  ListNode* next_ = this;
};

/// Nodes in order of arrival. Destroying the list unlinks its nodes, so either side may be
/// destroyed first.
class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList() {
    while (!empty()) ring_.next_->unlink();
  }

  [[nodiscard]] bool empty() const { return !ring_.linked(); }
  [[nodiscard]] ListNode& front() const { return *ring_.next_; }
  [[nodiscard]] ListNode& back() const { return *ring_.prev_; }
  void push_back(ListNode& node) { insert_before(ring_, node); }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const ListNode* node = ring_.next_; node != &ring_; node = node->next_) visit(*node);
  }

  /// Puts `node`, which must be unlinked, in the place of `old`.
  static void replace(ListNode& old, ListNode& node) {
    insert_before(old, node);
    old.unlink();
  }

 private:
  static void insert_before(ListNode& place, ListNode& node) {
    node.prev_ = place.prev_;
    node.next_ = &place;
    place.prev_->next_ = &node;
    place.prev_ = &node;
  }

  ListNode ring_;
};

}  // namespace kernbench::model::engine
