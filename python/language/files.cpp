// SPDX-License-Identifier: Apache-2.0
#include "python/language/files.hpp"

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/ccl/algorithm.hpp"
#include "model/ccl/algorithm_file.hpp"
#include "python/language/convert.hpp"
#include "python/language/host_part.hpp"
#include "python/language/types.hpp"

namespace kernbench::python {
namespace {

std::vector<std::string> texts_of(PyObject* list) {
  std::vector<std::string> all;
  for (Py_ssize_t i = 0; i < PySequence_Size(list); ++i) {
    const auto one = Object::taken(PySequence_GetItem(list, i));
    all.push_back(text_of(one.get()));
  }
  return all;
}

/// Throws the errors of a file, (file, line, column, message, hint) each, if there are any.
void throw_errors(PyObject* errors) {
  common::Diagnostics diagnostics;
  for (Py_ssize_t i = 0; i < PyList_Size(errors); ++i) {
    const char* file = nullptr;
    int line = 0;
    int column = 0;
    const char* message = nullptr;
    const char* hint = nullptr;
    if (PyArg_ParseTuple(PyList_GET_ITEM(errors, i), "siiss", &file, &line, &column, &message,
                         &hint) == 0) {
      throw Raised();
    }
    std::ifstream source(file);
    diagnostics.add_source(file, std::string(std::istreambuf_iterator<char>(source), {}));
    diagnostics.error({file, static_cast<unsigned>(line), static_cast<unsigned>(column)}, message,
                      hint);
  }
  diagnostics.throw_if_any();
}

/// Calls a function of the package with texts, and returns the tuple that it returns.
Object call_package(const char* module, const char* name, const std::vector<std::string>& given) {
  const Object function = of_package(module, name);
  const auto arguments = Object::taken(PyTuple_New(static_cast<Py_ssize_t>(given.size())));
  for (std::size_t i = 0; i < given.size(); ++i) {
    PyTuple_SET_ITEM(arguments.get(), static_cast<Py_ssize_t>(i), text(given[i]).release());
  }
  return Object::taken(PyObject_CallObject(function.get(), arguments.get()));
}

/// Returns the facts of a call, in the order of kernbench/_collectives.py.
Object facts_of(const model::ccl::CollectiveArgs& args) {
  const auto number = [](auto value) { return static_cast<unsigned long long>(value); };
  const model::ccl::Team& team = args.team;
  return Object::taken(Py_BuildValue(
      "(NNKKKKKKKKKsssKKK)", to_python(args.input).release(), to_python(args.output).release(),
      number(args.cubes.nx), number(args.cubes.ny), number(args.root_cube), number(args.call.size),
      number(args.rank), number(args.call.root), number(team.shape->grid.nx),
      number(team.shape->grid.ny), number(whole_bytes_of(args.input.type())),
      args.collective->name.c_str(), team.neighbors->name.c_str(), team.prefix.c_str(),
      number(args.slot_bytes), number(args.slots), number(args.tile_bytes)));
}

model::ccl::Ends ends_of(const std::string& name) {
  using model::ccl::Ends;
  if (name == "center") return Ends::Center;
  if (name == "corner") return Ends::Corner;
  return Ends::Roots;
}

}  // namespace

model::bench::BenchFile read_benches(const std::string& path) {
  const WithPython python;
  try {
    const Object found = call_package("_benches", "load", {path});
    PyObject* names = nullptr;
    PyObject* files = nullptr;
    PyObject* errors = nullptr;
    if (PyArg_ParseTuple(found.get(), "OOO", &names, &files, &errors) == 0) throw Raised();
    throw_errors(errors);
    return {texts_of(names), texts_of(files)};
  } catch (const Raised&) {
    throw_raised();
  }
}

model::ccl::AlgorithmOfFile read_algorithm(const std::string& path, const std::string& name) {
  const WithPython python;
  try {
    const Object found = call_package("_collectives", "load", {path});
    PyObject* function = nullptr;
    const char* description = nullptr;
    const char* collective = nullptr;
    const char* ends = nullptr;
    PyObject* neighbors = nullptr;
    PyObject* formula = nullptr;
    PyObject* files = nullptr;
    PyObject* errors = nullptr;
    if (PyArg_ParseTuple(found.get(), "OsssOOOO", &function, &description, &collective, &ends,
                         &neighbors, &formula, &files, &errors) == 0) {
      throw Raised();
    }
    throw_errors(errors);
    model::ccl::AlgorithmOfFile read{{}, texts_of(files)};
    model::ccl::Algorithm& algorithm = read.algorithm;
    algorithm.name = name;
    algorithm.description = description;
    algorithm.collective = collective;
    algorithm.ends = ends_of(ends);
    algorithm.neighbors = texts_of(neighbors);
    algorithm.uneven = false;
    algorithm.stack_bytes = kKernelStackBytes;
    algorithm.kernel = [kept = keep(Object::shared(function))](
                           Tl& tl, const model::ccl::CollectiveArgs& args) {
      const PythonThread of_program;
      call_kernel(kept.get(), tl, {facts_of(args)});
    };
    if (formula != Py_None) algorithm.cost = formula_of(keep(Object::shared(formula)));
    return read;
  } catch (const Raised&) {
    throw_raised();
  }
}

}  // namespace kernbench::python
