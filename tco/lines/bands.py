"""How sure the speed of inference is: ends between which eight in ten measurements of such fleets lie."""

# pyright: basic
from tco.declare import given, line

output_error_low = given(
    "", "Output at the low end of the error band, over the estimate", scope="error band", minimum=0
)
output_error_high = given(
    "", "Output at the high end of the error band, over the estimate", scope="error band", minimum=0
)
token_time_error_low = given(
    "", "Time per token at the low end of the error band, over the estimate", scope="error band", minimum=0
)
token_time_error_high = given(
    "", "Time per token at the high end of the error band, over the estimate", scope="error band", minimum=0
)
first_token_error_low = given(
    "", "Time to the first token at the low end of the error band, over the estimate", scope="error band", minimum=0
)
first_token_error_high = given(
    "", "Time to the first token at the high end of the error band, over the estimate", scope="error band", minimum=0
)
prompt_rate_error_low = given(
    "", "Rate of a prompt at the low end of the error band, over the estimate", scope="error band", minimum=0
)
prompt_rate_error_high = given(
    "", "Rate of a prompt at the high end of the error band, over the estimate", scope="error band", minimum=0
)


@line("token/s/system", "Output of a system at the low end of the error band")
def system_output_low(system_output_estimated, output_error_low):
    """One measurement in ten of such parts was below."""
    return system_output_estimated * output_error_low


@line("token/s/system", "Output of a system at the high end of the error band")
def system_output_high(system_output_estimated, output_error_high):
    """One measurement in ten of such parts was above."""
    return system_output_estimated * output_error_high


@line("ms/token", "Time for each further token at the low end of the error band")
def per_token_time_low(per_token_time_estimated, token_time_error_low):
    """One measurement in ten of such parts was shorter."""
    return per_token_time_estimated * token_time_error_low


@line("ms/token", "Time for each further token at the high end of the error band")
def per_token_time_high(per_token_time_estimated, token_time_error_high):
    """One measurement in ten of such parts was longer."""
    return per_token_time_estimated * token_time_error_high


@line("s", "Time to the first token at the low end of the error band")
def first_token_time_low(first_token_time, first_token_error_low):
    """One measurement in ten of such models was shorter."""
    return first_token_time * first_token_error_low


@line("s", "Time to the first token at the high end of the error band")
def first_token_time_high(first_token_time, first_token_error_high):
    """One measurement in ten of such models was longer."""
    return first_token_time * first_token_error_high


@line("ms*replica/request", "Time of an undisturbed prompt at the low end of the error band")
def prefill_time_low(prefill_time, prompt_rate_error_high):
    """One measurement in ten of such parts was shorter."""
    return prefill_time / prompt_rate_error_high


@line("ms*replica/request", "Time of an undisturbed prompt at the high end of the error band")
def prefill_time_high(prefill_time, prompt_rate_error_low):
    """One measurement in ten of such parts was longer."""
    return prefill_time / prompt_rate_error_low
