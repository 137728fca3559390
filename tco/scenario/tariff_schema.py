"""The tariff as a user writes it: a file of OpenEI's rate database, or prices of one's own."""

from typing import ClassVar, Literal

from tco.figures import Figure
from tco.scenario.fields import Day, FileName, LongText, Section, Several, Text, figure


class TariffPeriod(Section):
    """Hours that are billed alike. The first that fits an hour takes it; one without conditions takes the rest."""

    name: Text
    months: Text | None = None
    days: Literal["weekday", "weekend"] | None = None
    hours: Text | None = None


class EnergyPrice(Section):
    """A price of energy. Of one period those with `up_to` come first and rise; prices without `during` come on top."""

    during: Text | None = None
    price: Figure = figure("money/kWh", required=True, minimum=0, example="0.12 USD/kWh")
    up_to: Figure | None = figure(None, description="kWh a month; `kWh/day`; or `kWh/kW` of the month's billed power")


class DemandPrice(Section):
    """A price of the month's highest power; with `during` of the highest in those hours; or of the year's highest."""

    during: Text | None = None
    price: Figure = figure("money/kW/month", required=True, minimum=0, example="14 USD/kW/month")
    up_to: Figure | None = figure("kW", above=0)
    peak: Literal["month", "year"] = "month"


class Ratchet(Section):
    """A busy month is remembered: later ones are billed on a share of it at least."""

    share: Figure = figure("%", required=True, above=0, maximum=100)
    months: Figure = figure("1", required=True, above=0, maximum=60, whole=True, description="how many months before")
    counted: Text | None = None


class HoursBand(Section):
    """Prices by hours of use: a calendar year's energy over its highest peak; the first band that fits holds."""

    below: Figure | None = figure("h", above=0, maximum=8784, description="hours of use a year; without it, all above")
    energy: Figure | None = figure("money/kWh", minimum=0)
    demand: Figure | None = figure("money/kW/yr", minimum=0, example="39.18 EUR/kW/yr")


class Tariff(Section):
    """A rate as a supplier prints it: a file, or its prices written out."""

    shorthand: ClassVar = "file"
    file: FileName | None = None
    leave_out: Several[Text] = ()
    name: Text | None = None
    source: LongText | None = None
    effective: Day | None = None
    expires: Day | None = None
    periods: Several[TariffPeriod] = ()
    energy: Several[EnergyPrice] = ()
    demand: Several[DemandPrice] = ()
    ratchet: Ratchet | None = None
    contracted_power: Figure | None = figure("kW", above=0, description="power that is billed at least")
    bands: Several[HoursBand] = ()
    fixed: Figure | None = figure("money/month", minimum=0)
    minimum: Figure | None = figure("money/month", minimum=0, description="least bill of a month")


class Meter(Section):
    """What the site draws already, by its meter: the fleet comes on top, and pays what the tariff's bill rises by."""

    shorthand: ClassVar = "file"
    file: FileName
    stamps: Literal["start", "end"] | None = None
    gaps: Literal["refuse", "week_before"] = "refuse"
