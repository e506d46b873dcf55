// The ten questions of docs/analysts.md, as they stand there: tests/unit/test_explore_files.py holds them to it.

/** @type {[string, string][]} */
export const QUESTIONS = [
  [
    "What is on the newest list?",
    "SELECT rank, paper_id, title, author_count AS authors, upvote_count AS upvotes, list_state\nFROM daily_papers\nWHERE listed_on = (SELECT max(listed_on) FROM daily_listings)\nORDER BY rank;"
  ],
  [
    "What were a month's top papers?",
    "SELECT\n    papers.paper_id,\n    papers.title,\n    papers.upvote_count AS upvotes,\n    round(curves.last_observed_hours) AS hours_after\nFROM papers\nJOIN upvote_curves AS curves USING (paper_id)\nWHERE paper_id IN (FROM daily_listings SELECT paper_id WHERE listed_on BETWEEN '2026-10-01' AND '2026-10-31')\nORDER BY upvotes DESC, paper_id\nLIMIT 5;"
  ],
  [
    "How did a paper's upvotes go?",
    "SELECT\n    observed_at,\n    upvote_count AS upvotes,\n    upvotes - lag(upvotes) OVER (ORDER BY observed_at) AS gained,\n    comment_count AS comments,\n    model_count AS models\nFROM paper_observations\nWHERE paper_id = '2609.01719'\nORDER BY observed_at;"
  ],
  [
    "What did the list say at noon?",
    "SELECT listed.paper_id, noon.rank AS noon_rank, noon.upvote_count AS noon_upvotes, listed.rank, paper.upvote_count AS upvotes\nFROM daily_listings AS listed\nJOIN papers AS paper USING (paper_id)\nLEFT JOIN listing_as_of('2026-10-01', '2026-10-01 12:00') AS noon USING (paper_id)\nWHERE listed.listed_on = '2026-10-01'\nORDER BY listed.rank;"
  ],
  [
    "Which organizations rise?",
    "SELECT\n    organizations.organization_name AS organization,\n    month_on,\n    coalesce(own.paper_count, 0) AS papers,\n    months.known_paper_count AS of_papers,\n    round(papers / of_papers, 2) AS fraction,\n    round(fraction - lag(fraction) OVER (PARTITION BY organization_id ORDER BY month_on), 2) AS change\nFROM field_availability AS months\nCROSS JOIN organizations\nLEFT JOIN organizations_by_month AS own USING (month_on, organization_id)\nWHERE months.field = 'organization_name' AND months.state <> 'none'\nORDER BY organization, month_on;"
  ],
  [
    "Who submits?",
    "SELECT\n    submitter_login,\n    paper_count AS papers,\n    day_count AS days,\n    median_upvote_count AS median_upvotes,\n    last_listed_on,\n    (SELECT count(*) FROM daily_listings WHERE submitter_login IS NULL) AS without_submitter\nFROM submitters\nORDER BY papers DESC, submitter_login\nLIMIT 5;"
  ],
  [
    "How long does a paper take from arXiv to the list?",
    "SELECT\n    year(listed_on) AS list_year,\n    count(*) AS listings,\n    median(published_to_listed_days) AS median_days,\n    max(published_to_listed_days) AS most_days,\n    round(median(published_to_submitted_hours), 1) AS median_hours_to_submission,\n    count(published_to_submitted_hours) AS with_hours\nFROM listing_lag\nGROUP BY list_year\nORDER BY list_year;"
  ],
  [
    "How many papers have code?",
    "SELECT\n    month_on,\n    expected_day_count AS expected_days,\n    complete_day_count AS complete_days,\n    is_over,\n    paper_count AS papers,\n    repository_paper_count AS with_code,\n    round(repository_share, 2) AS share\nFROM papers_by_month\nORDER BY month_on;"
  ],
  [
    "Which days are missing, and why?",
    "SELECT state, reason, count(*) AS days, min(listed_on) AS first_on, max(listed_on) AS last_on\nFROM coverage\nWHERE is_expected AND state <> 'complete'\nGROUP BY state, reason\nORDER BY days DESC, reason;"
  ],
  [
    "Where does a number come from?",
    "SELECT upvote_count AS upvotes, observed_at, capture_id, url\nFROM sightings\nJOIN captures USING (capture_id)\nWHERE paper_id = '2610.02204'\nORDER BY observed_at;"
  ]
]
