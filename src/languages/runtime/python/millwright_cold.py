"""Candidates that change what runs while files are loaded: a child that was forked before anything was loaded waits for them,
and forks once more for each. There the changed files take the place of those on the disk, whoever imports them.
"""
import importlib.machinery
import json
import os
import sys
import time

from millwright_children import Children
from millwright_watch import watch

# A child gets so many times what loading took without a candidate, and so many seconds beside it, until it reports anything.
LOAD_FACTOR = 4
LOAD_SECONDS = 5.0


class ColdStart(object):
    def __init__(self):
        self.began = time.monotonic()
        self.process = self.pipe = None

    def wait_for_candidates(self, batch):
        """Returns in the parent at once, and in each candidate's child with the candidate."""
        ours, self.pipe = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process != 0:
            os.close(ours)
            return None
        os.close(self.pipe)
        with os.fdopen(ours) as orders:
            for line in orders:
                order = json.loads(line)
                batch.children = Children(max(order["seconds"], batch.children.stall_seconds))
                for candidate in order["candidates"]:
                    while len(batch.children.running) >= batch.parallel:
                        batch.wait()
                    if batch.fork(candidate):
                        return candidate
                while batch.children.running:
                    batch.wait()
        os._exit(0)

    def loaded(self):
        self.seconds = LOAD_SECONDS + LOAD_FACTOR * (time.monotonic() - self.began)

    def test(self, candidates):
        """Has the candidates tested, and ends the waiting child."""
        order = json.dumps({"seconds": self.seconds, "candidates": candidates}) + "\n" if candidates else ""
        with os.fdopen(self.pipe, "w") as pipe:
            pipe.write(order)
        os.waitpid(self.process, 0)


class Overlay(object):
    """In the candidate's child: its files instead of those on the disk."""

    def __init__(self, root, changes, notice):
        self.root = root
        self.notice = notice
        # By real path.
        self.texts = {os.path.realpath(os.path.join(root, *name.split("/"))): text for name, text in changes}
        self.served = set()
        self.early = self._loaded()

    def install(self):
        for path in self.early:
            self.notice("%s was loaded before the tests" % os.path.basename(path))
        original = importlib.machinery.SourceFileLoader.get_code
        overlay = self

        def get_code(loader, name):
            path = loader.get_filename(name)
            real = os.path.realpath(path)
            text = overlay.texts.get(real)
            if text is None:
                return original(loader, name)
            overlay.served.add(real)
            return compile(text, path, "exec", 0, True)

        importlib.machinery.SourceFileLoader.get_code = get_code

    def check(self):
        """Once the tests are loaded."""
        if not self._loaded() <= self.served:
            self.notice("the changed file is loaded in another way")
        # Not before: plug-ins of the framework look around when they are loaded.
        watch(self.root, (), self.notice, set(self.texts))

    def _loaded(self):
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        return {os.path.realpath(file) for file in files if isinstance(file, str)} & set(self.texts)
