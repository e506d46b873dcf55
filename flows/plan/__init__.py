"""Plans what to fetch from the Hub, and when: pure functions of the archive's index. Only `listed_papers` does I/O."""

from flows.plan.due import Due, due_adoption, due_details, due_lists, due_now, due_pages, next_due
from flows.plan.past_calls import PastCalls
from flows.runtime.scope import Scope

__all__ = ["Due", "PastCalls", "Scope", "due_adoption", "due_details", "due_lists", "due_now", "due_pages", "next_due"]

from flows import ONE_THREAD, tell

tell(ONE_THREAD)  # before numpy or Polars is imported
