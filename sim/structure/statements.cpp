// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kernbench::sim::structure {
namespace {

constexpr int kMostIterations = 100'000;
constexpr int kDeepestCall = 32;

/// Returns true for a node with an assignment in it.
bool assigns(const Design& design, const Node& node) {
  const Op op = design.op(node);
  return op == Op::Assign || op == Op::AssignDelayed ||
         std::any_of(node.children.begin(), node.children.end(),
                     [&](const Node& child) { return assigns(design, child); });
}

bool is_port(const Design& design, const Node& node) {
  const std::string& direction = design.text(node.detail);
  return design.text(node.type) == "VAR" && !direction.empty() && direction != "NONE";
}

}  // namespace

std::vector<BitId> Statements::driven_by(const Node& node) {
  if (design().op(node) == Op::Concat) {
    std::vector<BitId> bits = driven_by(node.children[1]);
    const std::vector<BitId> high = driven_by(node.children[0]);
    bits.insert(bits.end(), high.begin(), high.end());
    return bits;
  }
  const Region target = region(node, {});
  if (!target.exact()) throw NotUnderstood(design().at(node.place) + ": an index that varies");
  std::vector<BitId> bits;
  for (unsigned i = 0; i < target.width; ++i) {
    const std::optional<BitId> bit = target.ranges.front().bit(i);
    if (!bit) throw NotUnderstood(design().at(node.place) + ": an index beyond the signal");
    bits.push_back(*bit);
  }
  return bits;
}

void Statements::assign(const Node& target, const BitValues& value, bool delayed, State& state,
                        const Place& place) {
  if (design().op(target) == Op::Concat) {
    const std::size_t low = driven_by(target.children[1]).size();
    const auto middle = value.begin() + static_cast<std::ptrdiff_t>(std::min(low, value.size()));
    assign(target.children[1], {value.begin(), middle}, delayed, state, place);
    assign(target.children[0], {middle, value.end()}, delayed, state, place);
    return;
  }
  const Region to = region(target, state.now);
  Assigned& into = delayed ? state.later : state.now;
  for (const Range& range : to.ranges) {
    for (unsigned i = 0; i < to.width; ++i) {
      const std::optional<BitId> bit = range.bit(i);
      if (!bit) continue;
      places_[*bit] = place;
      BitValue next = i < value.size() ? value[i] : BitValue::zero();
      if (!to.exact()) {
        const auto known = into.find(*bit);
        const BitValue old = known == into.end() ? BitValue::copy(*bit) : known->second;
        const std::uint64_t which = function_number(static_cast<std::uint64_t>(range.start));
        next = function_of(which, to.index, function_of(which, next, old));
      }
      const auto held = delayed ? held_.end() : held_.find(*bit);
      into[*bit] = held == held_.end() ? std::move(next) : held->second;
    }
  }
}

Assigned Statements::chosen(const BitValue& condition, const Assigned& a, const Assigned& b) {
  Assigned result;
  const auto in = [](const Assigned& map, BitId bit) {
    const auto found = map.find(bit);
    return found == map.end() ? BitValue::copy(bit) : found->second;
  };
  for (const auto& [bit, value] : a) result[bit] = bit_choose(condition, value, in(b, bit));
  for (const auto& [bit, value] : b) {
    if (a.find(bit) == a.end()) {
      result[bit] = bit_choose(condition, BitValue::copy(bit), value);
    }
  }
  return result;
}

void Statements::add_exit(State& state, const Node* block, Exit exit) {
  for (const auto& [other, earlier] : state.exits) {
    if (other != block) exit.when = bit_and(bit_not(earlier.when), exit.when);
  }
  const auto [entry, added] = state.exits.try_emplace(block, exit);
  if (added) return;
  Exit& earlier = entry->second;
  earlier.now = chosen(earlier.when, earlier.now, exit.now);
  earlier.later = chosen(earlier.when, earlier.later, exit.later);
  earlier.when = bit_or(earlier.when, exit.when);
}

State Statements::merged(const BitValue& condition, State taken, State other) {
  State result;
  result.left = taken.left && other.left;
  if (taken.left) {
    result.now = std::move(other.now);
    result.later = std::move(other.later);
  } else if (other.left) {
    result.now = std::move(taken.now);
    result.later = std::move(taken.later);
  } else {
    result.now = chosen(condition, taken.now, other.now);
    result.later = chosen(condition, taken.later, other.later);
  }
  for (auto& [block, exit] : taken.exits) {
    exit.when = bit_and(condition, exit.when);
    result.exits[block] = std::move(exit);
  }
  for (auto& [block, exit] : other.exits) {
    exit.when = bit_and(bit_not(condition), exit.when);
    const auto [entry, added] = result.exits.try_emplace(block, exit);
    if (added) continue;
    Exit& both = entry->second;
    both.now = chosen(condition, both.now, exit.now);
    both.later = chosen(condition, both.later, exit.later);
    both.when = bit_or(both.when, exit.when);
  }
  return result;
}

