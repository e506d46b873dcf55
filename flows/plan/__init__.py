"""What to fetch from the Hub, and when. Pure functions of the archive's index; only `listed_papers` reads a release."""

from flows.plan.due import Due, due_details, due_lists, due_now, due_pages, next_due
from flows.plan.past_calls import PastCalls
from flows.runtime.scope import Scope

__all__ = ["Due", "PastCalls", "Scope", "due_details", "due_lists", "due_now", "due_pages", "next_due"]
