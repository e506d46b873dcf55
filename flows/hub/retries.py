"""When an address is asked for again: after failures that may pass, less and less often, and then no more."""

from __future__ import annotations

from dataclasses import replace

from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_attempt, wait_exponential_jitter

from flows.hub.answer import Again
from flows.hub.budget import Clock, Patience
from flows.runtime.progress import log
from warehouse.archive.captured import Failed


def retrying(patience: Patience, clock: Clock) -> Retrying:
    """Calls again what gives `Again`, as often as patience lasts; gives the last of them in the end."""
    return Retrying(
        retry=retry_if_result(lambda step: isinstance(step, Again) and not step.is_final),
        stop=stop_after_attempt(patience.tries),
        wait=wait_exponential_jitter(
            multiplier=patience.backoff_seconds,
            max=patience.longest_backoff_seconds,
            jitter=patience.backoff_seconds,
        ),
        sleep=clock.sleep,
        before_sleep=_say_again,
        retry_error_callback=lambda state: state.outcome and state.outcome.result(),  # the last failure
    )


def given_up(last: Again, patience: Patience) -> Failed:
    """The failure that an address ends with."""
    tries = "" if last.is_final else f"; given up after {patience.tries} tries"
    return replace(last.failed, reason=f"{last.failed.reason}{tries}")


def _say_again(state: RetryCallState) -> None:
    """Say why nothing comes, and when it is asked for again, where a source cannot be reached at all."""
    found = state.outcome.result() if state.outcome else None
    if isinstance(found, Again) and found.is_unreachable and state.next_action:
        seconds = state.next_action.sleep
        log.info("%s cannot be reached (%s): asked again in %.0f s", found.failed.url, found.failed.reason, seconds)