void Statements::follow(State& state, State next) {
  const std::map<const Node*, Exit> earlier = std::move(state.exits);
  state = State{std::move(next.now), std::move(next.later), next.left, earlier};
  // The paths of `next` exclude each other: only the earlier ones come before each.
  for (auto& [block, exit] : next.exits) {
    State alone;
    alone.exits = earlier;
    add_exit(alone, block, std::move(exit));
    state.exits[block] = std::move(alone.exits[block]);
  }
}

void Statements::run_role(const Node& node, std::string_view role, State& state) {
  for (const Node& child : node.children) {
    if (design().text(child.role) == role) run(child, state);
  }
}

void Statements::run_if(const Node& node, State& state) {
  const BitValue condition = truth(node.children.front(), state.now);
  if (condition.is_constant()) {
    run_role(node, condition.kind == BitValue::Kind::One ? "thensp" : "elsesp", state);
    return;
  }
  State taken{state.now, state.later};
  State other = taken;
  run_role(node, "thensp", taken);
  run_role(node, "elsesp", other);
  follow(state, merged(condition, std::move(taken), std::move(other)));
}

BitValue Statements::matches(const Node& item, const BitValues& subject, const State& state) {
  BitValue any = BitValue::zero();
  for (const Node& child : item.children) {
    if (design().text(child.role) != "condsp") continue;
    const BitValues label = value(child, state.now);
    BitValue differs = BitValue::zero();
    for (std::size_t i = 0; i < std::min(label.size(), subject.size()); ++i) {
      if (label[i].kind == BitValue::Kind::Unknown) continue;  // casez
      differs = bit_or(differs, bit_xor(label[i], subject[i]));
    }
    any = bit_or(any, bit_not(differs));
  }
  return any;
}

void Statements::run_case(const Node& node, State& state) {
  const BitValues subject = value(node.children.front(), state.now);
  std::vector<const Node*> items;
  const Node* otherwise = nullptr;
  std::set<std::uint64_t> labels;
  for (const Node& child : node.children) {
    if (design().op(child) != Op::CaseItem) continue;
    bool has_label = false;
    for (const Node& part : child.children) {
      if (design().text(part.role) != "condsp") continue;
      has_label = true;
      if (const auto label = number(value(part, state.now))) labels.insert(*label);
    }
    if (has_label) {
      items.push_back(&child);
    } else {
      otherwise = &child;
    }
  }
  const bool full = subject.size() < 16 && labels.size() == (std::size_t{1} << subject.size());
  if (full && otherwise == nullptr && !items.empty()) {
    otherwise = items.back();  // every value has a label: the last one is "else"
    items.pop_back();
  }
  // From the last to the first, as nested conditions.
  State rest{state.now, state.later};
  if (otherwise != nullptr) run_role(*otherwise, "stmtsp", rest);
  for (std::size_t i = items.size(); i-- > 0;) {
    const BitValue condition = matches(*items[i], subject, state);
    State taken{state.now, state.later};
    run_role(*items[i], "stmtsp", taken);
    rest = merged(condition, std::move(taken), std::move(rest));
  }
  follow(state, std::move(rest));
}

void Statements::run_while(const Node& node, State& state) {
  for (int i = 0; i < kMostIterations && !state.left; ++i) {
    run_role(node, "precondsp", state);
    const Node* test = nullptr;
    for (const Node& child : node.children) {
      if (design().text(child.role) == "condp") test = &child;
    }
    const BitValue condition = test == nullptr ? BitValue{} : truth(*test, state.now);
    if (condition.kind == BitValue::Kind::Zero) return;
    if (condition.kind != BitValue::Kind::One) break;
    run_role(node, "stmtsp", state);
    run_role(node, "incsp", state);
  }
  if (!state.left) {
    throw NotUnderstood(design().at(node.place) + ": a loop without a constant bound");
  }
}

void Statements::run_loop(const Node& node, State& state) {
  for (int i = 0; i < kMostIterations && !state.left; ++i) {
    for (const Node& child : node.children) {
      if (design().op(child) != Op::LoopTest) {
        run(child, state);
        continue;
      }
      const BitValue condition = truth(child.children.front(), state.now);
      if (condition.kind == BitValue::Kind::Zero) return;
      if (condition.kind != BitValue::Kind::One) {
        throw NotUnderstood(design().at(node.place) + ": a loop without a constant bound");
      }
    }
  }
}

void Statements::run_block(const Node& node, State& state) {
  const bool can_leave = design().text(node.type) == "JUMPBLOCK";
  if (can_leave) blocks_.push_back(&node);
  for (const Node& child : node.children) run(child, state);
  if (!can_leave) return;
  blocks_.pop_back();
  const auto found = state.exits.find(&node);
  if (found == state.exits.end()) return;
  Exit exit = std::move(found->second);
  state.exits.erase(found);
  if (state.left) {
    state.now = std::move(exit.now);
    state.later = std::move(exit.later);
    state.left = false;
  } else {
    state.now = chosen(exit.when, exit.now, state.now);
    state.later = chosen(exit.when, exit.later, state.later);
  }
}

