"""A made-up year of weather in EPW form: no file of a weather service is needed, or copied."""

from __future__ import annotations

import math
from pathlib import Path

from tco.weather.epw import HEADER, _year  # pyright: ignore[reportPrivateUsage]

PRESSURE = 101325


def rows(mean: float, season: float, day: float, humidity: float) -> list[list[str]]:
    """Cells of each hour: a wave over the year and one over the day; the air is damper when it is cold."""
    found = list[list[str]]()
    for count, (month, date, hour) in enumerate(_year()):
        dry = (
            mean
            - season * math.cos(2 * math.pi * (count / 24 - 20) / 365)
            - day * math.cos(2 * math.pi * (hour - 4) / 24)
        )
        damp = min(max(humidity - 2 * (dry - mean) * (day > 0), 5), 100)
        when = ["2027", str(month), str(date), str(hour), "0", "made up"]
        found.append([*when, f"{dry:.2f}", "9.9", f"{damp:.1f}", f"{PRESSURE}", "0"])
    return found


def write(path: Path, cells: list[list[str]], *, place: str = "Lakeside", encoding: str = "utf-8") -> Path:
    """The file with its header."""
    head = [f"LOCATION,{place},IL,USA,made up,000000,41.8,-87.8,-6.0,190.0"]
    head += ["DESIGN CONDITIONS,0", "TYPICAL/EXTREME PERIODS,0", "GROUND TEMPERATURES,0", "HOLIDAYS,No,0,0,0"]
    head += ["COMMENTS 1,none", "COMMENTS 2,none", "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31"]
    assert len(head) == HEADER
    path.write_text("\n".join([*head, *(",".join(row) for row in cells), ""]), encoding=encoding)
    return path
