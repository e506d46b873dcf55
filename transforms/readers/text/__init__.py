"""Pages that people saved as text: `dump` reads lists, `paper` a paper's own page.

From bytes to sightings: `marks` (lines, Markdown off) → `header` (what is no paper) → `items` (what each line may be) →
`item` (what it is, its neighbours considered) → `cards`; `dates` finds the year that a page
leaves out.
"""
