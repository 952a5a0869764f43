// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/statements.hpp"

#include <fmt/format.h>

#include <set>

namespace kernbench::sim::structure {
namespace {

constexpr int kMostIterations = 100'000;
constexpr int kDeepestCall = 32;

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
  std::vector<BitId> bits(target.width);
  for (unsigned i = 0; i < target.width; ++i) bits[i] = target.starts.front() + i;
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
  for (const BitId start : to.starts) {
    for (unsigned i = 0; i < to.width; ++i) {
      const BitId bit = start + i;
      places_[bit] = place;
      BitValue next = i < value.size() ? value[i] : BitValue::zero();
      if (!to.exact()) {
        const auto known = into.find(bit);
        const BitValue old = known == into.end() ? BitValue::copy(bit) : known->second;
        next = function_of(to.index, function_of(next, old));
      }
      into[bit] = std::move(next);
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

void Statements::branch(const BitValue& condition, State& state, State taken, State other) {
  State result;
  if (taken.left && !other.left) {
    result.now = std::move(other.now);
    result.later = std::move(other.later);
  } else if (other.left && !taken.left) {
    result.now = std::move(taken.now);
    result.later = std::move(taken.later);
  } else {
    result.now = chosen(condition, taken.now, other.now);
    result.later = chosen(condition, taken.later, other.later);
    result.left = taken.left;
  }
  for (auto& [when, exit] : taken.exits) {
    result.exits.emplace_back(bit_and(condition, when), std::move(exit));
  }
  for (auto& [when, exit] : other.exits) {
    result.exits.emplace_back(bit_and(bit_not(condition), when), std::move(exit));
  }
  for (auto& exit : state.exits) result.exits.push_back(std::move(exit));
  state = std::move(result);
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
  branch(condition, state, std::move(taken), std::move(other));
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
    State joined;
    branch(condition, joined, std::move(taken), std::move(rest));
    rest = std::move(joined);
  }
  for (auto& exit : state.exits) rest.exits.push_back(std::move(exit));
  state = std::move(rest);
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
  std::vector<std::pair<BitValue, State>> outer = std::move(state.exits);
  state.exits.clear();
  for (const Node& child : node.children) run(child, state);
  if (design().text(node.type) == "JUMPBLOCK") {
    std::vector<std::pair<BitValue, State>> exits = std::move(state.exits);
    state.exits.clear();
    if (state.left && !exits.empty()) {
      state = std::move(exits.back().second);
      exits.pop_back();
      state.left = false;
      state.exits.clear();
    }
    for (auto& [when, exit] : exits) {
      state.now = chosen(when, exit.now, state.now);
      state.later = chosen(when, exit.later, state.later);
    }
  }
  for (auto& exit : outer) state.exits.push_back(std::move(exit));
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
  std::size_t next = 0;
  for (const Node& child : function->children) {
    const std::string& direction = design().text(child.detail);
    if (design().text(child.type) != "VAR" || direction.empty() || direction == "NONE") continue;
    const bool result = child.name == function->name;
    const bool input = direction == "input" || direction == "INPUT";
    outputs.push_back(result || input ? nullptr : &child);
    if (result) {
      outputs.pop_back();
      continue;
    }
    const BitValues given =
        input && next < arguments.size() ? value(*arguments[next], state.now) : BitValues{};
    const BitId base = base_of(child);
    for (std::size_t i = 0; i < given.size(); ++i)
      state.now[base + static_cast<BitId>(i)] = given[i];
    ++next;
  }
  ++depth_;
  for (const Node& child : function->children) run(child, state);
  --depth_;
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
  call_function(node, state);
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
    case Op::Jump: {
      State exit{state.now, state.later};
      state.exits.emplace_back(BitValue::one(), std::move(exit));
      state.left = true;
      return;
    }
    case Op::Ignored:
      return;
    default:
      throw NotUnderstood(
          fmt::format("{}: the statement {}", design().at(node.place), design().text(node.type)));
  }
}

}  // namespace kernbench::sim::structure
