"""Reads JSON lines {kind, reply, files} and answers each with {files} or {why}, by the functions of aider that its edit formats
"diff" and "udiff" use. Only its modules of edit formats are loaded; what they import besides is replaced by empty modules."""

import json
import sys
import types


class Anything(types.ModuleType):
    """A module of which every name exists and none is used."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def load(folder):
    sys.path.insert(0, folder)
    for name in ("aider.utils", "aider.dump", "aider.coders.base_coder", "tqdm", "git"):
        sys.modules[name] = Anything(name)
    package = types.ModuleType("aider.coders")
    package.__path__ = [folder + "/aider/coders"]
    sys.modules["aider.coders"] = package
    try:
        import diff_match_patch  # noqa: F401
    except ImportError:
        sys.modules["diff_match_patch"] = Anything("diff_match_patch")
    from aider.coders import editblock_coder, udiff_coder

    return editblock_coder, udiff_coder


def apply_blocks(coder, reply, files):
    """As `EditBlockCoder.apply_edits`: the named file, then each of the others."""
    fence = ("```", "```")
    edits = [edit for edit in coder.find_original_update_blocks(reply, fence, list(files)) if edit[0] is not None]
    if not edits:
        return {"why": "no block"}
    changed = {}
    for path, original, updated in edits:
        result = None
        for name in [path] + [other for other in files if other != path]:
            text = changed.get(name, files.get(name))
            if text is None:
                continue
            result = coder.do_replace(name, text, original, updated, fence)
            if result:
                changed[name] = result
                break
        if not result:
            return {"why": "no match"}
    return {"files": changed}


def apply_diffs(coder, reply, files):
    """As `UnifiedDiffCoder.apply_edits`."""
    edits = coder.find_diffs(reply)
    if not edits:
        return {"why": "no diff"}
    changed = {}
    for path, hunk in edits:
        hunk = coder.normalize_hunk(hunk)
        if not hunk:
            continue
        original, _ = coder.hunk_to_before_after(hunk)
        text = changed.get(path, files.get(path))
        if text is None:
            return {"why": "no file"}
        try:
            result = coder.do_replace(path, text, hunk)
        except coder.SearchTextNotUnique:
            return {"why": "not unique"}
        if not result:
            return {"why": "no match"}
        changed[path] = result
    return {"files": changed}


def main():
    blocks, diffs = load(sys.argv[1])
    for line in sys.stdin:
        case = json.loads(line)
        try:
            if case["kind"].startswith("diff"):
                answer = apply_diffs(diffs, case["reply"], case["files"])
            else:
                answer = apply_blocks(blocks, case["reply"], case["files"])
        except Exception as error:
            answer = {"why": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer))


main()
