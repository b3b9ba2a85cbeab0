"""Where the command line starts, as `runlineage` and as `python -m runlineage`."""

import gc


def start() -> None:
    """Run the command line."""
    # Loading modules makes objects and no garbage; looking through them all the time would cost a fifth of the run.
    gc.set_threshold(20_000, 50, 50)
    from runlineage.visualizations.commands import main

    main()


if __name__ == "__main__":
    start()
