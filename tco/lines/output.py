"""Useful output of inference."""

# pyright: basic
from tco.declare import line
from tco.vocabulary import total


@line("Mrequest", "Requests served")
def served_requests(served_load, load_factor, period):
    """Retries are load, not further requests."""
    return served_load / load_factor * period


@line("Mrequest", "Useful requests")
def useful_requests(served_requests, failed_share, aborted_share):
    """Answered, and somebody waited for the answer."""
    return served_requests * (1 - failed_share - aborted_share)


@line("Mtoken", "Useful tokens of the period")
def period_useful_tokens(useful_requests, output_tokens):
    """Output tokens of useful requests."""
    return useful_requests * output_tokens


@line("Mtoken", "Input and output tokens of the period")
def period_total_tokens(useful_requests, input_tokens, output_tokens):
    """Of useful requests, cached input included."""
    return useful_requests * (input_tokens + output_tokens)


@line("Mtoken", "Useful tokens")
def useful_tokens(period_useful_tokens):
    """Over the horizon."""
    return total(period_useful_tokens)


@line("Mtoken", "Useful tokens, discounted")
def present_useful_tokens(period_useful_tokens, discount_factor_through):
    """At the same rate as the money that pays for them."""
    return total(period_useful_tokens * discount_factor_through)


@line("Mtoken", "Input and output tokens, discounted")
def present_total_tokens(period_total_tokens, discount_factor_through):
    """At the same rate as the money that pays for them."""
    return total(period_total_tokens * discount_factor_through)


@line("money/Mtoken", "Cost per million useful tokens")
def cost_per_million_useful_tokens(present_cost, present_useful_tokens):
    """The whole cost on output tokens, levelised."""
    return present_cost / present_useful_tokens


@line("money/Mtoken", "Cost per million input and output tokens")
def cost_per_million_total_tokens(present_cost, present_total_tokens):
    """The whole cost on all tokens, levelised."""
    return present_cost / present_total_tokens


@line("money/Mtoken", "Cost per million useful tokens, undiscounted")
def undiscounted_cost_per_million_useful_tokens(total_cost, useful_tokens):
    """Cash over tokens."""
    return total_cost / useful_tokens


@line("", "Share of cost for input")
def input_share(choice):
    """By device time, or by the bill of an API."""
    return choice


@line("money", "Cost for input")
def input_cost(present_cost, input_share):
    """Input and output cost add up to the bill."""
    return present_cost * input_share


@line("money", "Cost for output")
def output_cost(present_cost, input_cost):
    """The rest of the bill."""
    return present_cost - input_cost
