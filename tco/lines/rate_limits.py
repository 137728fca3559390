"""Rate limits of an API."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import almost_one, highest, where

request_limit = given("request/min", "Requests a minute that the API takes", scope="request limit", minimum=0)
token_limit = given("Mtoken/min", "Tokens a minute that the API takes", scope="token limit", minimum=0)


@line("request/min", "Requests a minute at the peak")
def request_rate(peak_load, batch_share):
    """Batches have limits of their own and wait."""
    return peak_load * (1 - batch_share)


@line("Mtoken/min", "Tokens a minute at the peak")
def token_rate(request_rate, input_tokens, generated_tokens):
    """Input, cached input and all that is generated."""
    return request_rate * (input_tokens + generated_tokens)


@line("request/min", "Most requests a minute")
def highest_request_rate(request_rate):
    """Over all periods."""
    return highest(request_rate)


@line("Mtoken/min", "Most tokens a minute")
def highest_token_rate(token_rate):
    """Over all periods."""
    return highest(token_rate)


@line("", "More requests than the API takes (flag)", part_of="limits_exceeded")
def requests_beyond_limit(highest_request_rate, request_limit):
    """In the busiest minute."""
    return where(highest_request_rate * almost_one > request_limit, 1, 0)


@line("", "More tokens than the API takes (flag)", part_of="limits_exceeded")
def tokens_beyond_limit(highest_token_rate, token_limit):
    """In the busiest minute."""
    return where(highest_token_rate * almost_one > token_limit, 1, 0)


@line("", "Rate limits exceeded")
def limits_exceeded(parts):
    """How many."""
    return parts


@line("", "Large enough (flag)")
def large_enough(limits_exceeded):
    """The API takes the peak of every period."""
    return where(limits_exceeded > 0, 0, 1)
