// SPDX-License-Identifier: Apache-2.0
// Cost and CostQuery, with which modules of collectives state the formula of their time.
#include <algorithm>
#include <vector>

#include "python/language/call.hpp"
#include "python/language/host_convert.hpp"
#include "python/language/types.hpp"

namespace kernbench::python {

using model::ccl::Cost;
using model::ccl::CostQuery;
using model::ccl::Step;

/// A function that returns the cost of an exchange.
struct Exchange {
  PyObject* function;
};

template <>
struct Convert<Exchange> : NoDefault {
  static constexpr const char* kName = "Callable[[CostQuery, float, float], Cost]";
  [[nodiscard]] static Exchange from(PyObject* object, const Place& place) {
    if (PyCallable_Check(object) == 0) refuse(place, "a function", object);
    return {object};
  }
  [[nodiscard]] static Exchange standard(std::string_view, const Place& place) { absent(place); }
};
template <>
struct Convert<Cost> : NoDefault {
  static constexpr const char* kName = "Cost";
  [[nodiscard]] static const Cost& from(PyObject* object, const Place& place) {
    const Cost* const cost = Box<Cost>::in(object);
    if (cost == nullptr) refuse(place, "a Cost", object);
    return *cost;
  }
  [[nodiscard]] static const Cost& standard(std::string_view, const Place& place) { absent(place); }
};
template <>
struct Convert<Step> : NoDefault {
  static constexpr const char* kName = "str";
  [[nodiscard]] static Step from(PyObject* object, const Place& place) {
    const std::string_view name = Convert<std::string_view>::from(object, place);
    const auto& names = model::ccl::kStepNames;
    const auto* const found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      refuse_value(place, fmt::format("'{}' is not a step: use {}", name, fmt::join(names, ", ")));
    }
    return static_cast<Step>(found - names.begin());
  }
  [[nodiscard]] static Step standard(std::string_view, const Place& place) { absent(place); }
};

