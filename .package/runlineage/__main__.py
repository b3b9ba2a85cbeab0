"""Where the command line starts, as `runlineage` and as `python -m runlineage`."""

import gc
import os


def start() -> None:
    """Run the command line."""
    # Loading modules makes objects and no garbage; looking through them all the time would cost a fifth of the run.
    gc.set_threshold(20_000, 50, 50)
    # Hamilton would load an extension for each package that it finds installed, some with warnings of their own; we use
    # none, and they cost half the run. Only here, where the process is ours: Hamilton looks just once, so that in a
    # user's own program their decorators would miss what our import had switched off.
    os.environ.setdefault("HAMILTON_AUTOLOAD_EXTENSIONS", "0")
    from runlineage.visualizations.command_line.commands import main
    from runlineage.visualizations.command_line.console import INTERRUPTED

    try:
        main()
    except SystemExit as end:
        if end.code == INTERRUPTED:  # at once: threads of an engine may still call into an interpreter that ends
            os._exit(INTERRUPTED)
        raise


if __name__ == "__main__":
    start()
