// SPDX-License-Identifier: Apache-2.0
// HostContext: the functions of a Context, and of the ranks of a process group, from which
// kernbench/_context.py makes the interface of benches.
#include <vector>

#include "model/ccl/tensor_parallel.hpp"
#include "model/runtime/kernel_registry.hpp"
#include "python/language/call.hpp"
#include "python/language/host_part.hpp"
#include "python/language/types.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::python {

using model::ccl::ColumnParallelLinear;
using model::ccl::Member;
using model::ccl::RowParallelLinear;
using model::runtime::Context;
using model::runtime::DpPolicy;
using model::runtime::HostData;
using model::runtime::Mark;
using model::runtime::Stream;
using model::runtime::Tensor;

using ColumnLayer = std::shared_ptr<ColumnParallelLinear>;
using RowLayer = std::shared_ptr<RowParallelLinear>;

/// A parameter that takes any object.
struct AnyObject {
  PyObject* object;
};

template <>
struct Convert<AnyObject> : NoDefault {
  static constexpr const char* kName = "Any";
  [[nodiscard]] static AnyObject from(PyObject* object, const Place& /*place*/) { return {object}; }
  [[nodiscard]] static AnyObject standard(std::string_view, const Place& place) { absent(place); }
};
/// A value of a Box; None is an empty one.
template <typename T>
struct ConvertBoxed : NoDefault {
  [[nodiscard]] static T from(PyObject* object, const Place& place) {
    if (object == Py_None) return {};
    const T* const value = Box<T>::in(object);
    if (value == nullptr) refuse(place, Convert<T>::kName, object);
    return *value;
  }
  [[nodiscard]] static T standard(std::string_view, const Place& place) { absent(place); }
};
template <>
struct Convert<Tensor> : ConvertBoxed<Tensor> {
  static constexpr const char* kName = "Optional[Tensor]";
};
template <>
struct Convert<Mark> : ConvertBoxed<Mark> {
  static constexpr const char* kName = "Optional[Mark]";
};
template <>
struct Convert<ColumnLayer> : ConvertBoxed<ColumnLayer> {
  static constexpr const char* kName = "ColumnLayer";
};
template <>
struct Convert<RowLayer> : ConvertBoxed<RowLayer> {
  static constexpr const char* kName = "RowLayer";
};
template <>
struct Convert<std::int64_t> {
  static constexpr const char* kName = "int";
};
template <>
struct Convert<std::string> {
  static constexpr const char* kName = "str";
};
template <>
struct Convert<Object> {
  static constexpr const char* kName = "Any";
};

Object to_python(const Tensor& tensor) {
  return Box<Tensor>::make(tensor);
}
Object to_python(const Mark& mark) {
  return Box<Mark>::make(mark);
}
Object to_python(const ColumnLayer& layer) {
  return Box<ColumnLayer>::make(layer);
}
Object to_python(const RowLayer& layer) {
  return Box<RowLayer>::make(layer);
}

template <>
HostPart& self_of<HostPart>(PyObject* self) {
  HostPart* const part = reinterpret_cast<Box<HostPart*>*>(self)->value;
  if (part == nullptr) raise(PyExc_RuntimeError, "the run of this host has ended");
  return *part;
}

namespace {

/// Returns the placement of a tensor: a name, or (of cubes, of PEs, cubes or None, PEs or None).
DpPolicy policy_of(PyObject* object) {
  const std::string function = "tensor";
  const Place place{&function, "policy"};
  if (PyUnicode_Check(object)) {
    const std::string_view name = Convert<std::string_view>::from(object, place);
    if (const auto policy = model::runtime::policy_of(name)) return *policy;
    std::string names;
    for (const auto& one : model::runtime::kNamedPolicies) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
    }
    raise(PyExc_ValueError, fmt::format("'{}' is not a policy: use {}", name, names));
  }
  if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 4) {
    refuse(place, "a name or a DPPolicy", object);
  }
  const auto placement = [&](Py_ssize_t i) {
    const std::string_view name =
        Convert<std::string_view>::from(PyTuple_GET_ITEM(object, i), place);
    const auto known = model::runtime::placement_of(name);
    if (!known) {
      raise(PyExc_ValueError,
            fmt::format("'{}' is not a placement: use replicate, row_wise or column_wise", name));
    }
    return *known;
  };
  const auto count = [&](Py_ssize_t i) {
    return Convert<std::optional<std::uint32_t>>::from(PyTuple_GET_ITEM(object, i), place);
  };
  return {placement(0), placement(1), count(2), count(3)};
}

