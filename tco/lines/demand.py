"""Demand for inference."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, half, maximum, one

requests = given("request/month", "Requests at the start, mean", minimum=0)
demand_growth = given("1/yr", "Growth of demand", default=0, reason="no growth stated", minimum=-1)
demand_share = given(
    "", "Share of the demand that is there", default=1, reason="all of it from the start", minimum=0, maximum=1
)
peak_to_mean = given("", "Peak over mean of the request rate", minimum=1)
input_tokens = given("token/request", "Input tokens a request", minimum=0)
output_tokens = given("token/request", "Output tokens a request", minimum=0)
longest_class = given(
    "token/request", "Input and output of the longest class", default=0, reason="all requests have the mean length",
    minimum=0,
)  # fmt: skip
reasoning_tokens = given(
    "token/request", "Reasoning tokens a request", default=0, reason="no reasoning tokens stated", minimum=0
)
prefix_cache_hit = given(
    "", "Share of input found in the prefix cache", default=0, reason="no cache hits stated", minimum=0, maximum=1
)
failed_share = given("", "Share of requests that fail", default=0, reason="no failures stated", minimum=0, maximum=1)
retried_share = given("", "Share of requests sent again", default=0, reason="no retries stated", minimum=0, maximum=1)
aborted_share = given(
    "", "Share of requests whose answer nobody waits for", default=0, reason="no aborts stated", minimum=0, maximum=1
)


@line("token/request", "Tokens generated for a request")
def generated_tokens(output_tokens, reasoning_tokens):
    """Reasoning is decoded, cached and billed like output; nobody reads it, so that it is not useful."""
    return output_tokens + reasoning_tokens


@line("", "Load for each request asked")
def load_factor(retried_share):
    """A retry is computed and billed once more; it yields no further output."""
    return 1 + retried_share


@line("request/s", "Mean load")
def mean_load(requests, demand_share, demand_growth, midpoint, load_factor):
    """What arrives on average, retries included, at the middle of the period."""
    return requests * demand_share * compound(demand_growth, midpoint) * load_factor


@line("", "Growth to the busiest moment of the period")
def peak_growth(demand_growth, opening_time, elapsed):
    """Capacity is bought for the closing of the period, or for its opening when demand falls."""
    return maximum(compound(demand_growth, opening_time), compound(demand_growth, elapsed))


@line("", "Growth to the busiest moment of the average month")
def month_peak_growth(demand_growth, midpoint):
    """A month is busiest at its end, or at its beginning when demand falls: half a month from its middle."""
    ahead, behind = midpoint + half * one("month"), midpoint - half * one("month")
    return maximum(compound(demand_growth, behind), compound(demand_growth, ahead))


@line("request/s", "Peak load")
def peak_load(requests, demand_share, peak_to_mean, peak_growth, load_factor):
    """What arrives in the busiest hours; capacity must carry it."""
    return requests * demand_share * peak_to_mean * peak_growth * load_factor


@line("request/s", "Peak load of the average month")
def month_peak_load(requests, demand_share, peak_to_mean, month_peak_growth, load_factor):
    """What the demand meter is charged on, month by month; capacity is bought for the period's own peak."""
    return requests * demand_share * peak_to_mean * month_peak_growth * load_factor
