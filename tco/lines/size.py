"""Fleet size."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, floor, highest, lag, maximum, one, where

stated_downtime = given(
    "", "Share of time a system is down", default=0, reason="no downtime stated", minimum=0, maximum=1
)
repair_time = given("h", "Time to repair a system", scope="repair time", minimum=0)
interruption_loss = given("", "Share of time lost to interruptions", scope="interruptions", minimum=0, maximum=1)
spare_systems = given("system", "Spare systems", default=0, reason="no spares stated", minimum=0)
count = given("system", "Number of systems, stated", scope="fixed count", minimum=0)
service_life = given("yr", "Time a system or its contract lasts", scope="service life", minimum=0)
lead_time = given("yr", "Time from order to service", scope="lead time", minimum=0)
rack_units = given("U/system", "Rack units of a system", scope="rack units", minimum=0)
rack_height = given(
    "U/rack",
    "Rack units in a rack",
    default=48,
    reason="a tall standard rack; rack-scale machines bring their own",
    minimum=1,
)


@line("", "Downtime stated", part_of="downtime")
def other_downtime(stated_downtime):
    """Maintenance and outages as the scenario states them."""
    return stated_downtime


@line("", "Downtime from interruptions", part_of="downtime")
def interruption_downtime(interruption_loss):
    """A spot instance is taken away and its work is lost."""
    return interruption_loss


@line("", "Downtime")
def downtime(parts):
    """Share of time in which a system does nothing useful."""
    return parts


@line("", "Availability")
def availability(downtime):
    """Never below nothing."""
    return maximum(1 - downtime, 0)


@line("system", "Systems for the work")
def systems_for_work(choice):
    """By peak load, or by training work."""
    return choice


@line("system", "Systems with spares")
def systems_with_spares(systems_for_work, spare_systems):
    """Spares stand ready beside the working ones."""
    return systems_for_work + spare_systems


@line("system", "Systems as needed", choice_of="systems_needed")
def systems_as_needed(systems_with_spares):
    """Added when the period's peak needs them."""
    return systems_with_spares


@line("system", "Systems bought at once", choice_of="systems_needed")
def systems_upfront(systems_with_spares):
    """All that the horizon will ever need, from the start."""
    return highest(systems_with_spares)


@line("system", "Systems, fixed", choice_of="systems_needed")
def systems_fixed(count):
    """As many as the scenario says, whatever the demand."""
    return count


@line("system", "Systems needed")
def systems_needed(choice):
    """By demand, or as fixed."""
    return choice


@line("period", "Life in periods")
def life_periods(service_life, step):
    """Whole periods that a system, a lease or a reservation lasts."""
    return ceil(service_life / step, "period")


@line("system", "Systems retired")
def retired_systems(purchases, life_periods):
    """Those that began one life ago."""
    return lag(purchases, by=life_periods)


@line("system", "Systems carried over, all kept", choice_of="surviving_systems")
def systems_kept(systems):
    """Without a stated life, systems stay to the end of the horizon."""
    return lag(systems)


@line("system", "Systems carried over after retirement", choice_of="surviving_systems")
def systems_after_retirement(systems, retired_systems):
    """What reached its end has left."""
    return lag(systems) - retired_systems


@line("system", "Systems carried over")
def surviving_systems(choice):
    """From the period before."""
    return choice


@line("system", "Systems added when needed", choice_of="purchases")
def purchases_at_once(systems_needed, surviving_systems):
    """What is missing, ordered in time."""
    return maximum(systems_needed - surviving_systems, 0)


@line("period", "Periods from order to service")
def lead_periods(lead_time, step):
    """Whole periods; a system serves from the opening of one."""
    return ceil(lead_time / step, "period")


@line("system", "Systems added when they can be there", choice_of="purchases")
def purchases_after_lead(systems_needed, surviving_systems, period_number, lead_periods):
    """Nothing that is ordered at the start serves before its lead time is over; later orders are placed in time."""
    return where(period_number > lead_periods, maximum(systems_needed - surviving_systems, 0), 0)


@line("system", "Systems added")
def purchases(choice):
    """Bought, leased or rented when the period opens."""
    return choice


@line("system", "Systems")
def systems(surviving_systems, purchases):
    """All that stand in the period."""
    return surviving_systems + purchases


@line("period", "Periods a system stays after its first")
def later_life_periods(life_periods):
    """None for what is there for one period."""
    return life_periods - one("period")


@line("system", "Systems that leave with the horizon", choice_of="departing_systems")
def departing_with_horizon(systems, last_period):
    """Without a stated life, all stay until then."""
    return systems * last_period


@line("system", "Systems that leave at the end of their life", choice_of="departing_systems")
def departing_after_life(purchases, later_life_periods, systems, last_period):
    """When the last period of a life closes, as rent and resale end; all that is left, when the horizon does."""
    return lag(purchases, by=later_life_periods) * (1 - last_period) + systems * last_period


@line("system", "Systems that leave")
def departing_systems(choice):
    """When the period closes."""
    return choice


@line("system", "Most systems so far")
def most_systems(most_systems, systems):
    """What was needed once is there: places, licences bought."""
    return maximum(lag(most_systems), systems)


@line("system", "Systems that are new, not replaced")
def new_systems(most_systems):
    """Beyond the most that there were."""
    return most_systems - lag(most_systems)


@line("gpu", "GPUs")
def gpus(systems, gpus_per_system):
    """In all systems."""
    return systems * gpus_per_system


@line("system/rack", "Systems in a rack, by its height")
def systems_by_height(rack_height, rack_units):
    """Whole systems."""
    return floor(rack_height / rack_units, "system/rack")


@line("system/rack", "Systems in a rack, by height alone", choice_of="systems_per_rack")
def systems_per_rack_by_height(systems_by_height):
    """Where no power of a rack is stated."""
    return systems_by_height


@line("system/rack", "Systems in a rack")
def systems_per_rack(choice):
    """By height, or by height and power."""
    return choice


@line("rack", "Racks")
def racks(systems, systems_per_rack):
    """Whole racks."""
    return ceil(systems / systems_per_rack, "rack")


@line("", "Large enough (flag)")
def large_enough(choice):
    """The fleet does the whole work."""
    return choice
