#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The workloads of engine_bench in SimPy. Prints events per second.

    simpy_processes.py short|spread|resource EVENTS
"""
import random
import sys
import time

import simpy

PROCESSES = 1000
CONTENDERS = 64


def delayer(env, delays, start, steps):
    for i in range(start, start + steps):
        yield env.timeout(delays[i % 1024])


def contender(env, resource, steps):
    for _ in range(steps):
        with resource.request() as request:
            yield request
            yield env.timeout(5)


def main():
    workload, events = sys.argv[1], int(sys.argv[2])
    env = simpy.Environment()
    if workload == "resource":
        resource = simpy.Resource(env, capacity=1)
        for _ in range(CONTENDERS):
            env.process(contender(env, resource, events // CONTENDERS))
    else:
        rng = random.Random(1)
        draw = (lambda: int(10 ** (6 * rng.random()))) if workload == "spread" else (
            lambda: rng.randint(1, 16))
        delays = [draw() for _ in range(1024)]
        for number in range(PROCESSES):
            env.process(delayer(env, delays, number * 389, events // PROCESSES))
    start = time.perf_counter()
    env.run()
    print(round(events / (time.perf_counter() - start)))


main()
