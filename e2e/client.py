"""Sends one run with the OpenLineage client as it comes from PyPI, and prints the run's id.

The client is configured by its own environment variables, OPENLINEAGE_URL and OPENLINEAGE_API_KEY.
"""

from datetime import datetime, timezone

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import schema_dataset
from openlineage.client.uuid import generate_new_uuid

client = OpenLineageClient()
run = Run(runId=str(generate_new_uuid()))
job = Job(namespace="e2e-python", name="daily_orders")
schema = schema_dataset.SchemaDatasetFacet(fields=[schema_dataset.SchemaDatasetFacetFields(name="id", type="int")])


def emit(state, inputs=(), outputs=()):
    client.emit(
        RunEvent(
            eventType=state,
            eventTime=datetime.now(timezone.utc).isoformat(),
            run=run,
            job=job,
            producer="https://github.com/headwater-data/headwater/tree/main/e2e",
            inputs=list(inputs),
            outputs=list(outputs),
        )
    )


emit(RunState.START)
emit(
    RunState.COMPLETE,
    inputs=[InputDataset(namespace="e2e-python", name="raw.orders", facets={"schema": schema})],
    outputs=[OutputDataset(namespace="e2e-python", name="mart.daily_orders", facets={"schema": schema})],
)
client.close()
print(run.runId)
