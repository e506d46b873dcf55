"""Pages that people saved as text: `dump` reads lists, `paper` a paper's own page.

From bytes to sightings: `lines` → `marks` (Markdown off) → `header` (what is no paper) → `items` (what each line is,
by `structure`) → `settled` → `cards` → `papers`; `dates` finds the year that a page leaves out.
"""
