"""The field table: every fact and metric once, with its unit, kind and sentence.

Reader, command-line options, messages, tables and documentation all derive from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from runlineage.catalogs.quantities.kinds import KINDS, Kind
from runlineage.catalogs.quantities.units import Unit, unit


@dataclass(frozen=True)
class Field:
    """A quantity that can be given or asked: `unit` is that of a plain number, and the published one of a metric.

    `least` and `most` bound, in that unit, what can be true at all; `bound` says why.
    """

    name: str
    kind: Kind
    unit: str
    sentence: str
    examples: tuple[str, ...]
    gloss: str = ""
    least: float | None = None
    most: float | None = None
    bound: str = ""

    @property
    def units(self) -> Unit:
        """The unit of a plain number, as pint knows it."""
        return unit(self.unit)

    @property
    def unit_text(self) -> str:
        """The unit as files and JSON spell it."""
        return self.unit or "dimensionless"

    @property
    def unit_shown(self) -> str:
        """The unit as people write it in the field: what the facility adds goes without saying."""
        return "" if self.unit == "facility" else self.unit.removesuffix("/facility").removesuffix("*facility")

    @property
    def is_bounded(self) -> bool:
        """Whether the field has a band of its own."""
        return self.least is not None or self.most is not None


@dataclass(frozen=True)
class Word:
    """A fact that is a word: `choices` are the words it may be (empty: looked up in a catalog)."""

    name: str
    sentence: str
    choices: tuple[str, ...] = ()


def _by_name(*entries: Field) -> dict[str, Field]:
    return {entry.name: entry for entry in entries}


RUN_FACTS = _by_name(
    Field(
        "parameters",
        KINDS["Parameters"],
        "parameter",
        "weights of the whole model; a sparse model's total never serves 6 N D",
        ("405B", "176.247e9"),
    ),
    Field(
        "active_parameters",
        KINDS["Parameters"],
        "parameter",
        "weights that one token passes through, for a sparse model",
        ("37B", "37e9"),
    ),
    Field(
        "training_tokens",
        KINDS["Tokens"],
        "token",
        "tokens seen in training, epochs counted",
        ("15.6T", "300e9 tokens"),
    ),
    Field(
        "training_ops",
        KINDS["Operations"],
        "flop",
        "operations that the authors recorded or stated for the run",
        ("3.14e23", "3640 petaflop/s-days"),
        "recorded work",
    ),
    Field(
        "accelerator_hours",
        KINDS["AcceleratorTime"],
        "accelerator*hour",
        "accelerator time of the run: devices × hours, not wall-clock hours",
        ("30.84M", "1,082,990 GPU hours"),
    ),
    Field(
        "device_power",
        KINDS["Power"],
        "W/accelerator",
        "power of one device while it trains, without host, cooling or network",
        ("700 W", "0.7 kW"),
    ),
    Field("accelerator_tdp", KINDS["Power"], "W/accelerator", "thermal design power of one device", ("400 W",)),
    Field(
        "accelerator_count",
        KINDS["Count"],
        "accelerator",
        "devices that worked on the run at the same time",
        ("10,000", "384 GPUs"),
    ),
    Field("duration", KINDS["Duration"], "day", "wall-clock time of the run", ("14.8 days", "1200 hours")),
    Field(
        "peak_flops",
        KINDS["Rate"],
        "TFLOP/s/accelerator",
        "dense peak rate of one device in the number format of the training",
        ("312 TFLOP/s", "0.9894 PFLOP/s"),
        "the accelerator's name gives it",
    ),
)

INTENSITY_SLIP = "an intensity of electricity lies between 0.001 and 2 kgCO2e/kWh"

# What the footprint rests on beside the run itself.
FOOTPRINT_FACTS = _by_name(
    Field(
        "host_overhead",
        KINDS["Fraction"],
        "",
        "power of whole servers over that of their devices, at least 1",
        ("1.3", "1.82"),
        least=1.0,
        bound="a server draws no less than its devices",
    ),
    Field(
        "pue",
        KINDS["Overhead"],
        "facility",
        "power usage effectiveness: energy of the facility over that of its IT equipment",
        ("1.1", "1.12"),
        "facility over IT energy",
        least=1.0,
        bound="a PUE below 1 is impossible",
    ),
    Field(
        "carbon_intensity",
        KINDS["CarbonIntensity"],
        "kgCO2e/kWh/facility",
        "location-based carbon intensity: the average of the grid that the facility stands on",
        ("0.385 kg/kWh", "385 gCO2e/kWh"),
        "region and year look it up",
        least=0.001,
        most=2.0,
        bound=INTENSITY_SLIP,
    ),
    Field(
        "market_carbon_intensity",
        KINDS["CarbonIntensity"],
        "kgCO2e/kWh/facility",
        "market-based carbon intensity: that of the contracts, else of the residual mix; it may be 0",
        ("0.1 kg/kWh", "0 kg/kWh"),
        least=0.0,
        most=2.0,
        bound=INTENSITY_SLIP,
    ),
    Field(
        "price",
        KINDS["Price"],
        "USD/accelerator/hour",
        "price of one accelerator for an hour",
        ("$2.50", "2.5 USD/GPU-hour"),
    ),
    Field(
        "published_emissions",
        KINDS["Emissions"],
        "tCO2e",
        "emissions as the authors print them; tons are metric",
        ("8,930 tons CO2eq", "24.69 t"),
    ),
)

# What a threshold of policy adds: a model that was trained from another has that one's operations beneath it.
POLICY_FACTS = _by_name(
    Field(
        "base_training_ops",
        KINDS["Operations"],
        "flop",
        "operations that went into the model which this run started from, all its trainings together",
        ("3.8e25", "3.8e25 flop"),
    ),
)

FACTS = RUN_FACTS | FOOTPRINT_FACTS | POLICY_FACTS

METRICS = _by_name(
    Field("training_operations", KINDS["Operations"], "flop", "operations of the training run", ("3.14e23",)),
    Field(
        "achieved_rate",
        KINDS["Rate"],
        "TFLOP/s/accelerator",
        "operations per second and accelerator, averaged over the whole run",
        ("150 TFLOP/s",),
    ),
    Field(
        "energy",
        KINDS["Energy"],
        "GWh",
        "energy of the devices over the run, without facility overhead",
        ("433.2 MWh",),
    ),
    Field("peak_fraction", KINDS["Fraction"], "", "achieved rate over the dense peak of the device", ("0.38", "38%")),
)

# The second floor: energy of the facility, emissions, cost.
FOOTPRINT = _by_name(
    Field(
        "it_energy",
        KINDS["Energy"],
        "GWh",
        "energy of the devices and, where its overhead is stated, of the servers around them",
        ("433.2 MWh",),
    ),
    Field(
        "facility_energy",
        KINDS["FacilityEnergy"],
        "GWh*facility",
        "energy of the whole facility for the run: IT energy × PUE",
        ("1,287 MWh",),
    ),
    Field(
        "location_emissions",
        KINDS["Emissions"],
        "tCO2e",
        "emissions by the average intensity of the grid",
        ("552 tCO2e",),
    ),
    Field(
        "market_emissions",
        KINDS["Emissions"],
        "tCO2e",
        "emissions by the intensity of the electricity's contracts",
        ("552 tCO2e",),
    ),
    Field(
        "implied_carbon_intensity",
        KINDS["ImpliedIntensity"],
        "kgCO2e/kWh",
        "published emissions over the energy of the devices, facility overhead and all else inside",
        ("0.414 kg/kWh",),
    ),
    Field(
        "training_cost",
        KINDS["Cost"],
        "USD",
        "price of the accelerator time of the run",
        ("$4.6M", "250,000 USD"),
    ),
)

# The third floor: what thresholds of policy compare.
POLICY = _by_name(
    Field(
        "cumulative_operations",
        KINDS["Operations"],
        "flop",
        "operations of the run and of the model that it started from",
        ("3.8e25",),
    ),
    Field(
        "modification_share",
        KINDS["Fraction"],
        "",
        "operations of the run over those of the model that it started from",
        ("0.33", "33%"),
    ),
)

BY_NAME: dict[str, Field] = FOOTPRINT | POLICY  # answered when they are asked for by name
ANSWERS: dict[str, Field] = METRICS | BY_NAME

STEPS = _by_name(
    Field("parameters_per_token", KINDS["Parameters"], "parameter", "weights that one token passes through", ("37B",)),
)

FIELDS: dict[str, Field] = FACTS | ANSWERS | STEPS

WORDS: dict[str, Word] = {
    word.name: word
    for word in (
        Word("accelerator", "the device, by any usual spelling of its name in the catalog, such as 'H100 SXM'"),
        Word(
            "precision",
            "number format of the training, which picks the peak",
            ("fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16", "fp8", "int8"),
        ),
        Word("sparse", "whether only part of the weights serve a token, true or false"),
        Word("architecture", "how tokens pass the weights, where 6 N D depends on it", ("decoder", "encoder-decoder")),
        Word("stage", "which training this was", ("pre-training", "continued pre-training", "fine-tuning")),
        Word(
            "work_counts",
            "whether recorded work counts the model's operations or also recomputation (hardware)",
            ("model", "hardware"),
        ),
        Word("power_basis", "what device_power is", ("tdp", "measured_device", "measured_system")),
        Word(
            "region", "where the electricity was used: ISO 3166 code or name in the catalog, such as 'FR' or 'Oregon'"
        ),
        Word("year", "year of the grid's intensity, which region and year look up together, such as 2022"),
    )
}

LOOKUP = {"region", "year"}  # words that together give the intensity of a grid

PRECISION_SPELLINGS = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float32": "fp32",
    "single": "fp32",
    "float64": "fp64",
    "double": "fp64",
    "tensorfloat32": "tf32",
    "float8": "fp8",
    "e4m3": "fp8",
}