/// Returns true if the run computes numbers.
bool computes(Context& kb) {
  return kb.session().options().verifies || kb.session().recorder().live() != nullptr;
}

/// Returns the numbers of an array, or of a function that returns one. It is called at once, and
/// only if the run computes numbers.
HostData data_of(Context& kb, PyObject* values, DataType type) {
  if (!computes(kb)) return [] { return Array(); };
  Object made = Object::shared(values);
  if (PyCallable_Check(values) != 0) made = Object::taken(PyObject_CallNoArgs(values));
  return [array = array_of(made.get(), type)] { return array; };
}

Object tensor(HostPart& part, std::uint64_t rows, std::uint64_t columns, DataType type,
              AnyObject policy, AnyObject values, model::data::SourceLine line) {
  const DpPolicy placed = policy_of(policy.object);
  HostData data;
  if (values.object != Py_None) data = data_of(*part.kb, values.object, type);
  Tensor made;
  {
    const WithoutPython without;
    made = part.kb->tensor(rows, columns, type, placed, std::move(data), line);
  }
  return to_python(made);
}

Object expect(HostPart& part, std::string_view name, std::uint32_t result, DataType type,
              AnyObject values, std::optional<double> relative, std::optional<double> absolute) {
  const model::runtime::Tolerance usual = model::runtime::default_tolerance(type);
  part.kb->expect(std::string(name), {result, type}, data_of(*part.kb, values.object, type),
                  model::runtime::Tolerance{relative.value_or(usual.relative),
                                            absolute.value_or(usual.absolute)});
  return Object::shared(Py_None);
}

model::runtime::LaunchGrid grid_of(std::optional<std::uint32_t> cubes,
                                   std::optional<std::uint32_t> pes) {
  return {cubes, pes, kKernelStackBytes};
}

/// Launches a function of Python; `arguments` is a tuple, whose tensors become TensorViews.
Object launch(HostPart& part, std::string_view name, AnyObject function, AnyObject arguments,
              std::optional<std::uint32_t> cubes, std::optional<std::uint32_t> pes) {
  const Py_ssize_t count = PyTuple_Size(arguments.object);
  if (count < 0) throw Raised();
  const auto bound = Object::taken(PyTuple_New(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const argument = PyTuple_GET_ITEM(arguments.object, i);
    const Tensor* const tensor = Box<Tensor>::in(argument);
    Object value = tensor == nullptr ? Object::shared(argument) : to_python((*tensor)->view());
    PyTuple_SET_ITEM(bound.get(), i, value.release());
  }
  auto body = kernel_body(keep(Object::shared(function.object)), keep(bound));
  const WithoutPython without;
  part.kb->launch(std::string(name), std::move(body), grid_of(cubes, pes));
  return Object::shared(Py_None);
}

Object launch_registered(HostPart& part, std::string_view name, AnyObject arguments,
                         std::optional<std::uint32_t> cubes, std::optional<std::uint32_t> pes) {
  std::vector<model::runtime::KernelArgument> bound;
  const std::string function = "launch";
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments.object); ++i) {
    PyObject* const argument = PyTuple_GET_ITEM(arguments.object, i);
    const Place place{&function, "an argument"};
    if (const Tensor* const tensor = Box<Tensor>::in(argument)) {
      bound.emplace_back((*tensor)->view());
    } else if (PyFloat_Check(argument)) {
      bound.emplace_back(Convert<double>::from(argument, place));
    } else {
      bound.emplace_back(Convert<std::uint64_t>::from(argument, place));
    }
  }
  const WithoutPython without;
  part.kb->launch(std::string(name), std::move(bound), {cubes, pes});
  return Object::shared(Py_None);
}

