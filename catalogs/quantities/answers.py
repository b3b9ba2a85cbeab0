"""What can be asked of a run: each metric once, as the attribute of a run and as its record."""

from __future__ import annotations

from runlineage.catalogs.quantities.fact_fields import RATE
from runlineage.catalogs.quantities.field import Answer, Band, Field
from runlineage.catalogs.quantities.kinds import KINDS

OF_PEAK = Band(None, 1.0, "no device works above its dense peak")


class Answers:
    """The metrics, as attributes of a run: those of the run itself first, of its footprint and of policy by name."""

    training_operations = Answer(
        KINDS["Operations"], "flop", "operations of the training run", ("3.14e23",), adds_up=True
    )
    achieved_rate = Answer(
        KINDS["Rate"],
        "TFLOP/s/accelerator",
        "operations per second and accelerator, averaged over the whole run",
        ("150 TFLOP/s",),
        also=("reported_rate",),
        band=RATE,
    )
    energy = Answer(
        KINDS["Energy"],
        "GWh",
        "energy of the devices over the run, without facility overhead",
        ("433.2 MWh",),
        also=("reported_energy",),
        adds_up=True,
    )
    peak_fraction = Answer(
        KINDS["Fraction"], "", "achieved rate over the dense peak of the device", ("0.38", "38%"), band=OF_PEAK
    )
    it_energy = Answer(
        KINDS["Energy"],
        "GWh",
        "energy of the devices and, where its overhead is stated, of the servers around them",
        ("433.2 MWh",),
        group="footprint",
        adds_up=True,
    )
    facility_energy = Answer(
        KINDS["FacilityEnergy"],
        "GWh*facility",
        "energy of the whole facility for the run: IT energy × PUE",
        ("1,287 MWh",),
        group="footprint",
        also=("reported_facility_energy",),
        adds_up=True,
    )
    location_emissions = Answer(
        KINDS["Emissions"],
        "tCO2e",
        "emissions by the average intensity of the grid",
        ("552 tCO2e",),
        group="footprint",
        adds_up=True,
    )
    market_emissions = Answer(
        KINDS["Emissions"],
        "tCO2e",
        "emissions by the intensity of the electricity's contracts",
        ("552 tCO2e",),
        group="footprint",
        adds_up=True,
    )
    implied_carbon_intensity = Answer(
        KINDS["ImpliedIntensity"],
        "kgCO2e/kWh",
        "published emissions over the energy of the devices, facility overhead and all else inside",
        ("0.414 kg/kWh",),
        group="footprint",
    )
    training_cost = Answer(
        KINDS["Cost"],
        "USD",
        "price of the accelerator time of the run",
        ("$4.6M", "250,000 USD"),
        group="footprint",
        adds_up=True,
    )
    cumulative_operations = Answer(
        KINDS["Operations"],
        "flop",
        "operations of the run and of the model that it started from",
        ("3.8e25",),
        group="policy",
    )
    modification_share = Answer(
        KINDS["Fraction"],
        "",
        "operations of the run over those of the model that it started from",
        ("0.33", "33%"),
        group="policy",
    )

    # What steps achieve: another window than the run.
    operations_per_token = Answer(
        KINDS["WorkPerToken"],
        "GFLOP/token",
        "operations of the model for one token, attention counted where the architecture is known",
        ("3278 GFLOP/token",),
        group="utilisation",
    )
    step_rate = Answer(
        KINDS["Rate"],
        "TFLOP/s/accelerator",
        "operations per second and accelerator while steps run",
        ("127 TFLOP/s",),
        group="utilisation",
        also=("reported_step_rate",),
        band=RATE,
    )
    mfu = Answer(
        KINDS["Fraction"],
        "",
        "model FLOP/s utilisation: the model's operations while steps run, over the dense peak",
        ("0.462", "46.2%"),
        group="utilisation",
        also=("reported_mfu",),
        band=OF_PEAK,
    )
    hfu = Answer(
        KINDS["Fraction"],
        "",
        "hardware FLOP/s utilisation: mfu with the operations that recomputation adds",
        ("0.578", "57.8%"),
        group="utilisation",
        also=("reported_hfu",),
        band=OF_PEAK,
    )
    goodput = Answer(
        KINDS["Fraction"],
        "",
        "share of the run's time that steps took",
        ("0.9", "90%"),
        group="utilisation",
        band=Band(None, 1.0, "steps take no longer than the run"),
    )


class Steps:
    """What lies between facts and metrics and has a name of its own."""

    parameters_per_token = Field(
        KINDS["Parameters"], "parameter", "weights that one token passes through", ("37B",), group="step"
    )
    attention_operations = Field(
        KINDS["WorkPerToken"], "GFLOP/token", "operations of attention for one token", ("36 GFLOP/token",), group="step"
    )
    attention_work = Field(
        KINDS["AttentionWork"],
        "flop/layer/channel/token/token",
        "operations of attention per layer, channel and token squared",
        ("12",),
        group="step",
        band=Band(0.0, 12.0, "attention over a whole sequence is 12"),
    )
    recomputation_factor = Field(
        KINDS["Fraction"], "", "operations that the devices run over those of the model", ("1.3333",), group="step"
    )
