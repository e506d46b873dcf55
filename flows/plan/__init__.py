"""What to fetch of the Hub, and when. Pure functions of what the archive holds, but for `listed`, which reads it."""

from flows.plan.due import Due, due_details, due_lists, due_now, due_pages, next_due
from flows.plan.past_calls import History
from flows.runtime.scope import Scope

__all__ = ["Due", "History", "Scope", "due_details", "due_lists", "due_now", "due_pages", "next_due"]
