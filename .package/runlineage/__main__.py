"""Where the command line starts, as `runlineage` and as `python -m runlineage`."""

import gc
import os
import signal
import threading
from typing import NoReturn

ENDED = 128  # plus the number of the signal: the exit code of a process that a signal ended


def start() -> None:
    """Run the command line."""
    # Loading modules makes objects and no garbage; looking through them all the time would cost a fifth of the run.
    gc.set_threshold(20_000, 50, 50)
    # Hamilton would load an extension for each package that it finds installed, some with warnings of their own; we use
    # none, and they cost half the run. Only here, where the process is ours: Hamilton looks just once, so that in a
    # user's own program their decorators would miss what our import had switched off.
    os.environ.setdefault("HAMILTON_AUTOLOAD_EXTENSIONS", "0")
    signals = signals_as_interrupts()
    from runlineage.visualizations.command_line.commands import main
    from runlineage.visualizations.command_line.console import INTERRUPTED

    try:
        main()
    except SystemExit as end:
        if end.code == INTERRUPTED:  # at once: threads of an engine may still call into an interpreter that ends
            os._exit(ENDED + signals[0] if signals else INTERRUPTED)
        raise


def signals_as_interrupts() -> list[int]:
    """Let SIGTERM and SIGHUP end the work as Ctrl-C does, so that nothing half-written stays; list those that came.

    An engine that works keeps Python's own handlers waiting and looks for Ctrl-C alone, so that a thread passes it on.
    """
    came: list[int] = []
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return came
    numbers = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    for number in numbers:
        signal.signal(number, lambda *_: None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
        signal.signal(signal.SIGINT, lambda *_: interrupt() if came else None)

    def pass_on() -> None:
        while number := os.read(reader, 1):
            if number[0] in numbers:
                came.append(number[0])
                os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=pass_on, daemon=True).start()
    return came


def interrupt() -> NoReturn:
    """Interrupt what is going on."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    start()
