// SPDX-License-Identifier: Apache-2.0
// The extension module kernbench._native. The package makes frames and exceptions of what it gives.
#include <dlfcn.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/bench/runner.hpp"
#include "model/data/replay.hpp"
#include "model/plugin/plugin.hpp"
#include "python/language/errors.hpp"
#include "python/language/files.hpp"
#include "python/language/module.hpp"
#include "python/run.hpp"
#include "python/topology.hpp"
#include "python/transfers.hpp"

namespace kernbench::python {
namespace {

namespace py = pybind11;

/// Raises kernbench.BadInput with the text and (file, line, column, message, hint) of each error.
void raise_bad_input(const common::BadInput& error) {
  py::list errors;
  for (const common::Diagnostic& diagnostic : error.diagnostics().errors()) {
    errors.append(py::make_tuple(diagnostic.position.file, diagnostic.position.line,
                                 diagnostic.position.column, diagnostic.message, diagnostic.hint));
  }
  const py::object type = py::module_::import("kernbench").attr("BadInput");
  PyErr_SetObject(type.ptr(), type(error.what(), errors).ptr());
}

void raise_run_failed(const std::exception& error) {
  const py::object type = py::module_::import("kernbench").attr("RunFailed");
  PyErr_SetString(type.ptr(), error.what());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the type that pybind11 takes
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const PythonFailure& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.exception().get())),
                    error.exception().get());
  } catch (const common::BadInput& error) {
    raise_bad_input(error);
  } catch (const model::memory::OutOfMemory& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const model::bench::RunDeadlocked& error) {
    raise_run_failed(error);
  } catch (const model::bench::RunFailed& error) {
    raise_run_failed(error);
  } catch (const model::bench::TimeLimitReached& error) {
    raise_run_failed(error);
  } catch (const model::bench::NothingSubmitted& error) {
    raise_run_failed(error);
  } catch (const model::data::ReplayError& error) {
    raise_run_failed(error);
  }
}

/// Loads plugins, which find what they use in this module.
void load_plugins(const std::vector<std::string>& paths) {
  Dl_info module{};
  dladdr(reinterpret_cast<const void*>(&load_plugins), &module);
  // Python has loaded the module for itself alone. Loaded again, its symbols are global.
  if (dlopen(module.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) == nullptr) {
    throw std::runtime_error(dlerror());
  }
  model::plugin::load_plugins(paths);
}

/// Files in Python need no other interpreter here.
const model::bench::BenchLanguageRegistration kPython{{".py", &read_benches, &read_algorithm}};

}  // namespace
}  // namespace kernbench::python

PYBIND11_MODULE(_native, module) {
  namespace python = kernbench::python;
  try {
    python::add_language_module();
  } catch (const python::Raised&) {
    throw pybind11::error_already_set();
  }
  pybind11::register_exception_translator(&python::translate);
  auto topology = python::add_topology(module);
  python::add_runs(module, topology);
  python::add_pages(module);
  python::add_studies(topology);
  python::add_transfers(module);
  python::add_fabrics(module);
  module.def("load_plugins", &python::load_plugins);
}
