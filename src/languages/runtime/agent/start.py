"""Starts an external agent in its sandbox: `start.py SOCKET COMMAND`.

The sandbox has no network but its own loopback: what the agent sends to a port there goes through the socket to the host, which
answers as a model's provider does. Needs nothing but Python 3.6.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading


def connect(path):
    """By the folder's handle: the path of a socket must not have more than 107 bytes."""
    folder, name = os.path.split(path)
    handle = os.open(folder, os.O_RDONLY)
    try:
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.connect("/proc/self/fd/%d/%s" % (handle, name))
        return link
    finally:
        os.close(handle)


def pump(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def relay(client, path):
    try:
        host = connect(path)
    except OSError as error:
        sys.stderr.write("millwright: the host cannot be reached: %s\n" % error)
        client.close()
        return
    back = threading.Thread(target=pump, args=(host, client), daemon=True)
    back.start()
    pump(client, host)
    back.join()
    client.close()
    host.close()


def serve(listener, path):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=relay, args=(client, path), daemon=True).start()


def search_path(before):
    """The project's own programs first, as when its tests are run; then ours; the agent's last, whose Python is not the project's."""
    here = os.getcwd()
    own = [os.path.join(here, name) for name in ("node_modules/.bin", ".venv/bin", "venv/bin")]
    ours = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
    agent = os.environ.get("MILLWRIGHT_AGENT", "")
    agents = [os.path.join(agent, "bin"), agent] if agent else []
    found = [folder for folder in own if os.path.isdir(folder)]
    return os.pathsep.join(found + [ours, before] + agents)


def unproxied(environment):
    """Keeps requests to our server away from a proxy. Without a proxy, programs under test see no new variables."""
    proxies = ("http_proxy", "https_proxy", "all_proxy")
    if not any(name.lower() in proxies for name in environment):
        return {}
    ours = "127.0.0.1,localhost"
    return {name: ",".join(filter(None, [environment.get(name), ours])) for name in ("NO_PROXY", "no_proxy")}


def main():
    path, command = sys.argv[1:]
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    threading.Thread(target=serve, args=(listener, path), daemon=True).start()
    address = "http://127.0.0.1:%d" % listener.getsockname()[1]
    environment = dict(os.environ)
    environment.update(
        {
            "MILLWRIGHT_ADDRESS": address,
            "OPENAI_BASE_URL": address + "/v1",
            "OPENAI_API_BASE": address + "/v1",
            "PATH": search_path(environment.get("PATH", os.defpath)),
        }
    )
    environment.update(unproxied(environment))
    shell = "bash" if shutil.which("bash") else "sh"
    code = subprocess.call([shell, "-c", command], env=environment)
    sys.stdout.flush()
    os._exit(code if code >= 0 else 128 - code)


main()
