# SPDX-License-Identifier: Apache-2.0
"""Kernels in Python: functions that run once on each PE of a launch."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, Optional, Union, overload

from kernbench._shared import uses_of


class Accumulated(NamedTuple):
    """An operand of a step of an epilogue: the accumulator after the first `steps` steps, 0 meaning the sum itself."""

    steps: int = 0


class Kernel:
    """A function that takes tl and its arguments, and runs once on each PE of a launch.

    name: that of the function, with - for _. A tensor arrives as a TensorView, every other argument as it is.
    """

    def __init__(self, function: Callable[..., None], name: Optional[str] = None) -> None:
        if not inspect.isfunction(function):
            raise TypeError(f"a kernel is a function, not {function!r}")
        if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{_place(function)}: the kernel '{function.__name__}' has yield or async; its operations wait by themselves")
        if assigned := [use for use in uses_of(function.__code__) if use.assigned]:
            raise TypeError(f"{function.__code__.co_filename}:{assigned[0].line}: the kernel '{function.__name__}' assigns the global "
                            f"'{assigned[0].name}', which programs that run at the same time share; use local variables, or a tensor")
        self.function = function
        self.name = name or function.__name__.strip("_").replace("_", "-")
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._signature = inspect.signature(function)
        if not self._signature.parameters:
            raise TypeError(f"{_place(function)}: the kernel '{function.__name__}' has no parameter for tl")

    def __call__(self, *arguments: Any) -> None:
        """Calls the function, for kernels that share parts."""
        self.function(*arguments)

    def check(self, arguments: tuple[Any, ...]) -> None:
        """Raises TypeError for arguments that the function does not take."""
        try:
            self._signature.bind(None, *arguments)
        except TypeError as error:
            names = ", ".join(list(self._signature.parameters)[1:])
            raise TypeError(f"{_place(self.function)}: the kernel '{self.name}' takes ({names}): {error}") from None

    def __repr__(self) -> str:
        return f"<kernel '{self.name}' of {_place(self.function)}>"


def _place(function: Callable[..., Any]) -> str:
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"


@overload
def kernel(function: Callable[..., None]) -> Kernel: ...
@overload
def kernel(*, name: str) -> Callable[[Callable[..., None]], Kernel]: ...
def kernel(function: Optional[Callable[..., None]] = None, *,
           name: Optional[str] = None) -> Union[Kernel, Callable[[Callable[..., None]], Kernel]]:
    """Makes a function a kernel: @kernbench.kernel, or @kernbench.kernel(name="other-name").

    The function takes tl, whose operations docs/kernels.md lists, and the arguments of the launch. It returns nothing.
    """
    if function is not None:
        return Kernel(function)
    return lambda one: Kernel(one, name)