std::uint32_t read(HostPart& part, const Tensor& tensor) {
  return part.kb->read(tensor).result;
}
void free_tensor(HostPart& part, const Tensor& tensor) {
  part.kb->free(tensor);
}
void begin_region(HostPart& part, std::string_view name) {
  part.kb->begin_region(std::string(name));
}
void end_region(HostPart& part) {
  part.kb->end_region();
}
void synchronize(HostPart& part) {
  part.kb->synchronize();
}
std::int64_t now_ps(const HostPart& part) {
  return part.kb->now().ps();
}
std::uint32_t cubes(const HostPart& part) {
  return part.kb->cubes();
}
std::uint32_t pes(const HostPart& part) {
  return part.kb->pes();
}
std::string device(const HostPart& part) {
  return part.kb->device().name();
}
bool computes_numbers(const HostPart& part) {
  return computes(*part.kb);
}
std::uint64_t accumulator_bytes(const HostPart& part) {
  return part.kb->session().spec().pe.pe_gemm_accumulator_bytes();
}
Object parameters(const HostPart& part) {
  Object all = Object::taken(PyDict_New());
  for (const auto& [name, value] : part.kb->parameters()) {
    if (PyDict_SetItemString(all.get(), name.c_str(), text(value).get()) < 0) throw Raised();
  }
  return all;
}
void figure(const HostPart& part, std::string_view name, double value, std::string_view unit) {
  part.kb->session().record().figures.push_back({std::string(name), value, std::string(unit)});
}
std::uint32_t add_stream(HostPart& part) {
  return static_cast<std::uint32_t>(part.kb->add_stream());
}
std::uint32_t enter_stream(HostPart& part, std::uint32_t stream) {
  return static_cast<std::uint32_t>(part.kb->enter(Stream(stream)));
}
Object mark(HostPart& part) {
  return to_python(part.kb->mark());
}
void wait_for(HostPart& part, const Mark& before) {
  part.kb->wait_for(before);
}

void init_process_group(HostPart& part, std::string_view backend) {
  if (part.world) throw std::invalid_argument("the process group exists already");
  part.world = std::make_shared<model::ccl::ProcessGroup>(part.kb->session(), backend);
}
std::uint32_t world_size(const HostPart& part) {
  if (!part.world) throw std::invalid_argument("init_process_group() comes first");
  return part.world->world_size();
}
std::uint32_t rank(const HostPart& part) {
  if (part.worker == nullptr) throw std::invalid_argument("a rank exists inside of spawn() only");
  return part.worker->rank();
}

void call_with(PyObject* function, HostPart& part);

/// Calls `function` with a HostContext for each rank, and waits until all return.
Object spawn(HostPart& part, AnyObject function) {
  if (!part.world) throw std::invalid_argument("init_process_group() comes first");
  const Kept body = keep(Object::shared(function.object));
  const WithoutPython without;
  model::ccl::spawn(
      *part.kb, *part.world,
      [&](model::ccl::Worker& worker) {
        const PythonThread python;
        HostPart of_rank{&worker.kb(), &worker, part.world};
        call_with(body.get(), of_rank);
      },
      kHostStackBytes);
  return Object::shared(Py_None);
}

/// A group: "" for the world, or a name and its ranks.
std::optional<Member> member_of(HostPart& part, std::string_view group, AnyObject ranks) {
  (void)rank(part);
  if (group.empty()) return *part.worker;
  const std::string function = "new_group";
  std::vector<std::uint32_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_Size(ranks.object); ++i) {
    numbers.push_back(
        Convert<std::uint32_t>::from(PyTuple_GET_ITEM(ranks.object, i), {&function, "a rank"}));
  }
  model::ccl::Group& made = part.worker->group(std::string(group), numbers);
  if (!made.index_of(part.worker->rank())) return {};
  return part.worker->in(made);
}
Object group_rank(HostPart& part, std::string_view group, AnyObject ranks) {
  const auto member = member_of(part, group, ranks);
  return member ? to_python(member->rank()) : Object::shared(Py_None);
}
Member required_member(HostPart& part, std::string_view group, AnyObject ranks) {
  auto member = member_of(part, group, ranks);
  if (!member) {
    throw std::invalid_argument(
        fmt::format("rank {} is not a member of group '{}'", part.worker->rank(), group));
  }
  return *member;
}
std::vector<std::uint64_t> numbers_of(AnyObject tuple) {
  const std::string function = "a collective";
  std::vector<std::uint64_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.object); ++i) {
    numbers.push_back(Convert<std::uint64_t>::from(PyTuple_GET_ITEM(tuple.object, i),
                                                   {&function, "a number of rows"}));
  }
  return numbers;
}

