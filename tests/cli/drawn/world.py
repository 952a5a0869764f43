# SPDX-License-Identifier: Apache-2.0
"""The folder of one drawn run: odd places with neighbours and valid inputs, and what may change there."""

import hashlib
import os
import pathlib
import shutil
import stat

# Each is a name of one file. `evil` would be the work of a shell.
NAMES = [
    b"plain", b"a b", b"my models", b"it's", b'say "hi"', b"$HOME", b"${X}y", b"`touch evil`", b"$(touch evil)", b"#hash", b"50%41%s%n",
    b"a:b", b"a;touch evil", b"(paren)", b"new\nline", b"caf\xe9", b"\xff\xfe", "gr\u00fc\u00df".encode(), b"-dash", b"--json", b"-", b"~",
    b"*", b"a&touch evil&", b"a|touch evil", b"back\\slash", b"tab\tname", b"x" * 200, b" lead", b"trail ", b".hidden", b"a=b", b"@f", b"{a}",
    b"<in>", b"!1", b"a,b", b"e\x1b[31m", b"rm -rf",
]
EVIL = b"evil"


def is_safe(name):
    """Returns True for names that no option may refuse."""
    return name in NAMES[:13] or name in (b"(paren)", b"a:b", b".hidden")


class World:
    """A tree below `base`. Its places have drawn names; its inputs are copies of the valid files in `stock`."""

    def __init__(self, rng, base, stock, data):
        self.rng, self.base, self.stock = rng, os.fsencode(base), stock
        self.places = []
        for name in ("here", "there", "home", "cache", "tmp"):
            odd = rng.choice(NAMES) if rng.random() < 0.6 else name.encode()
            place = os.path.join(self.base, name.encode(), odd)
            os.makedirs(place)
            self.places.append(place)
            self._neighbours(place)
        self.here, self.there, self.home, self.cache, self.tmp = self.places
        self.data = os.path.join(self.base, b"data", rng.choice(NAMES) if rng.random() < 0.5 else b"kernbench")
        os.makedirs(os.path.dirname(self.data))
        shutil.copytree(os.fsencode(data), self.data)
        self.inputs = set()
        self.sidecars = set()  # files that a command may write beside an input

    def _neighbours(self, place):
        """Writes files and folders that no command may touch, some with a name that starts another one."""
        for name in (b"my", b"a", b"it", b"models", b"canary"):
            folder = os.path.join(place, name)
            os.makedirs(os.path.join(folder, b"deep"))
            self._write(os.path.join(folder, b"deep", b"canary"), b"canary of " + name)
        self._write(os.path.join(place, b"existing"), b"an existing file\n")
        os.chmod(os.path.join(place, b"existing"), 0o640)
        os.symlink(b"existing", os.path.join(place, b"link"))
        os.symlink(b"canary", os.path.join(place, b"link to folder"))
        os.symlink(b"nowhere", os.path.join(place, b"dangling"))

    @staticmethod
    def _write(path, content):
        with open(path, "wb") as file:
            file.write(content)

    def name(self):
        return self.rng.choice(NAMES)

    def spelled(self, path):
        """Returns the path as an argument: absolute, or relative to the current folder."""
        if self.rng.random() < 0.5:
            return path
        relative = os.path.relpath(path, self.here)
        return relative if not relative.startswith(b"-") or self.rng.random() < 0.3 else b"./" + relative

    def input(self, kind, odd=True):
        """Returns the argument for an input: mostly a valid file under a drawn name."""
        rng = self.rng
        if kind not in self.stock or (odd and rng.random() < 0.2):
            return self._bad_input()
        source = os.fsencode(self.stock[kind])
        ending = b"" if kind in ("chakra", "rtl") else os.path.splitext(source)[1]
        folder = rng.choice((self.here, self.there))
        target = os.path.join(folder, self.name() + (b"" if kind == "folder" else ending))
        if len(os.path.basename(target)) > 200:
            target = os.path.join(folder, b"long" + ending)
        if not os.path.lexists(target) and not os.path.lexists(target + b".0.et"):
            if kind == "chakra":
                for file in os.listdir(os.path.dirname(source)):
                    if file.startswith(os.path.basename(source) + b"."):
                        shutil.copy(os.path.join(os.path.dirname(source), file), target + file[len(os.path.basename(source)):])
            elif os.path.isdir(source):
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)
                if rng.random() < 0.15:
                    os.rename(target, target[:-len(ending)] + b".real" + ending)
                    os.symlink(os.path.basename(target[:-len(ending)] + b".real" + ending), target)
        self.inputs.add(target)
        return self.spelled(target) + (b".et" if kind == "chakra" else b"")

    def _bad_input(self):
        rng = self.rng
        what = rng.choice(("missing", "folder", "null", "empty", "garbage", "dangling", "zero", "existing"))
        path = os.path.join(self.here, self.name() + rng.choice((b"", b".yaml", b".json", b".csv")))
        if what in ("null", "zero"):
            return b"/dev/" + what.encode()
        if what in ("dangling", "existing"):
            path = os.path.join(self.here, what.encode())
        elif os.path.lexists(path) or len(os.path.basename(path)) > 200:
            pass
        elif what == "folder":
            os.makedirs(path)
        elif what in ("empty", "garbage"):
            self._write(path, b"" if what == "empty" else rng.randbytes(300))
        return self.spelled(path)

    def output(self, given):
        """Returns the argument for an output. `given` are the paths that the command has already."""
        rng, draw = self.rng, self.rng.random()
        folder = rng.choice((self.here, self.there))
        if draw < 0.68:
            return self.spelled(os.path.join(folder, self.name()))
        if draw < 0.74 and given:
            return rng.choice(given)
        return rng.choice((
            self.spelled(os.path.join(folder, b"existing")), self.spelled(os.path.join(folder, b"link")),
            self.spelled(os.path.join(folder, b"link to folder")), self.spelled(os.path.join(folder, b"dangling")),
            self.spelled(os.path.join(folder, b"canary")), b"/dev/null", b"/dev/full", b"..", b".", b"", b"../" + self.name(),
            os.path.join(folder, b"missing", b"parent", self.name()), os.path.join(folder, b"a", b"..", self.name()),
            b"./" + self.name() + b"/", b"y" * 300, os.path.join(self.here, b"existing", b"below"), b"-"))


