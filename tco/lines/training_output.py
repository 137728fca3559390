"""Useful output of training."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import total

batch_tokens = given("token/step", "Tokens in a step", minimum=1)


@line("step/run", "Steps of a run")
def steps_per_run(run_tokens, batch_tokens):
    """Tokens over batch."""
    return run_tokens / batch_tokens


@line("step", "Useful training steps of the period")
def period_training_steps(steps_per_run, runs, period, done_share):
    """Steps of runs that are kept."""
    return steps_per_run * runs * period * done_share


@line("step", "Useful training steps")
def useful_training_steps(period_training_steps):
    """Over the horizon."""
    return total(period_training_steps)


@line("step", "Useful training steps, discounted")
def present_useful_training_steps(period_training_steps, discount_factor_through):
    """At the same rate as the money that pays for them."""
    return total(period_training_steps * discount_factor_through)


@line("money/step", "Cost per useful training step")
def cost_per_useful_training_step(present_cost, present_useful_training_steps):
    """Levelised."""
    return present_cost / present_useful_training_steps
