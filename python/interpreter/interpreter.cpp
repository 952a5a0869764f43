// SPDX-License-Identifier: Apache-2.0
// The plugin with which the program reads files in Python: an interpreter, which starts with the
// first file.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <kernbench/plugin.hpp>
#include <string>

#include "python/language/errors.hpp"
#include "python/language/files.hpp"
#include "python/language/module.hpp"

namespace kernbench::python {
namespace {

/// Returns the folder that has the package `kernbench`, which this library is part of.
std::string folder_of_packages() {
  Dl_info library{};
  dladdr(reinterpret_cast<const void*>(&folder_of_packages), &library);
  return std::filesystem::absolute(library.dli_fname).parent_path().parent_path().string();
}

/// Throws common::BadInput when CPython could not start.
void check(const PyStatus& status) {
  if (PyStatus_Exception(status) == 0) return;
  throw common::BadInput(fmt::format("Python cannot start: {}", status.err_msg));
}

/// Starts the interpreter in this thread, which then does not hold the GIL. The program keeps its
/// own answers to signals, and its output and that of Python are in order.
void start() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.buffered_stdio = 0;
  config.parse_argv = 0;
  check(PyConfig_SetBytesString(&config, &config.program_name, KERNBENCH_PYTHON_PROGRAM));
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  check(status);
  const auto path = Object::shared(PySys_GetObject("path"));
  if (PyList_Insert(path.get(), 0, text(folder_of_packages()).get()) < 0) throw Raised();
  add_language_module();
  const Object limit = of_package("_benches", "limit_output");
  (void)Object::taken(PyObject_CallNoArgs(limit.get()));
  // The package may keep its bytecode. Folders of users stay as they are.
  if (PySys_SetObject("dont_write_bytecode", Py_True) < 0) throw Raised();
  PyEval_SaveThread();
}

/// Starts the interpreter with the first file.
void need_python() {
  static const bool started = [] {
    try {
      start();
    } catch (const Raised&) {
      throw_raised();
    }
    return true;
  }();
  (void)started;
}

const model::bench::BenchLanguageRegistration kPython{
    {".py",
     [](const std::string& path) {
       need_python();
       return read_benches(path);
     },
     [](const std::string& path, const std::string& name) {
       need_python();
       return read_algorithm(path, name);
     }}};

}  // namespace
}  // namespace kernbench::python

KERNBENCH_PLUGIN("python", KERNBENCH_PYTHON_VERSION);
