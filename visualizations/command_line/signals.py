"""Signals that end a program: what it was writing is cleaned up first."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the work as an interrupt does, which engines heed and cleaners see.

    A handler of Python's runs only between its own steps, and an engine may take minutes over one of them; the byte
    that the system's handler writes is seen at once.
    """
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return
    heeded = [each for each in ENDING if signal.getsignal(each) != signal.SIG_IGN]  # which nohup sets
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    caught: list[int] = []

    def watch() -> None:
        while byte := ours.recv(1):
            if byte[0] in heeded:
                caught.append(byte[0])
                os.kill(os.getpid(), signal.SIGINT)

    before = {each: signal.signal(each, lambda *_: None) for each in heeded}
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except KeyboardInterrupt:
        if caught:
            raise SystemExit(128 + caught[0]) from None
        raise
    finally:
        signal.set_wakeup_fd(wakeup)
        for each, handler in before.items():
            signal.signal(each, handler)
        theirs.close()
        watcher.join()
        ours.close()
