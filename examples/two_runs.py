"""Two runs in one graph: `@parameterized_subdag` takes our nodes once for each, every one by its own route.

BLOOM's operations are modeled from parameters and tokens, Llama 3.1's are stated: each run has its own config. A fact
that stands in the graph as `value(…)` is a plain quantity to Hamilton, which `Driver` lets in by itself.

It prints:

    bloom.training_operations = 3.87038×10²³ flop
    llama.training_operations = 3.8×10²⁵ flop
    bloom.energy = 0.433196 GWh
    llama.energy = 21.588 GWh
    gain = 1.97016
"""

from hamilton.function_modifiers import parameterized_subdag, value

from picture import draw_if_asked
from runlineage import Driver, graph_inputs, kinds, metrics, people, routes

NEEDED = ["training_operations", "energy"]
BLOOM = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": 1_082_990, "device_power": "400 W"}
LLAMA = {"training_ops": "3.8e25", "accelerator_hours": "30.84M", "device_power": "700 W"}


def _run(facts):
    """Describe one run as `@parameterized_subdag` takes it."""
    inputs = {name: value(read) for name, read in graph_inputs(facts).items()}
    return {"inputs": inputs, "config": routes(metrics, facts, NEEDED)}


@parameterized_subdag(metrics, bloom=_run(BLOOM), llama=_run(LLAMA))
def operations_per_joule(training_operations: kinds.Operations, energy: kinds.Energy) -> float:
    """Compute how far a joule went: `bloom` and `llama` are its two results.

    operations_per_joule = training_operations ÷ energy
    """
    return (training_operations / energy).m_as("flop/J")


def gain(bloom: float, llama: float) -> float:
    """Compare the two runs.

    gain = llama ÷ bloom
    """
    return llama / bloom


if __name__ == "__main__":
    import __main__ as mine

    driver = Driver(mine, subject="Llama 3.1 405B against BLOOM")
    answer = driver.execute([*(f"{run}.{name}" for name in NEEDED for run in ("bloom", "llama")), "gain"])
    for name, found in answer.items():
        print(f"{name} = {found:.6g}" if name == "gain" else f"{name} = {people(found)}")
    draw_if_asked(driver.lineage("gain"))