/// Calls a collective; a tensor may be None, and tuples of rows empty.
Object collective(HostPart& part, std::string_view name, const Tensor& output, const Tensor& input,
                  std::uint32_t root, std::string_view group, AnyObject ranks, AnyObject input_rows,
                  AnyObject output_rows) {
  Member member = required_member(part, group, ranks);
  std::vector<std::uint64_t> in = numbers_of(input_rows);
  std::vector<std::uint64_t> out = numbers_of(output_rows);
  const WithoutPython without;
  member.run(name, output, input, root, std::move(in), std::move(out));
  return Object::shared(Py_None);
}
Object barrier(HostPart& part, std::string_view group, AnyObject ranks) {
  Member member = required_member(part, group, ranks);
  const WithoutPython without;
  member.barrier();
  return Object::shared(Py_None);
}
Object transfer(HostPart& part, const Tensor& tensor, std::uint32_t peer, std::uint32_t sends,
                std::string_view group, AnyObject ranks) {
  Member member = required_member(part, group, ranks);
  const WithoutPython without;
  if (sends != 0) {
    member.send(tensor, peer);
  } else {
    member.receive(tensor, peer);
  }
  return Object::shared(Py_None);
}
Object join(HostPart& part, std::string_view kind, std::string_view group, AnyObject ranks) {
  return text(required_member(part, group, ranks).join(std::string(kind)));
}

template <typename Layer>
Object layer(HostPart& part, std::uint64_t inputs, std::uint64_t outputs, DataType type,
             AnyObject weight) {
  (void)rank(part);
  HostData data = data_of(*part.kb, weight.object, type);
  std::shared_ptr<Layer> made;
  {
    const WithoutPython without;
    made = std::make_shared<Layer>(*part.worker, inputs, outputs, type, data);
  }
  return to_python(made);
}
template <typename Layer>
Object output_of(HostPart& /*part*/, const std::shared_ptr<Layer>& layer, std::uint64_t rows) {
  Tensor made;
  {
    const WithoutPython without;
    made = layer->output(rows);
  }
  return to_python(made);
}
Object forward_column(HostPart& /*part*/, const ColumnLayer& layer, const Tensor& x,
                      const Tensor& y, AnyObject activation) {
  std::optional<model::kernel::Epilogue> step;
  const std::string function = "forward";
  if (activation.object != Py_None) step = step_of(activation.object, {&function, "activation"});
  const WithoutPython without;
  layer->forward(x, y, step);
  return Object::shared(Py_None);
}
void forward_row(HostPart& /*part*/, const RowLayer& layer, const Tensor& x, const Tensor& y) {
  layer->forward(x, y);
}

void close_part(const Object& object) {
  reinterpret_cast<Box<HostPart*>*>(object.get())->value = nullptr;
}

void call_with(PyObject* function, HostPart& part) {
  const Object context = Box<HostPart*>::make(&part);
  PyObject* const returned = PyObject_CallOneArg(function, context.get());
  close_part(context);
  if (returned == nullptr) throw_raised();
  Py_DECREF(returned);
}

template <auto function>
PyMethodDef host_method(const char* name, std::vector<std::string> parameters) {
  return method<function>("HostContext", {name, std::move(parameters), ""});
}

