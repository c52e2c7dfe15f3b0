"""What an SM has, of a machine file, and how long blocks of a launch keep the SMs busy."""
import heapq


def read_machine(text):
    """The values of a machine file as "stencilc --print-arch" prints it."""
    values = {}
    for line in text.splitlines():
        name, equals, rest = line.partition("#")[0].partition("=")
        if equals:
            values[name.strip()] = float(rest)
    return values


def resident(machine, registers, shared, warps):
    """Blocks of so many warps that an SM holds: registers are given to warps in units of
    256, four warps at a time (NVIDIA's occupancy calculator, 9.0)."""
    per_warp = (registers * 32 + 255) // 256 * 256
    by_registers = int(machine["registers_per_sm"] // per_warp) // 4 * 4 // warps
    reserved = machine["shared_reserved_bytes"]
    by_shared = int(machine["shared_bytes_per_sm"] // (shared + reserved))
    by_threads = int(machine["max_threads_per_sm"] // (32 * warps))
    return min(by_registers, by_shared, by_threads, int(machine["max_blocks_per_sm"]))


def bytes_per_cycle(machine, of_memory):
    """What an SM gets a cycle, where all SMs want as much: of L2, or of device memory, to
    which the part "of_memory" of what it wants goes on."""
    per_sm = machine["sm_count"] * machine["clock_hz"]
    return min(64, machine["l2_bandwidth_bytes_per_s"] / per_sm,
               machine["bandwidth_bytes_per_s"] / per_sm / max(of_memory, 1e-6))


def makespan(blocks, sms, places, speed):
    """Cycles until all blocks of a launch are done.

    "blocks" are their cycles on an SM that has "places" blocks, in the order of their launch;
    "speed" tells how much faster one is on an SM that has fewer.  A block goes to the SM that
    has the fewest, as soon as one has a place.
    """
    left = [{} for _ in range(sms)]
    seen, version = [0.0] * sms, [0] * sms
    events, now, waiting = [], 0.0, iter(enumerate(blocks))

    def advance(sm):
        done = (now - seen[sm]) * speed(len(left[sm]))
        for block in left[sm]:
            left[sm][block] -= done
        seen[sm] = now

    def plan(sm):
        version[sm] += 1
        if left[sm]:
            soonest = max(0, min(left[sm].values())) / speed(len(left[sm]))
            heapq.heappush(events, (now + soonest, version[sm], sm))

    for place in range(places):
        for sm in range(sms):
            block = next(waiting, None)
            if block:
                left[sm][block[0]] = block[1]
    for sm in range(sms):
        plan(sm)
    while events:
        when, planned, sm = heapq.heappop(events)
        if planned != version[sm]:
            continue
        now = when
        advance(sm)
        finished = [b for b, rest in left[sm].items() if rest <= 1e-6 * (1 + now)]
        for b in finished:
            del left[sm][b]
            if block := next(waiting, None):
                left[sm][block[0]] = block[1]
        plan(sm)
    return now
