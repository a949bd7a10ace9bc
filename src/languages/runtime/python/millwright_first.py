"""Begins a batch and then runs a module as `python -m MODULE ARGUMENTS` does: for a repository that is the test runner itself,
which is loaded before its plug-ins are."""
import os
import runpy
import sys

if __name__ == "__main__":
    import millwright_early

    sys.path[0] = os.getcwd()
    sys.argv[:] = sys.argv[1:]
    millwright_early.begin()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
