-- Spellings are counted first, so that the most common one stands for all.
WITH spelled AS (
    SELECT term, form_terms, acronym, long_form, count(*) AS papers
    FROM core.paper_acronyms
    GROUP BY term, form_terms, acronym, long_form
),
meanings AS (
    SELECT
        term,
        form_terms,
        first(acronym ORDER BY papers DESC, acronym, long_form) AS acronym,
        first(long_form ORDER BY papers DESC, acronym, long_form) AS long_form,
        sum(papers)::INTEGER AS paper_count,
        sum(sum(papers)) OVER (PARTITION BY term) AS explained_count
    FROM spelled
    GROUP BY term, form_terms
)
SELECT
    meanings.acronym,
    meanings.long_form,
    meanings.term,
    nullif(plurals.term, meanings.term) AS plural,
    meanings.form_terms,
    meanings.paper_count
FROM meanings
JOIN core.search_terms AS known USING (term)
LEFT JOIN core.search_words AS plurals ON plurals.word = lower(meanings.acronym) || 's'
WHERE meanings.paper_count >= $fewest_explained
    AND meanings.paper_count * $of_explained >= meanings.explained_count
    AND meanings.paper_count * $of_having >= known.paper_count
ORDER BY meanings.term, meanings.form_terms
