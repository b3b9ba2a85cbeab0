"""Your module on top of ours: your functions name our quantities as parameters and say their kinds.

A docstring line `result = …` becomes the equation in lineage and pictures, as it does in our own nodes.

It prints:

    tokens_per_kilowatt_hour = 844,883
    dollars_per_million_tokens = 4.43848
    energy = 0.433196 GWh
"""

from picture import draw_if_asked
from runlineage import Driver, kinds, metrics

FACTS = {"training_tokens": "366B", "accelerator_hours": "1,082,990", "device_power": "400 W"}


def tokens_per_kilowatt_hour(training_tokens: kinds.Tokens, energy: kinds.Energy) -> float:
    """Compute how far a kilowatt-hour goes.

    tokens_per_kilowatt_hour = training_tokens ÷ energy
    """
    return (training_tokens / energy).m_as("token/kWh")


def dollars_per_million_tokens(
    accelerator_hours: kinds.AcceleratorTime, dollars_per_hour: float, training_tokens: kinds.Tokens
) -> float:
    """Spread the rent of the devices over the tokens.

    dollars_per_million_tokens = accelerator_hours × dollars_per_hour ÷ training_tokens
    """
    dollars = accelerator_hours.m_as("accelerator*hour") * dollars_per_hour
    return dollars / training_tokens.m_as("token") * 1e6


if __name__ == "__main__":
    import __main__ as mine

    driver = Driver(metrics, mine, subject="BLOOM, with a price")
    facts = FACTS | {"dollars_per_hour": 1.5}
    asked = ["tokens_per_kilowatt_hour", "dollars_per_million_tokens", "energy"]
    answer = driver.execute(asked, facts)
    for name in asked:
        print(answer.result(name))
    draw_if_asked(driver.lineage(asked, facts))
