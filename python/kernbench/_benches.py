# SPDX-License-Identifier: Apache-2.0
"""Benches in Python, and the files that hold them."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, Union

import kernbench._language as _language
from kernbench._context import Context
from kernbench._modules import Found, files_of, run_file

Default = Union[int, float, str, bool]

_made: list["Bench"] = []  # in the order in which files state them


class InputFile(str):
    """The default of a parameter that names a file, which the bench reads. A sweep runs a point again when the file has changed."""


class Bench:
    """A bench: its name, its description, its parameters with their defaults and help, and its host part."""

    def __init__(self, name: str, description: str, parameters: Mapping[str, tuple[Default, str]],
                 function: Callable[..., Any]) -> None:
        self.name, self.description, self.parameters, self.function = name, description, dict(parameters), function
        self.file: str = function.__code__.co_filename
        self.line: int = function.__code__.co_firstlineno
        self.__doc__ = function.__doc__
        self.__name__ = name
        code = function.__code__
        known = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        self._named = set(parameters) if code.co_flags & 0x08 else set(parameters) & set(known[1:])

    def values(self, given: Mapping[str, Default]) -> dict[str, Default]:
        """Returns all parameters, with `given` in place of defaults. Raises ValueError for an unknown name or a wrong value."""
        for name in given:
            if name not in self.parameters:
                raise _language.BadParameter(f"bench '{self.name}' has no parameter '{name}'; it has {', '.join(self.parameters)}")
        return {name: _value(_text(given[name]), default, name) if name in given else default
                for name, (default, _) in self.parameters.items()}

    def call(self, torch: Context, **parameters: Any) -> Any:
        """Calls the host part with those parameters that it names."""
        return self.function(torch, **{name: parameters[name] for name in parameters if name in self._named})

    def __call__(self, torch: Context, **parameters: Any) -> Any:
        """Calls the host part."""
        return self.function(torch, **parameters)


def bench(name: str, description: str = "", **parameters: Union[Default, tuple[Default, str]]) -> Callable[[Callable[..., Any]], Bench]:
    """Makes a function a bench: @kernbench.bench("my-bench", "what it does", rows=1024, type=("f16", "type of x")).

    name: letters, digits and -. parameters: the default of each, or the default and its help. The function is called with a
    Context; the parameters that it names follow as keywords, all of them are in `context.parameters`. The default of a parameter
    that names a file which the bench reads is an InputFile("name").
    """
    with_help: dict[str, tuple[Default, str]] = {
        key: given if isinstance(given, tuple) else (given, "") for key, given in parameters.items()}

    def register(function: Callable[..., Any]) -> Bench:
        made = Bench(name, description, with_help, function)
        _made.append(made)
        return made

    return register


def _text(value: Default) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _value(text: str, default: Default, name: str) -> Default:
    """Returns the value of a parameter. Raises ValueError for a text that has not the type of the default."""
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise _language.BadParameter(f"parameter '{name}' must be yes or no, not '{text}'")
        return text == "yes"
    try:
        return type(default)(text)
    except ValueError:
        raise _language.BadParameter(f"parameter '{name}' must be a number such as {default}, not '{text}'") from None


class _Output:
    """The standard output of benches, which ends one that prints without end."""

    MOST = 1 << 24  # characters

    def __init__(self, stream: Any) -> None:
        self._stream, self._left = stream, self.MOST

    def write(self, text: str) -> Any:
        self._left -= len(text)
        if self._left < 0:
            raise RuntimeError(f"more than {self.MOST} characters were printed")
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def limit_output() -> None:
    """Lets print() raise RuntimeError after 16 Mi characters. For the program, whose output is that of the run."""
    sys.stdout = _Output(sys.stdout)  # type: ignore[assignment]


def _host_part(made: Bench) -> Callable[[_language.HostContext], None]:
    def run(native: _language.HostContext) -> None:
        values = made.values(native.parameters())
        made.call(Context(native, values), **values)

    return run


def load(path: str) -> tuple[list[str], list[str], list[Found]]:
    """Registers the benches of a file. Returns their names, the files below its folder that it is made of, and the errors."""
    del _made[:]
    module = run_file(path, register=True)
    if isinstance(module, tuple):
        return [], [], [module]
    errors: list[Found] = []
    for made in _made:
        parameters = tuple((key, _text(value), text, isinstance(value, InputFile)) for key, (value, text) in made.parameters.items())
        refused = _language.register_bench(made.name, made.description, parameters, _host_part(made))
        if refused:
            errors.append((made.file, made.line, 1, refused, ""))
    if not _made:
        errors.append((path, 0, 0, "the file has no bench", 'a function below @kernbench.bench("name", "what it does") is one'))
    return [made.name for made in _made], files_of(path), errors
