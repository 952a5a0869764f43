// SPDX-License-Identifier: Apache-2.0
// HostContext: the functions of a Context, and of the ranks of a process group, from which
// kernbench/_context.py makes the interface of benches.
#include <vector>

#include "model/runtime/kernel_registry.hpp"
#include "python/language/call.hpp"
#include "python/language/host_convert.hpp"
#include "python/language/types.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::python {

using model::runtime::Context;
using model::runtime::DpPolicy;
using model::runtime::Stream;

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
void estimate(const HostPart& part, std::string_view reason) {
  part.kb->session().record().estimates.insert(std::string(reason));
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

Object live_values(const HostPart& part, std::uint32_t copy) {
  const model::data::Replay* const live = part.kb->session().recorder().live();
  if (live == nullptr) {
    raise(PyExc_RuntimeError,
          "the numbers of a copy exist after a run with verify=True, or in one with live data");
  }
  const auto found = live->results().find(copy);
  if (found == live->results().end()) {
    raise(PyExc_RuntimeError, "the copy is not complete; torch.synchronize() waits for it");
  }
  return to_python(found->second);
}

void close_part(const Object& object) {
  reinterpret_cast<Box<HostPart*>*>(object.get())->value = nullptr;
}

template <auto function>
PyMethodDef host_method(const char* name, std::vector<std::string> parameters) {
  return method<function>("HostContext", {name, std::move(parameters), ""});
}

/// All methods of HostContext, with a last entry of zeros.
std::vector<PyMethodDef>& host_methods() {
  static std::vector<PyMethodDef> methods = [] {
    std::vector<PyMethodDef> all = {
        host_method<&tensor>("tensor", {"rows", "columns", "type", "policy", "values"}),
        host_method<&expect>("expect",
                             {"name", "result", "type", "values", "relative", "absolute"}),
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
        host_method<&accumulator_bytes>("accumulator_bytes", {}),
        host_method<&parameters>("parameters", {}),
        host_method<&figure>("figure", {"name", "value", "unit"}),
        host_method<&estimate>("estimate", {"reason"}),
        host_method<&add_stream>("add_stream", {}),
        host_method<&enter_stream>("enter_stream", {"stream"}),
        host_method<&mark>("mark", {}),
        host_method<&wait_for>("wait_for", {"mark"}),
        host_method<&live_values>("live_values", {"copy"}),
    };
    for (const PyMethodDef& one : rank_methods()) all.push_back(one);
    all.push_back({});
    return all;
  }();
  return methods;
}

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

bool computes(Context& kb) {
  return kb.session().options().verifies || kb.session().recorder().live() != nullptr;
}

HostData data_of(Context& kb, PyObject* values, DataType type) {
  if (!computes(kb)) return [] { return Array(); };
  Object made = Object::shared(values);
  if (PyCallable_Check(values) != 0) made = Object::taken(PyObject_CallNoArgs(values));
  return [array = array_of(made.get(), type)] { return array; };
}

void call_with(PyObject* function, HostPart& part) {
  const Object context = Box<HostPart*>::make(&part);
  PyObject* const returned = PyObject_CallOneArg(function, context.get());
  close_part(context);
  if (returned == nullptr) {
    try {
      throw_raised();
    } catch (const std::exception&) {  // the unwinding of a destroyed fiber is not one
      if (part.raised != nullptr && !*part.raised) *part.raised = std::current_exception();
      throw;
    }
  }
  Py_DECREF(returned);
}

void call_kernel(PyObject* function, Tl& tl, const std::vector<Object>& arguments) {
  const Object object = object_for(tl);
  std::vector<PyObject*> values{object.get()};
  for (const Object& argument : arguments) values.push_back(argument.get());
  PyObject* const returned = PyObject_Vectorcall(function, values.data(), values.size(), nullptr);
  close(object);
  if (returned == nullptr) throw_raised();
  const Object result = Object::taken(returned);
  if (returned == Py_None) return;
  throw std::runtime_error(
      fmt::format("the kernel returned {}; a kernel returns nothing", shown(returned)));
}

model::runtime::KernelBody kernel_body(Kept function, Kept arguments) {
  return [function = std::move(function), arguments = std::move(arguments)](Tl& tl) {
    const PythonThread python;
    std::vector<Object> values;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments.get()); ++i) {
      values.push_back(Object::shared(PyTuple_GET_ITEM(arguments.get(), i)));
    }
    call_kernel(function.get(), tl, values);
  };
}

void call_host_part(PyObject* function, Context& kb, std::exception_ptr* raised) {
  const PythonThread python;
  HostPart part{&kb};
  part.raised = raised;
  call_with(function, part);
}

void add_host_types(PyObject* module) {
  Box<HostPart*>::type =
      add_type(module, "HostContext", "The interface of a bench, from which Context is made.",
               sizeof(Box<HostPart*>), &destroy_context, host_methods().data(), nullptr);
  add_handle<Tensor>(module, "Tensor", "A tensor in the memory of a SIP.");
  add_handle<Mark>(module, "Mark", "The requests of a stream up to some point.");
  add_handle<ColumnLayer>(module, "ColumnLayer", "A ColumnParallelLinear.");
  add_handle<RowLayer>(module, "RowLayer", "A RowParallelLinear.");
}

}  // namespace kernbench::python
