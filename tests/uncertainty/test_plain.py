"""A run without ranges imports nothing of what draws them."""

import subprocess
import sys

CODE = """
import sys
from tco.session import load
from tco.report import render
from tco.workbook import build
from tco.export import to_json
result = load("scenarios/local_assistant.yaml").run()
for output in (build, render, to_json):
    output(result)
print(sorted(name for name in sys.modules if name.startswith(("tco.uncertainty.", "scipy.sp", "scipy.st"))))
"""


def test_a_run_without_ranges_imports_nothing_of_what_draws_them():
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout
    assert told == "['tco.uncertainty.special', 'tco.uncertainty.spread']\n"
