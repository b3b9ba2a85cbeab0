"""The facts that can be given: of the run, of its footprint, and of the policy that it is held to."""

from __future__ import annotations

from runlineage.catalogs.quantities.field import Band, Field
from runlineage.catalogs.quantities.kinds import KINDS
from runlineage.catalogs.quantities.words import WORDS

INTENSITY_SLIP = "an intensity of electricity lies between 0.001 and 2 kgCO2e/kWh"
COUNTED = Band(1.0, None, "a count is at least 1")
POWER = Band(1.0, 2e4, "a device draws between 1 W and 20 kW")
THIRTY_YEARS = Band(None, 10_957.0, "no run lasts 30 years; a plain number is in days")
RATE = Band(None, 1e6, "no device does 1 EFLOP/s; a plain number is in TFLOP/s")


class Facts:
    """Every fact that is a quantity, by its name."""

    parameters = Field(
        KINDS["Parameters"],
        "parameter",
        "weights of the whole model; a sparse model's total never serves 6 N D",
        ("405B", "176.247e9"),
        band=COUNTED,
    )
    active_parameters = Field(
        KINDS["Parameters"],
        "parameter",
        "weights that one token passes through, for a sparse model",
        ("37B", "37e9"),
        band=COUNTED,
    )
    training_tokens = Field(
        KINDS["Tokens"],
        "token",
        "tokens seen in training, epochs counted",
        ("15.6T", "300e9 tokens"),
        band=COUNTED,
        adds_up=True,
    )
    training_ops = Field(
        KINDS["Operations"],
        "flop",
        "operations that the authors recorded or stated for the run",
        ("3.14e23", "3640 petaflop/s-days"),
        gloss="recorded work",
        band=COUNTED,
        adds_up=True,
    )
    accelerator_hours = Field(
        KINDS["AcceleratorTime"],
        "accelerator*hour",
        "accelerator time of the run: devices × hours, not wall-clock hours",
        ("30.84M", "1,082,990 GPU hours"),
        adds_up=True,
    )
    device_power = Field(
        KINDS["Power"],
        "W/accelerator",
        "power of one device while it trains, without host, cooling or network",
        ("700 W", "0.7 kW"),
        band=POWER,
    )
    accelerator_tdp = Field(
        KINDS["Power"], "W/accelerator", "thermal design power of one device", ("400 W",), also=("tdp",), band=POWER
    )
    accelerator_count = Field(
        KINDS["Count"],
        "accelerator",
        "devices that worked on the run at the same time",
        ("10,000", "384 GPUs"),
        band=COUNTED,
    )
    duration = Field(
        KINDS["Duration"],
        "day",
        "wall-clock time of the run",
        ("14.8 days", "1200 hours"),
        band=THIRTY_YEARS,
        adds_up=True,
    )
    peak_flops = Field(
        KINDS["Rate"],
        "TFLOP/s/accelerator",
        "dense peak rate of one device in the number format of the training",
        ("312 TFLOP/s", "0.9894 PFLOP/s"),
        gloss="the accelerator's name gives it",
        also=tuple(f"peak_{precision}" for precision in WORDS["precision"].choices),
        band=RATE,
    )
    # What the footprint rests on beside the run itself.
    system_power = Field(
        KINDS["Power"],
        "W/accelerator",
        "power per accelerator measured on whole systems: host and fans inside",
        ("330 W", "0.33 kW"),
        gloss="device_power with power_basis measured_system gives it",
        group="footprint",
        band=POWER,
    )
    host_overhead = Field(
        KINDS["Fraction"],
        "",
        "power of whole servers over that of their devices, at least 1",
        ("1.3", "1.82"),
        group="footprint",
        band=Band(1.0, None, "a server draws no less than its devices"),
    )
    pue = Field(
        KINDS["Overhead"],
        "facility",
        "power usage effectiveness: energy of the facility over that of its IT equipment",
        ("1.1", "1.12"),
        gloss="facility over IT energy",
        group="footprint",
        band=Band(1.0, None, "a PUE below 1 is impossible"),
    )
    carbon_intensity = Field(
        KINDS["CarbonIntensity"],
        "kgCO2e/kWh/facility",
        "location-based carbon intensity: the average of the grid that supplies the facility",
        ("0.385 kg/kWh", "385 gCO2e/kWh"),
        gloss="region and year look it up",
        group="footprint",
        band=Band(0.001, 2.0, INTENSITY_SLIP),
    )
    market_carbon_intensity = Field(
        KINDS["CarbonIntensity"],
        "kgCO2e/kWh/facility",
        "market-based carbon intensity: that of the contracts, else of the residual mix; it may be 0",
        ("0.1 kg/kWh", "0 kg/kWh"),
        group="footprint",
        band=Band(0.0, 2.0, INTENSITY_SLIP),
    )
    price = Field(
        KINDS["Price"],
        "USD/accelerator/hour",
        "price of one accelerator for an hour",
        ("$2.50", "2.5 USD/GPU-hour"),
        group="footprint",
        band=Band(None, 1000.0, "no accelerator costs 1,000 USD an hour"),
    )
    published_emissions = Field(
        KINDS["Emissions"],
        "tCO2e",
        "emissions as the authors print them; tons are metric",
        ("8,930 tons CO2eq", "24.69 t"),
        group="footprint",
        adds_up=True,
    )
    # A model that was trained from another has that one's operations beneath it.
    base_training_ops = Field(
        KINDS["Operations"],
        "flop",
        "operations that went into the model which this run started from, all its trainings together",
        ("3.8e25", "3.8e25 flop"),
        group="policy",
        band=COUNTED,
    )
    facility_power = Field(
        KINDS["FacilityPower"],
        "MW*facility",
        "power of the whole facility for the run, cooling inside",
        ("25 MW", "22,000 kW"),
        group="footprint",
        band=Band(1e-5, 1e5, "a facility draws from a few watts to a hundred gigawatts"),
    )
    # What steps rest on, and the shape of a model, for the operations of attention.
    layers = Field(
        KINDS["Layers"],
        "layer",
        "blocks of the model, one behind the other",
        ("96", "118 layers"),
        group="utilisation",
        band=Band(1, 10_000, "a model has from 1 to 10,000 layers"),
        whole=True,
    )
    hidden_size = Field(
        KINDS["Width"],
        "channel",
        "width of the model between its layers",
        ("12,288", "18432"),
        group="utilisation",
        band=Band(1, 1e6, "a model is from 1 to a million wide"),
        whole=True,
    )
    attention_width = Field(
        KINDS["Width"],
        "channel",
        "attention heads × the size of one, where it is not hidden_size",
        ("12,288", "16384"),
        group="utilisation",
        band=Band(1, 1e6, "a model is from 1 to a million wide"),
        whole=True,
    )
    sequence_length = Field(
        KINDS["Tokens"],
        "token",
        "tokens of one sequence in training",
        ("2048", "8K"),
        group="utilisation",
        band=Band(1, 1e9, "a sequence has from 1 to a thousand million tokens"),
        whole=True,
    )
    tokens_per_second = Field(
        KINDS["TokenRate"],
        "token/s",
        "tokens that the whole run takes in a second, while it makes steps",
        ("238.3K tokens/s", "238,300"),
        group="utilisation",
        band=Band(1e-6, 1e12, "a run takes from a millionth of a token to a trillion tokens a second"),
    )
    tokens_per_step = Field(
        KINDS["Tokens"],
        "token",
        "tokens of one step, over all devices: the batch",
        ("4M", "3.2e6 tokens"),
        group="utilisation",
        band=Band(1, 1e12, "a step has from 1 to a trillion tokens"),
    )
    step_time = Field(
        KINDS["Duration"],
        "s",
        "time of one step",
        ("17.2 s", "0.3 minutes"),
        group="utilisation",
        band=Band(1e-6, 1e7, "a step takes from a microsecond to some months"),
    )
