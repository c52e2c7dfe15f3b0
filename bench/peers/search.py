"""The best of some settings, remembered in a file for the next time."""
import json
import os
import sys

from programs import Failed, rate, run, compiler

RUNS = int(os.environ.get("RUNS") or 3)
TRIES = int(os.environ.get("TRIES") or 1)


class Cache:
    """What searches found, by what they searched for; "path" may be absent."""

    def __init__(self, path):
        self.path, self.found = path, {}
        if path and os.path.exists(path):
            with open(path) as file:
                self.found = json.load(file)

    def __contains__(self, key):
        return key in self.found

    def __getitem__(self, key):
        return self.found[key]

    def __setitem__(self, key, value):
        self.found[key] = value
        if self.path:
            with open(self.path + ".tmp", "w") as file:
                json.dump(self.found, file, indent=0, sort_keys=True)
            os.replace(self.path + ".tmp", self.path)


def compiler_version():
    return run(compiler() + ["--version"]).split("\n")[0]


def say(text):
    print(text, file=sys.stderr, flush=True)


class Found:
    """A code that takes part in the turns: its name, setting, and command."""

    def __init__(self, setting, command):
        self.setting, self.command = setting, command
        self.rates = []

    def turn(self):
        self.rates.append(rate(self.command))


def best_first(peer, nest):
    """Codes of all settings of the peer that there are, the fastest first: each is timed
    TRIES times, the best three again."""
    tried, programs = [], set()
    for setting in peer.settings(nest):
        try:
            found = peer.make(nest, setting)
            if peer.identity(found) in programs:
                continue
            programs.add(peer.identity(found))
            for _ in range(TRIES):
                found.turn()
        except Failed as error:
            say(f"  {peer.name} {setting}: {error}")
            continue
        say(f"  {peer.name} {setting}: {max(found.rates)}")
        tried.append(found)
    tried.sort(key=lambda found: -max(found.rates))
    for found in tried[:3]:
        found.turn()
    return sorted(tried, key=lambda found: -max(found.rates))


def right(peer, nest, found):
    try:
        peer.check(nest, found)
    except Failed as error:
        say(f"  {peer.name} {found.setting}: {error}")
        return False
    return True


def search(peer, nest, cache):
    """The fastest code of the peer that computes what plain nests compute, or None; what was
    found before is checked again."""
    key = f"{peer.key()} {nest}"
    if key in cache and cache[key] is None:
        return None
    say(f"{nest}: {peer.name}")
    tried = [peer.make(nest, cache[key])] if key in cache else best_first(peer, nest)
    found = next((code for code in tried if right(peer, nest, code)), None)
    if tried:
        cache[key] = found.setting if found else None
    if found:
        found.rates = []
    return found


def median(values):
    return sorted(values)[(len(values) - 1) // 2]


def quartiles(values):
    """The lower one, the median, and the upper one."""
    values = sorted(values)
    return [values[int(part * (len(values) - 1) + 0.5)] for part in (0.25, 0.5, 0.75)]


def figure(value):
    return f"{value:.4g}"


def turns(codes):
    for _ in range(RUNS):
        for code in codes:
            code.turn()


def over(own, codes):
    """Our rate over that of the fastest of the codes, the median of all turns: what else the
    machine does hits a turn, not one code."""
    return median([ours / max(theirs)
                   for ours, *theirs in zip(own.rates, *(code.rates for code in codes))])


def best_of(found, own):
    """Columns: rates and settings of the tools that took part, and what our code has over the
    fastest."""
    values = {}
    for name, code in found.items():
        values |= {name: figure(median(code.rates)), name + "_best": figure(max(code.rates)),
                   name + "_setting": code.setting}
    if found:
        best = max(max(code.rates) for code in found.values())
        values |= {"over_peers": f"{over(own, found.values()):.2f}",
                   "over_peers_best": f"{max(own.rates) / best:.2f}"}
    return values
