// SPDX-License-Identifier: Apache-2.0
#include "python/language/module.hpp"

#include <fmt/format.h>

#include "common/registration.hpp"
#include "python/language/call.hpp"
#include "python/language/host_part.hpp"
#include "python/language/types.hpp"

namespace kernbench::python {
namespace {

/// register_bench(name, description, parameters, function): parameters are (name, default,
/// description, whether it names a file) each. Returns None, or why the bench is refused.
PyObject* register_bench(PyObject* /*module*/, PyObject* arguments) {
  return guarded([&]() -> PyObject* {
    const char* name = nullptr;
    const char* description = nullptr;
    PyObject* parameters = nullptr;
    PyObject* function = nullptr;
    if (PyArg_ParseTuple(arguments, "ssO!O", &name, &description, &PyTuple_Type, &parameters,
                         &function) == 0) {
      throw Raised();
    }
    model::bench::Bench bench;
    bench.name = name;
    bench.description = description;
    bench.stack_bytes = kHostStackBytes;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parameters); ++i) {
      const char* parameter = nullptr;
      const char* value = nullptr;
      const char* help = nullptr;
      int is_file = 0;
      if (PyArg_ParseTuple(PyTuple_GET_ITEM(parameters, i), "sssp", &parameter, &value, &help,
                           &is_file) == 0) {
        throw Raised();
      }
      bench.parameters.push_back({parameter, value, help, is_file != 0});
    }
    bench.run = [function = keep(Object::shared(function))](model::runtime::Context& kb) {
      call_host_part(function.get(), kb);
    };
    const common::RegistrationErrors refused;
    const model::bench::Registration registration(std::move(bench));
    if (refused.messages().empty()) return Py_NewRef(Py_None);
    return text(refused.messages().front()).release();
  });
}

/// signatures(): (type, name, ((parameter, type, default or None), ...), result, help, has options)
/// of each method, for stubs.
PyObject* signatures(PyObject* /*module*/, PyObject* /*arguments*/) {
  return guarded([] {
    Object all = Object::taken(PyList_New(0));
    for (const StubLine& line : stub_lines()) {
      const Signature& signature = *line.signature;
      const auto parameters = Object::taken(PyList_New(0));
      for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const auto standard = signature.default_of(i);
        const auto entry = Object::taken(Py_BuildValue(
            "(ssz)", std::string(signature.parameter(i)).c_str(), line.parameter_types[i].c_str(),
            standard ? std::string(*standard).c_str() : nullptr));
        if (PyList_Append(parameters.get(), entry.get()) < 0) throw Raised();
      }
      const auto entry = Object::taken(
          Py_BuildValue("(ssOssi)", line.type.c_str(), signature.name.c_str(), parameters.get(),
                        line.result.c_str(), signature.help.c_str(), line.has_options ? 1 : 0));
      if (PyList_Append(all.get(), entry.get()) < 0) throw Raised();
    }
    return all.release();
  });
}

PyMethodDef g_functions[] = {{"register_bench", &register_bench, METH_VARARGS, nullptr},
                             {"signatures", &signatures, METH_NOARGS, nullptr},
                             {}};
PyModuleDef g_module = {PyModuleDef_HEAD_INIT,
                        "kernbench._language",
                        "Kernels and benches in Python.",
                        -1,
                        g_functions,
                        nullptr,
                        nullptr,
                        nullptr,
                        nullptr};

}  // namespace

void add_language_module() {
  const auto module = Object::taken(PyModule_Create(&g_module));
  add_errors(module.get());
  add_kernel_types(module.get());
  add_host_types(module.get());
  add_cost_types(module.get());
  if (PyDict_SetItemString(PyImport_GetModuleDict(), "kernbench._language", module.get()) < 0) {
    throw Raised();
  }
}

}  // namespace kernbench::python
