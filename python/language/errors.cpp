// SPDX-License-Identifier: Apache-2.0
#include "python/language/errors.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/memory/free_list.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::python {
namespace {

/// The attribute of an exception of Python that holds the one of C++.
constexpr const char* kOrigin = "_origin";

/// The exception of a fiber that is destroyed.
PyObject* g_abandoned = nullptr;
/// BadParameter, which code in Python raises too.
PyObject* g_bad_parameter = nullptr;

void free_origin(PyObject* capsule) {
  delete static_cast<std::exception_ptr*>(PyCapsule_GetPointer(capsule, kOrigin));
}

/// Sets an exception that carries the one of C++ which is handled.
void raise_carrying(const Object& exception) {
  const auto origin = Object::taken(
      PyCapsule_New(std::make_unique<std::exception_ptr>(std::current_exception()).release(),
                    kOrigin, free_origin));
  if (PyObject_SetAttrString(exception.get(), kOrigin, origin.get()) < 0) throw Raised();
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
}

void raise_carrying(PyObject* type, const char* what) {
  const Object message = text(what);
  raise_carrying(Object::taken(PyObject_CallOneArg(type, message.get())));
}

void raise_bad_input(const common::BadInput& error) {
  const auto errors = Object::taken(PyList_New(0));
  for (const common::Diagnostic& one : error.diagnostics().errors()) {
    const auto entry = Object::taken(Py_BuildValue(
        "(siiss)", one.position.file.c_str(), static_cast<int>(one.position.line),
        static_cast<int>(one.position.column), one.message.c_str(), one.hint.c_str()));
    if (PyList_Append(errors.get(), entry.get()) < 0) throw Raised();
  }
  const Object type = of_package("_errors", "BadInput");
  raise_carrying(
      Object::taken(PyObject_CallFunction(type.get(), "sO", error.what(), errors.get())));
}

void set_for_caught() {
  try {
    throw;
  } catch (const Raised&) {  // is set
  } catch (const PythonFailure& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.exception().get())),
                    error.exception().get());
  } catch (const model::kernel::KernelError& error) {
    raise_carrying(of_package("_errors", "KernelError").get(), error.what());
  } catch (const common::BadInput& error) {
    raise_bad_input(error);
  } catch (const model::runtime::BadParameter& error) {
    raise_carrying(g_bad_parameter, error.what());
  } catch (const std::invalid_argument& error) {
    raise_carrying(PyExc_ValueError, error.what());
  } catch (const std::out_of_range& error) {
    raise_carrying(PyExc_IndexError, error.what());
  } catch (const model::memory::OutOfMemory& error) {
    raise_carrying(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    raise_carrying(PyExc_RuntimeError, error.what());
  } catch (...) {  // the unwinding of a destroyed fiber
    raise_carrying(g_abandoned, "the run has ended");
  }
}

/// Returns true for code of the package itself.
bool is_of_package(const std::string& file) {
  static const std::string folder = [] {
    Dl_info library{};
    dladdr(reinterpret_cast<const void*>(&is_of_package), &library);
    return std::filesystem::absolute(library.dli_fname).parent_path().string() + "/";
  }();
  return file.starts_with(folder) || file.starts_with("<frozen ");
}

/// Returns a file's name for records, which stays valid.
const char* interned(const std::string& file) {
  static std::set<std::string> files;
  return files.insert(file).first->c_str();
}

std::string file_of(PyCodeObject* code) {
  return text_of(code->co_filename);
}

/// The exception that take_interrupt() returns next. The GIL guards it.
Kept& interrupt() {
  static Kept next;
  return next;
}

/// Returns "ValueError: text".
std::string headline(PyObject* type, PyObject* value) {
  const std::string name = reinterpret_cast<PyTypeObject*>(type)->tp_name;
  const std::string said = value == nullptr ? "" : shown(value);
  const std::string last = name.substr(name.rfind('.') + 1);
  return said.empty() ? last : last + ": " + said;
}