PyMethodDef g_host_methods[] = {
    host_method<&tensor>("tensor", {"rows", "columns", "type", "policy", "values"}),
    host_method<&expect>("expect", {"name", "result", "type", "values", "relative", "absolute"}),
    host_method<&launch>("launch", {"name", "function", "arguments", "cubes", "pes"}),
    host_method<&launch_registered>("launch_registered", {"name", "arguments", "cubes", "pes"}),
    host_method<&read>("read", {"tensor"}),
    host_method<&free_tensor>("free", {"tensor"}),
    host_method<&begin_region>("begin_region", {"name"}),
    host_method<&end_region>("end_region", {}),
    host_method<&synchronize>("synchronize", {}),
    host_method<&now_ps>("now_ps", {}),
    host_method<&cubes>("cubes", {}),
    host_method<&pes>("pes", {}),
    host_method<&device>("device", {}),
    host_method<&computes_numbers>("computes_numbers", {}),
    host_method<&accumulator_bytes>("accumulator_bytes", {}),
    host_method<&parameters>("parameters", {}),
    host_method<&figure>("figure", {"name", "value", "unit"}),
    host_method<&add_stream>("add_stream", {}),
    host_method<&enter_stream>("enter_stream", {"stream"}),
    host_method<&mark>("mark", {}),
    host_method<&wait_for>("wait_for", {"mark"}),
    host_method<&init_process_group>("init_process_group", {"backend"}),
    host_method<&world_size>("world_size", {}),
    host_method<&rank>("rank", {}),
    host_method<&spawn>("spawn", {"function"}),
    host_method<&group_rank>("group_rank", {"group", "ranks"}),
    host_method<&collective>("collective", {"name", "output", "input", "root", "group", "ranks",
                                            "input_rows", "output_rows"}),
    host_method<&barrier>("barrier", {"group", "ranks"}),
    host_method<&transfer>("transfer", {"tensor", "peer", "sends", "group", "ranks"}),
    host_method<&join>("join", {"kind", "group", "ranks"}),
    host_method<&layer<ColumnParallelLinear>>("column_layer",
                                              {"inputs", "outputs", "type", "weight"}),
    host_method<&layer<RowParallelLinear>>("row_layer", {"inputs", "outputs", "type", "weight"}),
    host_method<&output_of<ColumnParallelLinear>>("column_output", {"layer", "rows"}),
    host_method<&output_of<RowParallelLinear>>("row_output", {"layer", "rows"}),
    host_method<&forward_column>("column_forward", {"layer", "x", "y", "activation"}),
    host_method<&forward_row>("row_forward", {"layer", "x", "y"}),
    {}};

void destroy_context(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

template <typename T>
void add_handle(PyObject* module, const char* name, const char* help) {
  Box<T>::type = add_type(module, name, help, sizeof(Box<T>), &Box<T>::destroy, nullptr, nullptr);
}

}  // namespace

model::runtime::KernelBody kernel_body(Kept function, Kept arguments) {
  return [function = std::move(function), arguments = std::move(arguments)](Tl& tl) {
    const PythonThread python;
    const Object object = object_for(tl);
    const Py_ssize_t count = PyTuple_GET_SIZE(arguments.get());
    std::vector<PyObject*> values{object.get()};
    for (Py_ssize_t i = 0; i < count; ++i) {
      values.push_back(PyTuple_GET_ITEM(arguments.get(), i));
    }
    PyObject* const returned =
        PyObject_Vectorcall(function.get(), values.data(), values.size(), nullptr);
    close(object);
    if (returned == nullptr) throw_raised();
    const Object result = Object::taken(returned);
    if (returned != Py_None) {
      throw std::runtime_error(
          fmt::format("the kernel returned {}; a kernel returns nothing",
                      PyGen_Check(returned) ? "a generator, which does nothing" : shown(returned)));
    }
  };
}

void call_host_part(PyObject* function, Context& kb) {
  const PythonThread python;
  HostPart part{&kb};
  call_with(function, part);
}

void add_host_types(PyObject* module) {
  Box<HostPart*>::type =
      add_type(module, "HostContext", "The interface of a bench, from which Context is made.",
               sizeof(Box<HostPart*>), &destroy_context, g_host_methods, nullptr);
  add_handle<Tensor>(module, "Tensor", "A tensor in the memory of a SIP.");
  add_handle<Mark>(module, "Mark", "The requests of a stream up to some point.");
  add_handle<ColumnLayer>(module, "ColumnLayer", "A ColumnParallelLinear.");
  add_handle<RowLayer>(module, "RowLayer", "A RowParallelLinear.");
}

}  // namespace kernbench::python
