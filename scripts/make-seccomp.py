"""Compiles src/sandbox/seccomp/rules.json into what the sandboxes load: an allow-list for each architecture.

`x64.bpf` and `arm64.bpf` are programs of the kernel for bubblewrap, made by libseccomp; `docker.generated.json` says the same to a
container engine. Needs libseccomp's Python module (Debian: python3-seccomp) and the system's python3. One architecture's
filter holds its 32-bit programs, too.
"""
import errno
import json
import os
import sys

import seccomp
from seccomp import ALLOW, EQ, ERRNO, LT, MASKED_EQ, Arch, Arg, Attr, SyscallFilter

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "sandbox", "seccomp")
# The newest number that libseccomp 2.5.4 knows is below 450; 32-bit ARM has some of its own far above.
NUMBERS = list(range(0, 600)) + list(range(983041, 983047))

TARGETS = {
    "x64": [("SCMP_ARCH_X86_64", Arch.X86_64), ("SCMP_ARCH_X86", Arch.X86)],
    "arm64": [("SCMP_ARCH_AARCH64", Arch.AARCH64), ("SCMP_ARCH_ARM", Arch.ARM)],
}

# Flags of clone(2) that ask for a namespace: NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
NAMESPACES = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]

# personality(2): as it is, as Linux, without random addresses (debuggers set it for their children), and the question.
PERSONALITIES = [0x0, 0x0008, 0x20000, 0x20008, 0x0040000, 0xFFFFFFFF]

# AF_VSOCK of socket(2) reaches the machine under this one. Families above it are named one by one: the kernel reads 32 bits alone, and
# "greater than 40" would hold for a number whose lower half is 40.
VSOCK = 40
ABOVE_VSOCK = range(VSOCK + 1, 46)

# Calls on another process, and where they name it. Who stops the first process of a sandbox stops the sandbox, with nobody left to
# see a command end. The kernel reads 32 bits of the number.
ON_PROCESS = [(1, ["ptrace"]), (0, ["process_vm_readv", "process_vm_writev"])]
WORD = 0xFFFFFFFF


def names_of(arch):
    """The calls of an architecture, by name."""
    found = set()
    for number in NUMBERS:
        try:
            name = seccomp.resolve_syscall(arch, number)
        except (ValueError, RuntimeError):
            continue
        if name:
            found.add(name.decode() if isinstance(name, bytes) else name)
    return found


def read_rules():
    with open(os.path.join(FOLDER, "rules.json"), encoding="utf-8") as file:
        rules = json.load(file)
    groups = [[name for names in rules[key].values() for name in names] for key in ("allowed", "refused", "absent")]
    named = [name for names in groups for name in names]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        sys.exit("these calls are named more than once: " + ", ".join(twice))
    return tuple(set(names) for names in groups)


def rules_of(names, allowed, refused):
    """Of `names`: (calls, action, condition), where a condition is (argument, comparison, value, mask) or None; the first that fits decides."""
    by_argument = {"clone", "personality", "socket"} | {name for _, named in ON_PROCESS for name in named}
    yield sorted((names & allowed) - by_argument), "allow", None
    yield sorted(names & refused), "refuse", None
    # Of what no list names, all that has a name here: older container engines know no `defaultErrnoRet`.
    yield sorted(names - allowed - refused), "absent", None
    yield ["clone"], "allow", (0, "masked", sum(NAMESPACES), 0)
    for flag in NAMESPACES:
        yield ["clone"], "refuse", (0, "masked", flag, flag)
    for value in PERSONALITIES:
        yield ["personality"], "allow", (0, "equal", value, None)
    yield ["socket"], "allow", (0, "less", VSOCK, None)
    for family in ABOVE_VSOCK:
        yield ["socket"], "allow", (0, "equal", family, None)
    yield ["socket"], "refuse", (0, "equal", VSOCK, None)
    for index, named in ON_PROCESS:
        yield named, "refuse", (index, "masked", WORD, 1)
        yield named, "allow", (index, "masked", WORD, 0)
        for bit in range(1, 32):
            yield named, "allow", (index, "masked", 1 << bit, 1 << bit)


ERRORS = {"refuse": errno.EPERM, "absent": errno.ENOSYS}


def argument_of(condition):
    index, comparison, value, other = condition
    if comparison == "masked":
        return Arg(index, MASKED_EQ, value, other)
    return Arg(index, {"equal": EQ, "less": LT}[comparison], value)


def make_program(architectures, rules):
    """A program of the kernel. Calls that no rule names are absent, so that programs fall back."""
    made = SyscallFilter(ERRNO(errno.ENOSYS))
    made.set_attr(Attr.CTL_OPTIMIZE, 2)
    made.set_attr(Attr.ACT_BADARCH, ERRNO(errno.ENOSYS))
    native = Arch()
    for _, arch in architectures:
        if not made.exist_arch(arch):
            made.add_arch(arch)
    if all(int(Arch(arch)) != int(native) for _, arch in architectures):
        made.remove_arch(native)
    for names, action, condition in rules:
        for name in names:
            arguments = [] if condition is None else [argument_of(condition)]
            if action == "absent":
                continue  # as all that no rule names
            made.add_rule(ALLOW if action == "allow" else ERRNO(ERRORS[action]), name, *arguments)
    return made


def make_profile(rules):
    """The same as a container engine reads it."""
    comparisons = {"masked": "SCMP_CMP_MASKED_EQ", "equal": "SCMP_CMP_EQ", "less": "SCMP_CMP_LT"}
    calls = []
    for names, action, condition in rules:
        call = {"names": names, "action": "SCMP_ACT_ALLOW" if action == "allow" else "SCMP_ACT_ERRNO"}
        if action in ERRORS:
            call["errnoRet"] = ERRORS[action]
        if condition is not None:
            index, comparison, value, other = condition
            call["args"] = [{"index": index, "op": comparisons[comparison], "value": value, "valueTwo": other or 0}]
        calls.append(call)
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.ENOSYS,
        "archMap": [
            {"architecture": architectures[0][0], "subArchitectures": [name for name, _ in architectures[1:]]}
            for architectures in TARGETS.values()
        ],
        "syscalls": calls,
    }


def main():
    allowed, refused, absent = read_rules()
    everything = set()
    for target, architectures in TARGETS.items():
        names = set().union(*(names_of(arch) for _, arch in architectures))
        everything |= names
        with open(os.path.join(FOLDER, target + ".bpf"), "wb") as file:
            make_program(architectures, rules_of(names, allowed, refused)).export_bpf(file)
    unknown = (allowed | refused | absent) - everything
    if unknown:
        sys.exit("libseccomp has no calls of these names: " + ", ".join(sorted(unknown)))
    with open(os.path.join(FOLDER, "docker.generated.json"), "w", encoding="utf-8") as file:
        json.dump(make_profile(list(rules_of(everything, allowed, refused))), file, indent=1)
        file.write("\n")


main()
