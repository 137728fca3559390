"""An API, billed by tokens."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, maximum, one, total, where

input_price = given("money/Mtoken", "Price of input", minimum=0)
cached_input_price = given("money/Mtoken", "Price of cached input", minimum=0)
output_price = given("money/Mtoken", "Price of output", minimum=0)
api_trend = given("1/yr", "Trend of API prices", default=0, reason="no trend stated", minimum=-1)
context = given("token", "Longest request the API takes", scope="context limit", minimum=0)


@line("", "Supported (flag)")
def supported(input_tokens, output_tokens, longest_class, context):
    """The API takes the longest requests."""
    return where(maximum(input_tokens + output_tokens, longest_class) <= context / one("request"), 1, 0)


@line("request/s", "Load served by the API", choice_of="served_load")
def served_by_api(mean_load):
    """Billed on mean volume, never on the peak."""
    return mean_load


@line("request/s", "Load served")
def served_load(choice):
    """Retries included."""
    return choice


@line("Mrequest", "Requests billed")
def billed_requests(served_load, period):
    """A retry is billed again."""
    return served_load * period


@line("Mtoken", "Input billed")
def billed_input(billed_requests, input_tokens, prefix_cache_hit):
    """Without what the provider's cache holds."""
    return billed_requests * input_tokens * (1 - prefix_cache_hit)


@line("Mtoken", "Cached input billed")
def billed_cached_input(billed_requests, input_tokens, prefix_cache_hit):
    """Cached tokens are part of the prompt."""
    return billed_requests * input_tokens * prefix_cache_hit


@line("Mtoken", "Output billed")
def billed_output(billed_requests, output_tokens):
    """Failed and aborted answers are billed too."""
    return billed_requests * output_tokens


@line("", "API prices over the start's")
def api_factor(api_trend, opening_time):
    """Prices hold at the start and follow the trend."""
    return compound(api_trend, opening_time)


@line("money", "Input", part_of=("api_input_cost", "paid_through"))
def new_input_cost(billed_input, input_price, api_factor):
    """At the input price."""
    return billed_input * input_price * api_factor


@line("money", "Cached input", part_of=("api_input_cost", "paid_through"))
def cached_input_cost(billed_cached_input, cached_input_price, api_factor):
    """At the price of cached input."""
    return billed_cached_input * cached_input_price * api_factor


@line("money", "All input", part_of="api_cost")
def api_input_cost(parts):
    """New and cached."""
    return parts


@line("money", "Output", part_of=("api_cost", "paid_through"))
def api_output_cost(billed_output, output_price, api_factor):
    """At the output price."""
    return billed_output * output_price * api_factor


@line("money", "API", part_of=("cash_cost", "deductions"))
def api_cost(parts):
    """The provider's bill."""
    return parts


@line("money", "Bill for input")
def input_bill(api_input_cost):
    """Over the horizon."""
    return total(api_input_cost)


@line("money", "Bill")
def api_bill(api_cost):
    """Over the horizon."""
    return total(api_cost)


@line("", "Share of the bill for input", choice_of="input_share")
def input_bill_share(input_bill, api_bill):
    """Input and output as they are billed."""
    return input_bill / api_bill