namespace {

/// Returns the cost that a function returned.
Cost cost_of(const Object& returned) {
  const Cost* const cost = Box<Cost>::in(returned.get());
  if (cost == nullptr) {
    raise(PyExc_TypeError, fmt::format("the formula returned {} of type {}, not a Cost",
                                       shown(returned.get()), Py_TYPE(returned.get())->tp_name));
  }
  return *cost;
}

/// Returns a function of Python as the cost of an exchange. The thread must hold the GIL.
model::ccl::ExchangeCost exchange_of(const Exchange& exchange) {
  return [function = exchange.function](const CostQuery& query, double bytes, double pieces) {
    const Object object = Box<CostQuery>::make(query);
    return cost_of(
        Object::taken(PyObject_CallFunction(function, "Odd", object.get(), bytes, pieces)));
  };
}

// Functions of a constant query keep the GIL, which those of Python below them need.

Cost steps(const CostQuery& /*query*/, Step step, double count, double bytes) {
  return Cost::of(step, count, bytes);
}
Cost following(const CostQuery& query, double bytes) {
  return query.following(bytes);
}
Cost sequence(const CostQuery& query, std::uint32_t messages, double bytes) {
  return query.sequence(messages, bytes);
}
Cost slower(const CostQuery& query, const Cost& a, const Cost& b) {
  return query.slower(a, b);
}
Cost ring(const CostQuery& query, std::uint32_t places, double bytes) {
  return model::ccl::ring_cost(query, places, bytes, false);
}
Cost ring_all_reduce(const CostQuery& query, std::uint32_t places, double bytes, double behind) {
  return model::ccl::ring_all_reduce_cost(query, places, bytes, behind);
}
model::ccl::TreeShape tree_of(const CostQuery& query) {
  return model::ccl::TreeShape::of_grid(query.grid, model::ccl::center_of(query.grid), false);
}
Cost reduce(const CostQuery& query, double bytes, double pieces) {
  return tree_of(query).reduce(query, bytes, pieces);
}
Cost broadcast(const CostQuery& query, double bytes, double pieces) {
  return tree_of(query).broadcast(query, bytes, pieces);
}
Cost in_groups(const CostQuery& query, Exchange exchange, std::uint32_t pieces) {
  return model::ccl::cost_in_groups(query, exchange_of(exchange), pieces);
}
Cost in_rounds(const CostQuery& query, Exchange exchange) {
  return model::ccl::cost_in_rounds(query, exchange_of(exchange));
}
double time_ns(const CostQuery& query, const Cost& cost) {
  return cost.time(query.parameters);
}

Object pair_of(const model::ccl::Grid& grid) {
  return Object::taken(Py_BuildValue("(II)", grid.nx, grid.ny));
}
Object grid_of_members(const CostQuery& query) {
  return pair_of(query.grid);
}
Object cubes_of_member(const CostQuery& query) {
  return pair_of(query.cubes);
}

PyMethodDef g_query_methods[] = {
    method<&steps>("CostQuery",
                   {"of",
                    {"step", "count", "bytes"},
                    "So many steps of so many bytes each, one after the other. The names of the "
                    "steps are those that `kernbench evaluate collectives` prints."}),
    method<&following>("CostQuery",
                       {"following", {"bytes"}, "A message that follows one which it waits for."}),
    method<&sequence>(
        "CostQuery",
        {"sequence", {"messages", "bytes"}, "Messages that each wait for the one before."}),
    method<&slower>("CostQuery", {"slower", {"a", "b"}, "The cost that takes longer."}),
    method<&ring>("CostQuery", {"ring",
                                {"places", "bytes"},
                                "The places - 1 steps of one piece around a ring, without sums."}),
    method<&ring_all_reduce>("CostQuery", {"ring_all_reduce",
                                           {"places", "bytes", "behind=1.0"},
                                           "Both ways around a ring of an all-reduce, with "
                                           "`behind` pieces of so many bytes in each step."}),
    method<&reduce>("CostQuery", {"reduce",
                                  {"bytes", "pieces"},
                                  "The sums of so many pieces along the tree of shortest paths in "
                                  "the grid of members."}),
    method<&broadcast>(
        "CostQuery",
        {"broadcast", {"bytes", "pieces"}, "The copies of so many pieces along the same tree."}),
    method<&in_groups>("CostQuery", {"in_groups",
                                     {"exchange", "pieces"},
                                     "An all-reduce whose cubes sum groups of pieces towards the "
                                     "root cube: exchange(query, bytes, pieces) is the cost of one "
                                     "group between members."}),
    method<&in_rounds>("CostQuery", {"in_rounds",
                                     {"exchange"},
                                     "A collective whose root cubes exchange the blocks in rounds: "
                                     "exchange(query, bytes, 1) is the cost of one round."}),
    method<&time_ns>("CostQuery", {"time_ns", {"cost"}, "The time of a cost, with a launch."}),
    {}};
PyGetSetDef g_query_attributes[] = {
    {"members", &attribute<&CostQuery::members>, nullptr, "places that exchange data", nullptr},
    {"grid", &attribute<&grid_of_members>, nullptr, "(width, height) of the members", nullptr},
    {"kind", &attribute<&CostQuery::kind>, nullptr, "the neighbour kind", nullptr},
    {"cubes", &attribute<&cubes_of_member>, nullptr, "(width, height) of a member in cubes",
     nullptr},
    {"root_cube", &attribute<&CostQuery::root_cube>, nullptr, "the cube that exchanges data",
     nullptr},
    {"input_blocks", &attribute<&CostQuery::input_blocks>, nullptr,
     "blocks of the member that has most", nullptr},
    {"output_blocks", &attribute<&CostQuery::output_blocks>, nullptr,
     "blocks of the member that has most", nullptr},
    {"bytes", &attribute<&CostQuery::bytes>, nullptr, "size of the part of a PE in a block",
     nullptr},
    {"element_bytes", &attribute<&CostQuery::element>, nullptr, "size of an element", nullptr},
    {"slot_bytes", &attribute<&CostQuery::slot_bytes>, nullptr, "the largest message", nullptr},
    {"slots", &attribute<&CostQuery::slots>, nullptr, "messages that a neighbour can buffer",
     nullptr},
    {"tile_bytes", &attribute<&CostQuery::tile_bytes>, nullptr, "TCM available for tiles", nullptr},
    {"lanes", &attribute<&CostQuery::lanes>, nullptr, "PEs of a cube", nullptr},
    {}};

PyObject* add(PyObject* a, PyObject* b) {
  const Cost* const left = Box<Cost>::in(a);
  const Cost* const right = Box<Cost>::in(b);
  if (left == nullptr || right == nullptr) Py_RETURN_NOTIMPLEMENTED;
  return guarded([&] { return to_python(*left + *right).release(); });
}

PyObject* multiply(PyObject* a, PyObject* b) {
  PyObject* const number = Box<Cost>::in(a) == nullptr ? a : b;
  const Cost* const cost = Box<Cost>::in(number == a ? b : a);
  if (cost == nullptr || (!PyFloat_Check(number) && !PyLong_Check(number))) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  return guarded([&] {
    const std::string function = "a product";
    return to_python(Convert<double>::from(number, {&function, "the factor"}) * *cost).release();
  });
}

}  // namespace

std::function<Cost(const CostQuery&)> formula_of(Kept function) {
  return [function = std::move(function)](const CostQuery& query) {
    const WithPython python;
    try {
      const Object object = Box<CostQuery>::make(query);
      return cost_of(Object::taken(PyObject_CallOneArg(function.get(), object.get())));
    } catch (const Raised&) {
      throw_raised();
    }
  };
}

void add_cost_types(PyObject* module) {
  Box<Cost>::type = add_type(
      module, "Cost", "Steps on a critical path. Costs are added, and multiplied by numbers.",
      sizeof(Box<Cost>), &Box<Cost>::destroy, nullptr, nullptr,
      {{Py_nb_add, reinterpret_cast<void*>(&add)},
       {Py_nb_multiply, reinterpret_cast<void*>(&multiply)}});
  Box<CostQuery>::type = add_type(
      module, "CostQuery",
      "The quantities in the formula of a collective, and the costs of its parts.",
      sizeof(Box<CostQuery>), &Box<CostQuery>::destroy, g_query_methods, g_query_attributes);
}

}  // namespace kernbench::python
