"""The expressions of `in_a_query.py` on Spark, where PySpark and Java 17 are installed.

It prints:

    [('GPT-3', None, 24.5558), ('BLOOM', 0.433196, 99.2721)]
"""

import os
import sys

import narwhals as nw
from pyspark.sql import SparkSession

from in_a_query import COLUMNS, MODELS
from runlineage import expressions

if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else Spark's workers are of the first Python on the PATH
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    numbers = ", ".join(f"{name} double" for name in COLUMNS.values())
    frame = spark.createDataFrame(MODELS.rows(), schema=f"model string, {numbers}")

    found = expressions(["energy", "achieved_rate"], COLUMNS)
    answer = nw.from_native(frame).select("model", *found.values()).to_native()
    print([(model, energy and round(energy, 6), round(rate, 4)) for model, energy, rate in answer.collect()])
    spark.stop()