def snapshot(base):
    """Returns what is at every path below the folder: kind, mode and content."""
    base = os.fsencode(base)
    seen = {}
    stack = [base]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                kind, content = stat.S_IFMT(status.st_mode), None
                if stat.S_ISDIR(status.st_mode):
                    stack.append(entry.path)
                elif stat.S_ISLNK(status.st_mode):
                    content = os.readlink(entry.path)
                elif stat.S_ISREG(status.st_mode):
                    with open(entry.path, "rb") as file:
                        content = hashlib.blake2b(file.read(), digest_size=16).digest()
                seen[entry.path] = (kind, stat.S_IMODE(status.st_mode), content)
    return seen


def changes(before, after):
    """Returns the paths that are new, gone or different."""
    return {path: "written" if path not in before else "deleted" if path not in after else "changed"
            for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


class Declared:
    """The paths that a command may write."""

    def __init__(self):
        self.files, self.prefixes, self.folders = set(), [], []

    def allows(self, path, new):
        """Returns True if the command may write the path. In folders it may only add files of its own."""
        if path in self.files or any(path.startswith(prefix) for prefix in self.prefixes):
            return True
        for folder in self.folders:
            if path == folder or folder.startswith(path + b"/"):
                return new
            if path.startswith(folder + b"/"):
                return new
        return any(file.startswith(path + b"/") for file in self.files) and new


def absolute(path, here):
    """Returns where a path leads: with its folder's links, and its own, followed."""
    return os.path.realpath(os.path.join(here, path))


def devices_are_whole():
    return all(stat.S_ISCHR(pathlib.Path(name).stat().st_mode) for name in ("/dev/null", "/dev/full", "/dev/zero"))
