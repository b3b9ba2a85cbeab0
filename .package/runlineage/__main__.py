"""`python -m runlineage` is the command line."""

from runlineage.visualizations.commands import main

main()