/// Returns "at bench.py:12 in f" for each call outside of the package, the innermost first.
std::vector<std::string> calls_of(PyObject* traceback) {
  std::vector<std::string> calls;
  for (auto* one = reinterpret_cast<PyTracebackObject*>(traceback); one != nullptr;
       one = one->tb_next) {
    const auto code = Object::taken(reinterpret_cast<PyObject*>(PyFrame_GetCode(one->tb_frame)));
    auto* const its_code = reinterpret_cast<PyCodeObject*>(code.get());
    const std::string file = file_of(its_code);
    if (is_of_package(file)) continue;
    const int line =
        one->tb_lineno < 0 ? PyCode_Addr2Line(its_code, one->tb_lasti) : one->tb_lineno;
    calls.push_back(fmt::format("at {}:{} in {}", file, line, text_of(its_code->co_name)));
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

}  // namespace

void add_errors(PyObject* module) {
  g_abandoned = PyErr_NewExceptionWithDoc(
      "kernbench.Abandoned", "Raised where code waits while its run ends. Do not catch it.",
      PyExc_BaseException, nullptr);
  g_bad_parameter = PyErr_NewExceptionWithDoc(
      "kernbench.BadParameter",
      "An invalid value of a parameter of a bench. The program ends with exit code 2.",
      PyExc_ValueError, nullptr);
  if (g_abandoned == nullptr || g_bad_parameter == nullptr ||
      PyModule_AddObjectRef(module, "Abandoned", g_abandoned) < 0 ||
      PyModule_AddObjectRef(module, "BadParameter", g_bad_parameter) < 0) {
    throw Raised();
  }
}

void raise_caught() {
  try {
    set_for_caught();
  } catch (const Raised&) {  // another exception is set
  }
}

void throw_raised() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  const Object its_type = Object::taken(type);
  const Object its_value = Object::taken(value);
  const Object its_traceback = Object::shared(traceback);
  Py_XDECREF(traceback);
  const auto* const origin = [&]() -> std::exception_ptr* {
    PyObject* const capsule = PyObject_GetAttrString(value, kOrigin);
    if (capsule == nullptr) {
      PyErr_Clear();
      return nullptr;
    }
    const Object held = Object::taken(capsule);
    return static_cast<std::exception_ptr*>(PyCapsule_GetPointer(capsule, kOrigin));
  }();
  if (origin != nullptr) {
    const std::exception_ptr same = *origin;
    // The frames of the traceback keep tiles, whose memory belongs to the kernel that ends.
    PyException_SetTraceback(value, Py_None);
    std::rethrow_exception(same);
  }
  if (PyObject_IsInstance(value, g_bad_parameter) == 1) {
    throw model::runtime::BadParameter(shown(value));
  }
  if (PyObject_IsInstance(value, PyExc_Exception) == 0) interrupt() = keep(its_value);
  std::string what = headline(type, value);
  std::vector<std::string> calls = calls_of(traceback);
  constexpr std::size_t kShown = 12;
  const std::size_t all = calls.size();
  if (all > kShown) {
    calls.resize(kShown);
    calls.push_back(fmt::format("and {} more", all - kShown));
  }
  for (const std::string& call : calls) what += "\n  " + call;
  throw PythonFailure(what, keep(its_value));
}

Kept take_interrupt() {
  return std::exchange(interrupt(), nullptr);
}

model::data::SourceLine calling_line() {
  // A kernel calls the same instructions again and again. The cache keeps their code alive.
  static std::map<std::pair<PyCodeObject*, int>, model::data::SourceLine> known;
  PyFrameObject* frame = PyEval_GetFrame();
  Object held;
  while (frame != nullptr) {
    const auto code = Object::taken(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
    auto* const its_code = reinterpret_cast<PyCodeObject*>(code.get());
    const auto [entry, is_new] = known.try_emplace({its_code, PyFrame_GetLasti(frame)});
    if (is_new) {
      Py_INCREF(its_code);
      const std::string file = file_of(its_code);
      if (!is_of_package(file)) entry->second = {interned(file), PyFrame_GetLineNumber(frame)};
    }
    if (entry->second.line != 0) return entry->second;
    PyFrameObject* const back = PyFrame_GetBack(frame);
    held = Object::shared(nullptr);
    if (back == nullptr) break;
    held = Object::taken(reinterpret_cast<PyObject*>(back));
    frame = back;
  }
  return {"?", 0};
}

}  // namespace kernbench::python
