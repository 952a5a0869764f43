#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A Slurm cluster on this machine: real daemons on loopback, in a temporary folder of their own.

Usage: slurm_cluster.py [--nodes N] [--set KEY=VALUE]... -- COMMAND [ARGUMENT...]

Starts munged, slurmctld and N slurmd (4), runs COMMAND with SLURM_CONF set, and stops the cluster. No process and no file
of it is left, however COMMAND or this program ends. --set adds a line to slurm.conf, or replaces the one of that key.
Exit code: that of COMMAND, or 128 and its signal; 125 if the cluster does not start.

The partitions are `main` (default) and `short` (60 minutes at most); the nodes are node1, node2 and so on, of one CPU each.
"""

import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

KEEPER = pathlib.Path(__file__).resolve().parent / "keep.py"
# A command of each Debian package, in the order in which the packages depend on each other.
PACKAGES = {"munged": "munge", "sbatch": "slurm-client", "slurmctld": "slurmctld", "slurmd": "slurmd"}
START_LIMIT = 300  # seconds; a busy machine needs a tenth

# Short intervals, so that a test sees within seconds what takes a real cluster minutes.
SETTINGS = {
    "AuthType": "auth/munge",
    "CredType": "cred/munge",
    # Loopback only: by default the daemons listen on all addresses.
    "CommunicationParameters": "NoInAddrAny,NoCtldInAddrAny",
    # Everything that needs control groups, a database or hardware is off.
    "AccountingStorageType": "accounting_storage/none",
    "JobAcctGatherType": "jobacct_gather/none",
    "MpiDefault": "none",
    "ProctrackType": "proctrack/linuxproc",
    "TaskPlugin": "task/none",
    "PropagateResourceLimits": "NONE",
    "MailProg": "/bin/true",
    # Nodes have the CPU and the memory that slurm.conf gives them; --mem and --cpus-per-task count.
    "SlurmdParameters": "config_overrides",
    "SelectType": "select/cons_tres",
    "SelectTypeParameters": "CR_CPU_Memory",
    # Tasks start at the next tick of slurmctld, which ticks once a second. When the time of a requeued task to begin has
    # come, only the periodic search for tasks notices, by default once a minute.
    "SchedulerType": "sched/builtin",
    "SchedulerParameters": "batch_sched_delay=0,sched_interval=1",
    # A ping fails after twice MessageTimeout; then a node is down that has not answered for SlurmdTimeout.
    "SlurmdTimeout": 1,
    "MessageTimeout": 2,
    "TreeWidth": 1000,  # slurmctld asks every node itself: a killed one forwards nothing
    "ReturnToService": 2,  # a node that registers is up again
    "KillWait": 2,
}


class ClusterError(Exception):
    """The cluster does not do what it should; the message has the last lines of the logs."""


def missing_packages():
    """Returns the Debian packages that a cluster needs and that are not installed."""
    return [package for command, package in PACKAGES.items() if not shutil.which(command, path=search_path())]


def search_path():
    return os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"


def reserved_port(address):
    """Returns a socket bound to a free port. Until it is closed, only who asks for this very port gets it."""
    reservation = socket.socket()
    reservation.bind((address, 0))
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # from now on a daemon may listen there
    return reservation


def listens(port):
    """Is there a daemon at the port? Found without a connection, which the daemon would log as an error."""
    sockets = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(columns[1].endswith(f":{port:04X}") and columns[3] == "0A" for columns in sockets)


class Daemon:
    """A daemon with a folder of its own, and all that it starts."""

    def __init__(self, folder, command, environment):
        self.output = tempfile.TemporaryFile()
        self.keeper = subprocess.Popen([sys.executable, "-S", KEEPER, folder, *command], env=environment,
                                       stdin=subprocess.PIPE, stdout=self.output, stderr=self.output,
                                       start_new_session=True)

    def runs(self):
        return self.keeper.poll() is None

    def log(self):
        return os.pread(self.output.fileno(), os.fstat(self.output.fileno()).st_size, 0).decode(errors="replace")

    def begin_to_end(self):
        if not self.keeper.stdin.closed:
            self.keeper.stdin.close()

    def end(self):
        """Kills the daemon and all that it has started, and removes its folder."""
        self.begin_to_end()
        self.keeper.wait()
        self.output.close()


class SlurmCluster:
    """A cluster. As a context it runs inside `with`; keyword arguments are lines of slurm.conf."""

    address = "127.0.0.1"

    def __init__(self, nodes=4, **settings):
        self.nodes = [f"node{number}" for number in range(1, nodes + 1)]
        self.settings = settings
        self.daemons = {}
        self.folder = self.environment = None
        self.ports = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Returns when all nodes are idle."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kernbench-slurm-"))
        try:
            self.folder.chmod(0o755)  # munged wants its socket to be reachable by all
            self.ports = [reserved_port(self.address) for _ in ["slurmctld", *self.nodes]]
            # Nothing of a cluster or job around this process.
            inherited = {name: value for name, value in os.environ.items()
                         if not name.startswith(("SLURM", "SBATCH", "SRUN", "SALLOC", "SQUEUE", "SINFO", "SCANCEL"))}
            self.environment = {**inherited, "PATH": search_path(), "SLURM_CONF": str(self.folder / "slurmctld/slurm.conf")}
            self._start_daemons()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Kills all daemons and jobs, and removes all files."""
        for daemon in self.daemons.values():
            daemon.begin_to_end()
        for daemon in self.daemons.values():
            daemon.end()
        self.daemons = {}
        for reservation in self.ports:
            reservation.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)  # without daemons it has not removed itself

    def run(self, *command):
        """Runs a command in the cluster's environment. Returns the finished process; stdout and stderr are text."""
        return subprocess.run(command, env=self.environment, text=True, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def kill_node(self, name):
        """Ends slurmd of a node and all processes of its jobs by SIGKILL, and removes its local files."""
        self.daemons.pop(name).end()

    def restart_node(self, name):
        """Starts slurmd of a killed node, and returns when slurmctld counts the node as up: idle, or still busy."""
        self._start_slurmd(name)
        self._wait(lambda: self.node_states()[name] in ("idle", "alloc"), name)

    def node_states(self):
        """Returns {node: state} as sinfo prints it, such as idle, alloc, down*."""
        listed = self.run("sinfo", "--noheader", "--Node", "--partition=main", "--format=%N %t")
        return dict(line.split() for line in listed.stdout.splitlines())

    def log(self, name):
        """Returns what a daemon that runs has printed: munged, slurmctld or a node."""
        return self.daemons[name].log()

    def _start_daemons(self):
        munged, controller = self.folder / "munged", self.folder / "slurmctld"
        munged.mkdir()
        controller.mkdir()
        key = munged / "key"
        key.touch(0o600)
        key.write_bytes(os.urandom(128))
        (controller / "slurm.conf").write_text(self._configuration())
        self._spawn("munged", "--foreground", "--force", "--num-threads=2", f"--socket={self._socket()}", f"--key-file={key}",
                    f"--pid-file={munged}/pid", f"--log-file={munged}/log", f"--seed-file={munged}/seed")
        self._wait(self._socket().exists, "munged")
        self._spawn("slurmctld", "-D")
        self._wait(lambda: listens(self.ports[0].getsockname()[1]), "slurmctld")  # sinfo would retry after a second
        for name in self.nodes:
            self._start_slurmd(name)
        self._wait(lambda: self.node_states() == dict.fromkeys(self.nodes, "idle"), *self.nodes)

    def _socket(self):
        return self.folder / "munged/socket"

    def _start_slurmd(self, name):
        self._spawn(name, "-D", "-N", name, program="slurmd")

    def _spawn(self, name, *arguments, program=None):
        self.daemons[name] = Daemon(self.folder / name, [program or name, *arguments], self.environment)

    def _wait(self, condition, *names):
        """Returns when the condition holds. Otherwise raises an error with the logs of the named daemons."""
        limit = time.monotonic() + START_LIMIT
        while not condition():
            ended = [name for name, daemon in self.daemons.items() if not daemon.runs()]
            if ended:
                raise ClusterError("\n".join(self._tail(name, "has ended") for name in ended))
            if time.monotonic() > limit:
                raise ClusterError("\n".join(self._tail(name, f"is not ready after {START_LIMIT} s")
                                             for name in ("slurmctld", *names) if name in self.daemons))
            time.sleep(0.02)

    def _tail(self, name, problem):
        return f"{name} {problem}; its last lines:\n" + "\n".join(self.log(name).splitlines()[-20:])

    def _configuration(self):
        host = socket.gethostname().split(".")[0]
        ports = [reservation.getsockname()[1] for reservation in self.ports]
        settings = {
            "ClusterName": "farm",
            "SlurmctldHost": f"{host}({self.address})",
            "SlurmctldPort": ports[0],
            "SlurmUser": os.geteuid(),
            "SlurmdUser": os.geteuid(),
            # A requeued task waits for cred_expire and a second; 5 is the least that Slurm accepts.
            "AuthInfo": f"socket={self._socket()},cred_expire=5",
            "StateSaveLocation": f"{self.folder}/slurmctld/state",
            "SlurmctldPidFile": f"{self.folder}/slurmctld/pid",
            "SlurmdSpoolDir": f"{self.folder}/%n/spool",
            "SlurmdPidFile": f"{self.folder}/%n/pid",
            **SETTINGS, **self.settings}
        lines = [f"{key}={value}" for key, value in settings.items()]
        lines += [f"NodeName={name} NodeHostname={host} NodeAddr={self.address} Port={port} CPUs=1 RealMemory=1000"
                  for name, port in zip(self.nodes, ports[1:])]
        lines += [f"PartitionName={name} Nodes=ALL {limits}" for name, limits in
                  (("main", "Default=YES MaxTime=INFINITE"), ("short", "MaxTime=60"))]
        return "\n".join(lines) + "\n"


def arguments():
    parser = argparse.ArgumentParser(description="Runs a command in a Slurm cluster of its own, on this machine.")
    parser.add_argument("--nodes", type=int, default=4, metavar="N", help="how many nodes (4)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a line of slurm.conf")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="the command and its arguments, after --")
    given = parser.parse_args()
    if given.nodes < 1:
        parser.error(f"--nodes {given.nodes}: a cluster has at least one node")
    for line in given.set:
        if "=" not in line:
            parser.error(f"--set {line}: write KEY=VALUE, as in --set MinJobAge=2")
    if not shutil.which(given.command[0], path=search_path()):
        parser.error(f"{given.command[0]}: there is no such command")
    if missing_packages():
        parser.error(f"install these Debian packages: {' '.join(missing_packages())}")
    return given


def run_to_its_end(command, environment):
    """Returns the exit code of a command. Ends it if this process is interrupted."""
    with subprocess.Popen(command, env=environment) as process:
        try:
            code = process.wait()
        except BaseException:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return code if code >= 0 else 128 - code


def main():
    given = arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        with SlurmCluster(given.nodes, **dict(line.split("=", 1) for line in given.set)) as cluster:
            return run_to_its_end(given.command, cluster.environment)
    except ClusterError as error:
        print(f"error: the Slurm cluster does not start: {error}", file=sys.stderr)
        return 125


if __name__ == "__main__":
    sys.exit(main())
