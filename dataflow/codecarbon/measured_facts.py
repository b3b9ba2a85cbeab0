"""The facts of a row of emissions.csv, and what of it is not used.

`energy_consumed` is the energy of the CPUs, GPUs and memory that were tracked, times the PUE that the tracker was
given (1 where it was given none), as are its parts: codecarbon multiplies each measurement by it before it adds it up
(emissions_tracker.py, `energy *= self._pue`, since 2.2.3). Without a PUE it is energy of IT equipment, and of no
facility.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runlineage.catalogs.base.errors import InputError, echo
from runlineage.catalogs.quantities.reading import as_quantity
from runlineage.catalogs.quantities.units import Quantity, quantity
from runlineage.catalogs.records.facts import Fact
from runlineage.dataflow.cards.findings import CardFacts
from runlineage.dataflow.codecarbon.rows import TASK, Measured, number_in

SCOPE = "CPUs, GPUs and memory as codecarbon tracks them: no mainboard, disks, network or losses of power supplies"
OF_PROCESS = "of the process alone for CPU and memory, whole GPUs"
WITH_PUE = "energy_consumed, which codecarbon has multiplied by its pue of {}"
UNKNOWN_PUE = "a PUE that the tracker was given is inside, and a file of tasks does not name it"
GPUS = re.compile(r"[0-9]+ x ")
BY_PARTS = ("USA", "CAN")  # where codecarbon takes the grid of a state or province
PARTS = ("cpu_energy", "gpu_energy", "ram_energy")
PARTS_AGREE = 0.01


def facts_of_row(row: Measured, path: str) -> tuple[dict[str, Any], list[str]]:
    """Return the facts of a row with file, row and column, and what of it is not used and why.

    >>> cells = {"energy_consumed": "3", "gpu_energy": "2", "pue": "1.5", "emissions": "0.9", "duration": "3600"}
    >>> facts, remarks = facts_of_row(Measured(1, cells), "emissions.csv")
    >>> for name in ("it_energy", "energy", "reported_facility_energy", "carbon_intensity"):
    ...     print(name, f"{facts[name].value.magnitude:.4g}")
    it_energy 2
    energy 1.333
    reported_facility_energy 3
    carbon_intensity 0.3
    """
    reader = _Row(row, path)
    reader.time()
    reader.energies()
    reader.devices()
    reader.place()
    facts = reader.found.settled()
    remarks = [*([row.remark] if row.remark else []), *reader.remarks, *reader.found.conflicts]
    return facts, [*remarks, *reader.found.unused]


class _Row:
    """Reads the cells of one row."""

    def __init__(self, row: Measured, path: str) -> None:
        self.row, self.path = row, path
        self.cells: Mapping[str, str] = row.cells
        self.found = CardFacts()
        self.remarks: list[str] = []

    def time(self) -> None:
        """Take the duration."""
        seconds = self.above_zero("duration")
        if seconds is not None:
            self.take("duration", quantity(seconds, "s"), "duration")

    def energies(self) -> None:
        """Take the energies and the emissions, each for what it counts."""
        consumed, pue = self.above_zero("energy_consumed"), self.pue()
        emitted = self.above_zero("emissions")
        if emitted is not None:
            note = "as codecarbon computed them: energy_consumed × the intensity of the grid"
            self.take("published_emissions", quantity(emitted, "kgCO2e"), "emissions", note)
        if consumed is None or pue is None:
            return
        self.check_parts(consumed)
        notes = [SCOPE, OF_PROCESS if self.cells.get("tracking_mode") == "process" else ""]
        notes += [UNKNOWN_PUE if TASK in self.cells else ""]
        note = "; ".join(filter(None, notes))
        if pue == 1:
            self.take("it_energy", quantity(consumed, "kWh"), "energy_consumed", note)
        else:
            self.take("pue", quantity(pue, "facility"), "pue", "as the tracker was given it")
            with_pue = WITH_PUE.format(f"{pue:g}")
            self.take("reported_facility_energy", quantity(consumed, "kWh*facility"), "energy_consumed", with_pue)
            text = f"{with_pue}, divided by it again; {note}"
            self.take("it_energy", quantity(consumed / pue, "kWh"), "energy_consumed", text, "derived")
        devices = number_in(self.cells, "gpu_energy")
        if devices is not None and devices > 0:  # zero is written where no GPU is tracked
            text = "GPUs" if pue == 1 else "GPUs; gpu_energy, divided by the pue that codecarbon has multiplied it by"
            self.take("energy", quantity(devices / pue, "kWh"), "gpu_energy", text, "stated" if pue == 1 else "derived")
        if emitted is not None:
            each = quantity(emitted / consumed, "kgCO2e/kWh/facility")
            self.take("carbon_intensity", each, "emissions", "emissions ÷ energy_consumed", "derived")

    def pue(self) -> float | None:
        """Return the PUE inside the energies, 1 where the tracker was given none; None where it can be none."""
        written = self.cells.get("pue", "").strip()
        if not written:
            return 1.0
        pue = number_in(self.cells, "pue")
        if pue is not None and pue >= 1:
            return pue
        self.remarks.append(f"energy_consumed is not used: it was multiplied by a pue of {echo(written)}")
        return None

    def check_parts(self, consumed: float) -> None:
        """Doubt a total that its own parts do not add up to."""
        parts = [number_in(self.cells, name) for name in PARTS]
        sizes = [each for each in parts if each is not None]
        total = sum(sizes)
        if len(sizes) == len(PARTS) and abs(total - consumed) > PARTS_AGREE * consumed:
            names = " + ".join(PARTS)
            self.remarks.append(f"energy_consumed is {consumed:.6g} kWh, and {names} are {total:.6g} kWh: which holds?")

    def devices(self) -> None:
        """Take the GPUs that were tracked: their kind where there is one, and their number."""
        model, count = self.cells.get("gpu_model", "").strip(), number_in(self.cells, "gpu_count")
        place = self.place_of("gpu_model")
        if len(GPUS.findall(model)) > 1:
            self.found.withhold("accelerator", model, Path(self.path), place, "several kinds of device")
        elif model:
            self.found.accelerator(model, Path(self.path), place)
        named = [fact.value.magnitude for fact in self.found.facts.get("accelerator_count", ())]
        if count is not None and count > 0 and count not in named:
            self.take("accelerator_count", quantity(count, "accelerator"), "gpu_count", "GPUs that were tracked")

    def place(self) -> None:
        """Take the region of the cloud, else the state where codecarbon goes by states, else the country."""
        cells = {name: (self.cells.get(name) or "").strip() for name in ("cloud_region", "region", "country_iso_code")}
        country = cells["country_iso_code"]
        if cells["cloud_region"]:
            self.found.region(cells["cloud_region"], Path(self.path), self.place_of("cloud_region"))
        elif country in BY_PARTS and cells["region"]:
            self.found.region(f"{cells['region']}, {country}", Path(self.path), self.place_of("region"))
        elif country:
            self.found.region(country, Path(self.path), self.place_of("country_iso_code"))

    def above_zero(self, column: str) -> float | None:
        """Return a number above zero; any other is remarked on."""
        size = number_in(self.cells, column)
        if size is not None and 0 < size < float("inf"):
            return size
        written = self.cells.get(column) or ""
        self.remarks.append(f"{column} is not used: {echo(written)} is not a number above zero")
        return None

    def take(self, field: str, value: Quantity, column: str, note: str | None = None, basis: str = "stated") -> None:
        """Take a fact that lies within its field's band; another is remarked on."""
        try:
            as_quantity(value, field=field)
        except InputError as problem:
            fault = problem.faults[0]
            self.remarks.append(f"{column} gives no {field}: {'; '.join(filter(None, (fault.what, fault.cure)))}")
            return
        self.found.facts.setdefault(field, []).append(Fact(value, basis, self.path, self.place_of(column), note))

    def place_of(self, column: str) -> str:
        """Name the place of a cell in its file."""
        return f"row {self.row.number}, column {column}"