void Statements::jump(const Node& node, State& state) {
  // XML does not say which of the blocks around it is left: it may be any of them.
  std::vector<const Node*> left;
  for (const Node* block : blocks_) {
    if (node.target == 0 || block->id == node.target) left.push_back(block);
  }
  if (left.empty()) throw NotUnderstood(design().at(node.place) + ": a jump");
  for (const Node* block : left) {
    const BitValue when = left.size() == 1 ? BitValue::one() : BitValue{};
    add_exit(state, block, {when, state.now, state.later});
  }
  state.left = true;
}

void Statements::call_function(const Node& node, State& state) {
  const Node* function = design().function(node.target);
  if (function == nullptr || depth_ > kDeepestCall) {
    throw NotUnderstood(
        fmt::format("{}: a call of {}", design().at(node.place), design().text(node.name)));
  }
  std::vector<const Node*> arguments;
  for (const Node& child : node.children) {
    arguments.push_back(design().op(child) == Op::Same ? &child.children.front() : &child);
  }
  std::vector<const Node*> outputs;
  bool has_body = false;
  for (const Node& child : function->children) {
    has_body = has_body || design().text(child.type) != "VAR";
    if (!is_port(design(), child) || child.name == function->name) continue;
    const std::size_t next = outputs.size();
    const std::string& direction = design().text(child.detail);
    const bool output = direction == "output" || direction == "OUTPUT";
    const bool input = direction == "input" || direction == "INPUT";
    outputs.push_back(input ? nullptr : &child);
    if (output || next >= arguments.size()) continue;
    const BitValues given = value(*arguments[next], state.now);
    const BitId base = base_of(child);
    for (std::size_t i = 0; i < given.size(); ++i)
      state.now[base + static_cast<BitId>(i)] = given[i];
  }
  if (!has_body) {
    throw NotUnderstood(fmt::format("{}: a call of {}, which is written in another language",
                                    design().at(node.place), design().text(node.name)));
  }
  const std::vector<const Node*> around = std::exchange(blocks_, {});
  ++depth_;
  for (const Node& child : function->children) run(child, state);
  --depth_;
  blocks_ = around;
  for (std::size_t i = 0; i < outputs.size() && i < arguments.size(); ++i) {
    if (outputs[i] == nullptr) continue;
    const unsigned bits = design().type_of(*outputs[i]).bits();
    BitValues back(bits);
    for (unsigned b = 0; b < bits; ++b) back[b] = state.now[base_of(*outputs[i]) + b];
    assign(*arguments[i], back, false, state, node.place);
  }
}

BitValues Statements::call(const Node& node, const Assigned& assigned) {
  State state{assigned, {}};
  const std::map<BitId, Place> before = std::exchange(places_, {});
  call_function(node, state);
  for (const auto& [bit, place] : places_) {
    // Only the value of the call is used, not what else it does.
    if (!is_local(bit) || before.count(bit) != 0) {
      throw NotUnderstood(fmt::format("{}: a call of {} in an expression, which assigns to signals",
                                      design().at(node.place), design().text(node.name)));
    }
  }
  places_ = before;
  const Node* function = design().function(node.target);
  for (const Node& child : function->children) {
    if (design().text(child.type) != "VAR" || child.name != function->name) continue;
    BitValues result(design().type_of(child).bits());
    const BitId base = base_of(child);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto known = state.now.find(base + static_cast<BitId>(i));
      if (known != state.now.end()) result[i] = known->second;
    }
    return result;
  }
  throw NotUnderstood(fmt::format("{}: a call of {}, which returns nothing",
                                  design().at(node.place), design().text(node.name)));
}

void Statements::run(const Node& node, State& state) {
  if (state.left) return;
  switch (design().op(node)) {
    case Op::Assign:
    case Op::AssignDelayed:
      assign(node.children[1], value(node.children[0], state.now),
             design().op(node) == Op::AssignDelayed, state, node.place);
      return;
    case Op::If:
      return run_if(node, state);
    case Op::Case:
      return run_case(node, state);
    case Op::While:
      return run_while(node, state);
    case Op::Loop:
      return run_loop(node, state);
    case Op::Block:
      return run_block(node, state);
    case Op::Call:
      return call_function(node, state);
    case Op::Jump:
      return jump(node, state);
    case Op::Start:
      return;
    case Op::Ignored:
      if (assigns(design(), node)) {
        throw NotUnderstood(fmt::format("{}: an assignment in {}", design().at(node.place),
                                        design().text(node.type)));
      }
      return;
    default:
      throw NotUnderstood(
          fmt::format("{}: the statement {}", design().at(node.place), design().text(node.type)));
  }
}

}  // namespace kernbench::sim::structure
