"""An API, billed by tokens."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, maximum, one, total, where

input_price = given("money/Mtoken", "Price of input", minimum=0)
cached_input_price = given("money/Mtoken", "Price of cached input", minimum=0)
output_price = given("money/Mtoken", "Price of output", minimum=0)
cache_write_price = given("money/Mtoken", "Price of input written to the cache", scope="cache writes", minimum=0)
cache_write_share = given("", "Share of input written to the cache", scope="cache writes", minimum=0, maximum=1)
long_input_price = given("money/Mtoken", "Price of input in long requests", scope="long requests", minimum=0)
long_cached_price = given("money/Mtoken", "Price of cached input in long requests", scope="long requests", minimum=0)
long_output_price = given("money/Mtoken", "Price of output in long requests", scope="long requests", minimum=0)
long_write_price = given(
    "money/Mtoken", "Price of input written to the cache in long requests", scope="long cache writes", minimum=0
)
long_input_share = given(
    "", "Share of input in long requests", default=0, reason="none pays a dearer price", minimum=0, maximum=1
)
long_output_share = given(
    "", "Share of output in long requests", default=0, reason="none pays a dearer price", minimum=0, maximum=1
)
batch_share = given(
    "", "Share of requests sent in batches", default=0, reason="all are answered at once", minimum=0, maximum=1
)
batch_input_price = given("money/Mtoken", "Price of input in batches", scope="batch prices", minimum=0)
batch_cached_price = given("money/Mtoken", "Price of cached input in batches", scope="batch prices", minimum=0)
batch_output_price = given("money/Mtoken", "Price of output in batches", scope="batch prices", minimum=0)
batch_discount = given("", "Discount on what is sent in batches", scope="batch discount", minimum=0, maximum=1)
api_trend = given("1/yr", "Trend of API prices", default=0, reason="no trend stated", minimum=-1)
context = given("token", "Longest request the API takes", scope="context limit", minimum=0)


@line("", "Supported (flag)")
def supported(input_tokens, generated_tokens, longest_class, context):
    """The API takes the longest requests."""
    return where(maximum(input_tokens + generated_tokens, longest_class) <= context / one("request"), 1, 0)


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
def billed_output(billed_requests, generated_tokens):
    """Reasoning, failed and aborted answers are billed too."""
    return billed_requests * generated_tokens


@line("Mtoken", "Input written to the cache")
def written_input(billed_requests, input_tokens, cache_write_share):
    """Part of the input that is billed as new."""
    return billed_requests * input_tokens * cache_write_share


@line("", "API prices over the start's")
def api_factor(api_trend, opening_time):
    """Prices hold at the start and follow the trend."""
    return compound(api_trend, opening_time)


# --- input ---


@line("money", "Input", part_of=("list_input_cost", "paid_through"))
def new_input_cost(billed_input, input_price, api_factor):
    """At the input price."""
    return billed_input * input_price * api_factor


@line("money", "Cached input", part_of=("list_input_cost", "paid_through"))
def cached_input_cost(billed_cached_input, cached_input_price, api_factor):
    """At the price of cached input."""
    return billed_cached_input * cached_input_price * api_factor


@line("money/Mtoken", "What writing to the cache adds")
def write_markup(cache_write_price, input_price):
    """The price of written input is in place of the input price."""
    return cache_write_price - input_price


@line("money", "Writing to the cache", part_of=("list_input_cost", "paid_through"))
def cache_write_cost(written_input, write_markup, api_factor):
    """Beyond the input price, which is charged already."""
    return written_input * write_markup * api_factor


@line("money", "Long requests, input", part_of=("list_input_cost", "paid_through"))
def long_input_cost(billed_input, long_input_share, long_input_price, input_price, api_factor):
    """Beyond the usual price; all input of a long request pays it."""
    return billed_input * long_input_share * (long_input_price - input_price) * api_factor


@line("money", "Long requests, cached input", part_of=("list_input_cost", "paid_through"))
def long_cached_cost(billed_cached_input, long_input_share, long_cached_price, cached_input_price, api_factor):
    """Beyond the usual price of cached input."""
    return billed_cached_input * long_input_share * (long_cached_price - cached_input_price) * api_factor


@line("money/Mtoken", "What writing to the cache adds in long requests")
def long_write_markup(long_write_price, long_input_price, write_markup):
    """Beyond the markup that is charged already."""
    return long_write_price - long_input_price - write_markup


@line("money", "Long requests, writing to the cache", part_of=("list_input_cost", "paid_through"))
def long_write_cost(written_input, long_input_share, long_write_markup, api_factor):
    """Long requests write at their own price."""
    return written_input * long_input_share * long_write_markup * api_factor


@line("money", "Input before batches", part_of="api_input_cost")
def list_input_cost(parts):
    """As if every request were answered at once."""
    return parts


@line("money", "Batches, input", part_of=("api_input_cost", "paid_through"))
def batch_input_cost(billed_input, batch_share, long_input_share, batch_input_price, input_price, api_factor):
    """What the batch price saves, so negative; long requests have none."""
    return billed_input * batch_share * (1 - long_input_share) * (batch_input_price - input_price) * api_factor


@line("money", "Batches, cached input", part_of=("api_input_cost", "paid_through"))
def batch_cached_cost(
    billed_cached_input, batch_share, long_input_share, batch_cached_price, cached_input_price, api_factor
):
    """Above nothing where batches have no price for cached input of their own."""
    batched = billed_cached_input * batch_share * (1 - long_input_share)
    return batched * (batch_cached_price - cached_input_price) * api_factor


@line("money", "Discount of batches, input", part_of=("api_input_cost", "paid_through"))
def batch_input_discount(list_input_cost, batch_share, batch_discount):
    """Off every price, so negative."""
    return -list_input_cost * batch_share * batch_discount


@line("money", "All input", part_of="api_cost")
def api_input_cost(parts):
    """New, cached and written, in all tiers."""
    return parts


# --- output ---


@line("money", "Output", part_of=("list_output_cost", "paid_through"))
def new_output_cost(billed_output, output_price, api_factor):
    """At the output price."""
    return billed_output * output_price * api_factor


@line("money", "Long requests, output", part_of=("list_output_cost", "paid_through"))
def long_output_cost(billed_output, long_output_share, long_output_price, output_price, api_factor):
    """Beyond the usual price; all output of a long request pays it."""
    return billed_output * long_output_share * (long_output_price - output_price) * api_factor


@line("money", "Output before batches", part_of="api_output_cost")
def list_output_cost(parts):
    """As if every request were answered at once."""
    return parts


@line("money", "Batches, output", part_of=("api_output_cost", "paid_through"))
def batch_output_cost(billed_output, batch_share, long_output_share, batch_output_price, output_price, api_factor):
    """What the batch price saves, so negative; long requests have none."""
    return billed_output * batch_share * (1 - long_output_share) * (batch_output_price - output_price) * api_factor


@line("money", "Discount of batches, output", part_of=("api_output_cost", "paid_through"))
def batch_output_discount(list_output_cost, batch_share, batch_discount):
    """Off every price, so negative."""
    return -list_output_cost * batch_share * batch_discount


@line("money", "All output", part_of="api_cost")
def api_output_cost(parts):
    """In all tiers."""
    return parts


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
