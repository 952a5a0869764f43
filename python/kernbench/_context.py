# SPDX-License-Identifier: Apache-2.0
"""The host's interface to a device, with which a bench in Python runs."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Optional, Union

import numpy
import numpy.typing

import kernbench._language as _language
from kernbench._arrays import Array, check_type, name_of, to_matrix
from kernbench._distributed import WORLD, Distributed, Group
from kernbench._kernels import Kernel
from kernbench._shared import watched

Values = Union[numpy.typing.ArrayLike, Callable[[], Any]]


class DPPolicy(NamedTuple):
    """How a tensor is placed: over the cubes, then each cube's part over its PEs.

    cube, pe: "replicate", "row_wise" or "column_wise". cubes, pes: how many of them are used, all by default.
    """

    cube: str = "replicate"
    pe: str = "replicate"
    cubes: Optional[int] = None
    pes: Optional[int] = None


class Tensor:
    """A tensor of rows x columns in the memory of a SIP. dtype: f32, f16, bf16, i32, i8, f8e4m3, f8e5m2 or i4."""

    def __init__(self, context: "Context", native: _language.Tensor, shape: tuple[int, int], dtype: str) -> None:
        self.shape, self.dtype = shape, dtype
        self._run, self._native = context._run, native


class Copy:
    """A copy of a tensor on the host."""

    def __init__(self, context: "Context", number: int, dtype: str) -> None:
        self.dtype = dtype
        self._run, self._native, self._number = context._run, context._native, number

    @property
    def values(self) -> Array:
        """The numbers as an array of rows x columns; those of bf16 and f8 are float32, those of i4 int8.

        They exist after a run with verify=True, and in a run with live data as soon as synchronize() has returned.
        """
        if self._run.copies is not None:
            return self._run.copies[self._number]
        if self._run.ended:
            raise RuntimeError("the numbers of a copy exist after a run with verify=True")
        values: Array = self._native.live_values(self._number)
        return values


class _Run:
    """The part that the contexts of a run share: the numbers of all copies, after a run that computes them."""

    def __init__(self) -> None:
        self.copies: Optional[Mapping[int, Array]] = None
        self.ended = False


class Context:
    """The interface of a bench to a device: creates tensors, launches kernels and copies results back, all with messages.

    Copies, launches and frees of a stream run one after the other, in the order of the calls; the host continues at once.
    A context belongs to its run. Every method raises ValueError for what cannot be done, TypeError for an argument of
    another type, and RunFailed when the run fails.
    """

    def __init__(self, native: _language.HostContext, parameters: Optional[Mapping[str, Any]] = None,
                 run: Optional[_Run] = None) -> None:
        self._native = native
        self._run = run or _Run()
        self.parameters: dict[str, Any] = dict(parameters or {})
        self.distributed = Distributed(self)

    @property
    def cubes(self) -> int:
        """Number of cubes of the device."""
        return self._native.cubes()

    @property
    def pes(self) -> int:
        """Number of PEs of a cube."""
        return self._native.pes()

    @property
    def device(self) -> str:
        """The part of the system that the context uses, by the name of its node."""
        return self._native.device()

    @property
    def now_ps(self) -> int:
        """Simulated time."""
        return self._native.now_ps()

    @property
    def accumulator_bytes(self) -> int:
        """Size of the accumulators of a PE's matrix engine."""
        return self._native.accumulator_bytes()

    def tensor(self, values: Optional[Values] = None, *, shape: Optional[tuple[int, int]] = None, dtype: Optional[str] = None,
               policy: Union[str, DPPolicy] = "row") -> Tensor:
        """Allocates a tensor, maps it on the PEs that may use it, and writes `values` to it if given.

        values: up to two dimensions; a vector is one row. A function that returns them is called only if the run computes
        numbers, and needs a shape. shape: rows and columns. dtype: f32, f16, bf16, i32, i8, f8e4m3, f8e5m2 or i4; by default
        that of the array, which must be f32, f16, i32 or i8. Values of bf16 and f8 are given as float32, and rounded; those of
        i4 as integers from -8 to 7, in an even number of columns. policy: row, column, blocks, replicated (in each cube),
        everywhere, or a DPPolicy. The values of a tensor before the first launch or region are in memory at once.
        """
        if callable(values):
            if shape is None:
                raise ValueError("a tensor whose values are those of a function needs a shape")
            given: Any = values
        elif (values is None) == (shape is None):
            raise ValueError("a tensor needs either values or a shape")
        elif values is not None:
            dtype = dtype or name_of(numpy.asarray(values))
            given = to_matrix(values, dtype)
            shape = given.shape[0], given.shape[1]
        else:
            given = None
        assert shape is not None
        dtype = check_type(dtype or "f32")
        native = self._native.tensor(shape[0], shape[1], dtype, tuple(policy) if isinstance(policy, DPPolicy) else policy, given)
        return Tensor(self, native, (shape[0], shape[1]), dtype)

    def read(self, tensor: Tensor) -> Copy:
        """Copies a tensor to the host, from the first of its replicas."""
        return Copy(self, self._native.read(self._own(tensor)), tensor.dtype)

    def free(self, tensor: Tensor) -> None:
        """Unmaps a tensor and frees its memory when all earlier requests are complete."""
        self._native.free(self._own(tensor))

    def launch(self, kernel: Union[Kernel, str], *arguments: Any, cubes: Optional[int] = None, pes: Optional[int] = None) -> None:
        """Runs a kernel on the first `pes` PEs of the first `cubes` cubes, by default on all.

        kernel: a function below @kernbench.kernel, or the name of one of kernels(), which takes tensors and numbers. Tensors
        arrive in a kernel in Python as TensorViews, all else unchanged.
        """
        native = tuple(self._own(argument) if isinstance(argument, Tensor) else argument for argument in arguments)
        if isinstance(kernel, Kernel):
            kernel.check(arguments)
            function = watched(kernel.function, f"the kernel '{kernel.name}'")
            self._native.launch(kernel.name, function, native, cubes, pes)
        elif isinstance(kernel, str):
            self._native.launch_registered(kernel, native, cubes, pes)
        else:
            raise TypeError(f"{kernel!r} is not a kernel: write @kernbench.kernel above the function")

    @contextlib.contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measures the time of the requests in a `with` statement, as a region of the result."""
        self._native.begin_region(name)
        yield
        self._native.end_region()

    def synchronize(self) -> None:
        """Waits until all requests are complete."""
        self._native.synchronize()

    def expect(self, name: str, copy: Copy, values: Values, relative: Optional[float] = None,
               absolute: Optional[float] = None) -> None:
        """Compares the numbers x of a copy with `values` e after a run with verify=True: |x - e| <= absolute + relative |e|.

        values: an array, or a function that returns one and is called only if the run computes numbers. By default both
        tolerances are 1e-5 for f32, 4e-3 for f16, 3e-2 for bf16, 0.125 for f8e4m3, 0.25 for f8e5m2, and 0 for integers.
        """
        if not isinstance(copy, Copy):
            raise TypeError(f"a Copy of a tensor is needed, not {copy!r}")
        if copy._run is not self._run:
            raise ValueError("the copy belongs to another run")
        given = values if callable(values) else to_matrix(values, copy.dtype)
        self._native.expect(name, copy._number, copy.dtype, given, relative, absolute)

    def figure(self, name: str, value: float, unit: str) -> None:
        """Reports a number beside the times of the regions, such as ("time per token", 12.5, "us")."""
        self._native.figure(name, value, unit)

    def estimate(self, reason: str) -> None:
        """Notes why the times are an estimate and not exact, such as "routes are drawn". Reports have the reason as their grade."""
        self._native.estimate(reason)

    def add_stream(self) -> int:
        """Returns a new stream. The requests of different streams run at the same time."""
        return self._native.add_stream()

    @contextlib.contextmanager
    def stream(self, stream: int) -> Iterator[None]:
        """Puts the requests of a `with` statement into a stream."""
        outer = self._native.enter_stream(stream)
        try:
            yield
        finally:
            self._native.enter_stream(outer)

    def mark(self) -> _language.Mark:
        """Returns a mark after the requests made so far in the current stream."""
        mark: _language.Mark = self._native.mark()
        return mark

    def wait_for(self, mark: _language.Mark) -> None:
        """Lets later requests of the current stream wait for those before a mark of any stream."""
        self._native.wait_for(mark)

    def repeat(self, key: str, index: int, count: int, work: Callable[[], Any], group: Group = WORLD) -> None:
        """Calls work(), or with --reuse lets the time pass that earlier work of the same key took.

        key: text with all that the time of the work depends on. index, count: its number among all works of this key. In a
        rank, all members of the group share the work, which ends with a collective that waits for all.
        """
        self._native.repeat(key, index, count, work, group.name, group.ranks)

    def spawn(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls function(context, *arguments) for each rank of the process group at once, and waits until all return.

        Each rank has a context of its own, with the rank's device. `distributed.init_process_group()` comes first.
        """
        self._native.spawn(lambda native: function(Context(native, self.parameters, self._run), *arguments))

    def _own(self, tensor: Tensor) -> _language.Tensor:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"a Tensor of this host is needed, not {tensor!r}")
        if tensor._run is not self._run:
            raise ValueError("the tensor belongs to another run")
        return tensor._native
