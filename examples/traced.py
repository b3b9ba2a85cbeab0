"""OpenTelemetry on our graph: Hamilton's tracer makes a span of every node, here kept in memory.

Set the exporter of your collector in place of the one in memory; Hamilton's OpenLineage adapter
(`hamilton.plugins.h_openlineage`) goes into `Driver.hamilton` in the same way. Needs `pip install opentelemetry-sdk`.

It prints:

    parameters_per_token within run OK
    training_operations within run OK
    achieved_rate within run OK
"""

from hamilton.plugins.h_opentelemetry import OpenTelemetryTracer
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from picture import draw_if_asked
from runlineage import Driver, graph_inputs

FACTS = {"parameters": "176.247B", "training_tokens": "366B", "accelerator_hours": "1,082,990"}

if __name__ == "__main__":
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    tracer = OpenTelemetryTracer(tracer=provider.get_tracer("runlineage"))

    driver = Driver(subject="BLOOM")
    driver.hamilton("achieved_rate", FACTS, tracer).execute(["achieved_rate"], inputs=graph_inputs(FACTS))
    for span in spans.get_finished_spans():
        if span.parent:
            print(span.name, "within run", span.status.status_code.name)
    draw_if_asked(driver.lineage("achieved_rate", FACTS))
