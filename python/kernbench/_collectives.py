# SPDX-License-Identifier: Apache-2.0
"""Algorithms of collectives as modules, which ccl.yaml names by their files."""

import inspect
import os
import types
from collections.abc import Callable
from typing import Any, NamedTuple, Optional

from kernbench._language import Cost, CostQuery, TensorView, Tl
from kernbench._modules import Found, files_of, run_file
from kernbench._shared import watched

_ENDS = ("roots", "center", "corner")


class CollectiveCall(NamedTuple):
    """The facts of a call of a collective, from which kernel_args() makes the arguments of the kernel.

    Every PE of every cube of every member runs the kernel. Members are joined in the cube `root_cube`, whose neighbours have
    the directions of `topology`, each behind `prefix`: tl.send(call.prefix + "next", tile).
    """

    input: TensorView  #: with no elements at a member without input
    output: TensorView  #: may be the input
    cube_width: int  #: cubes of a member
    cube_height: int
    root_cube: int  #: the cube of each member that exchanges data with other members
    world_size: int  #: members of the group
    rank: int  #: index of the member
    root: int  #: index of the member that sends or receives for all, where there is one
    sip_width: int  #: grid of the members
    sip_height: int
    element_bytes: int
    collective: str
    topology: str  #: how the members are joined: a key of TOPOLOGY_KINDS
    prefix: str
    slot_bytes: int  #: the largest message
    slots: int  #: messages that a neighbour can buffer
    tile_bytes: int  #: TCM available for tiles


Run = Callable[[Tl, tuple[Any, ...]], None]
Formula = Optional[Callable[[CostQuery], Cost]]


def load(path: str) -> tuple[Run, str, str, str, list[str], Formula, list[str], list[Found]]:
    """Returns the kernel of a module, its description, collective, ends, topologies and formula, its files, and the errors."""
    nothing: Run = lambda tl, facts: None
    module = run_file(path)
    if isinstance(module, tuple):
        return nothing, "", "", "", [], None, [], [module]
    errors = _faults(module, path)
    if errors:
        return nothing, "", "", "", [], None, [], errors
    kinds: dict[str, int] = module.__dict__["TOPOLOGY_KINDS"]
    build, kernel = module.__dict__["kernel_args"], module.__dict__["kernel"]
    kernel = watched(getattr(kernel, "function", kernel), f"the kernel of '{os.path.basename(path)}'")

    def run(tl: Tl, facts: tuple[Any, ...]) -> None:
        call = CollectiveCall(*facts)
        kernel(tl, *build(call, kinds[call.topology]), call.world_size, call.rank, call.sip_width, call.sip_height)

    description = (module.__doc__ or "").strip().split("\n")[0]
    return (run, description, getattr(module, "COLLECTIVE", "all_reduce"), getattr(module, "ENDS", "roots"), list(kinds),
            getattr(module, "cost", None), files_of(path), [])


def _faults(module: types.ModuleType, path: str) -> list[Found]:
    """Returns what is missing in a module."""
    faults: list[Found] = []

    def fault(message: str, hint: str, line: int = 0) -> None:
        faults.append((path, line, 1 if line else 0, message, hint))

    kinds = getattr(module, "TOPOLOGY_KINDS", None)
    constants = {value for name, value in vars(module).items() if name.isupper() and isinstance(value, int)}
    if not isinstance(kinds, dict) or not kinds:
        fault("the module has no TOPOLOGY_KINDS", 'a dictionary of neighbour kinds and their constants, such as {"ring": RING}')
    elif missing := [name for name, kind in kinds.items() if kind not in constants]:
        fault(f"TOPOLOGY_KINDS: '{missing[0]}' is not one of the module's constants", "state it as RING = 0")
    formula = getattr(module, "cost", None)
    if formula is not None and (not inspect.isfunction(formula) or len(inspect.signature(formula).parameters) != 1):
        fault("cost is not a function with one parameter", "it takes a CostQuery and returns a Cost",
              formula.__code__.co_firstlineno if inspect.isfunction(formula) else 0)
    for name, what, least in (("kernel_args", "builds the arguments of the kernel from a CollectiveCall and a constant", 2),
                              ("kernel", "runs on each PE with tl, those arguments, the world size, the rank and the grid of members", 5)):
        function = getattr(module, name, None)
        function = getattr(function, "function", function)
        if not inspect.isfunction(function):
            fault(f"the module has no function {name}", f"a function that {what}")
            continue
        parameters = list(inspect.signature(function).parameters.values())
        takes_any = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)
        if not takes_any and (len(parameters) < least or name == "kernel_args" and len(parameters) != least):
            fault(f"{name} has {len(parameters)} parameters", f"it {what}", function.__code__.co_firstlineno)
    if getattr(module, "ENDS", "roots") not in _ENDS:
        fault(f"ENDS is '{module.ENDS}'", "use " + ", ".join(_ENDS))
    return faults
