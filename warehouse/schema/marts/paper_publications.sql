-- What each paper is published as, from each moment on at which anything of it was learned. All facts are spans of time:
-- what an answer says holds until the next answer about the same paper or work. Of two answers of one moment the later
-- `capture_id` counts.
WITH records AS (
    SELECT
        paper_id,
        doi,
        observed_at AS seen_from,
        coalesce(lead(observed_at) OVER (PARTITION BY paper_id ORDER BY observed_at), 'infinity') AS seen_until
    FROM core.arxiv_records
    WHERE observed_at IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY paper_id, observed_at ORDER BY capture_id DESC) = 1
),
works AS (
    SELECT
        *,
        observed_at AS seen_from,
        coalesce(lead(observed_at) OVER (PARTITION BY registry, doi ORDER BY observed_at), 'infinity') AS seen_until
    FROM (
        FROM core.published_works
        WHERE observed_at IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY registry, doi, observed_at ORDER BY capture_id DESC) = 1
    )
),
relations AS (
    SELECT stated.*, works.seen_from, works.seen_until
    FROM core.work_relations AS stated
    JOIN works USING (capture_id, doi)
),
-- The works that the author names, and those that name the paper
direct AS (
    SELECT paper_id, unnest(regexp_extract_all(lower(doi), $doi)) AS doi, 'author' AS found_by, seen_from, seen_until
    FROM records
    UNION
    SELECT arxiv_id, doi, 'registry', seen_from, seen_until
    FROM relations
    WHERE relation = 'has-preprint' AND arxiv_id IS NOT NULL
),
named AS (
    FROM direct
    UNION
    SELECT
        direct.paper_id,
        relations.other_doi,
        'preprint',
        greatest(direct.seen_from, relations.seen_from),
        least(direct.seen_until, relations.seen_until)
    FROM direct
    JOIN relations USING (doi)
    WHERE relations.relation = 'is-preprint-of'
        AND relations.other_doi IS NOT NULL
        AND greatest(direct.seen_from, relations.seen_from) < least(direct.seen_until, relations.seen_until)
),
notices AS (
    SELECT registry, doi, other_doi AS notice_doi, update_type, asserted_by, stated_on, TRUE AS is_of_work, seen_from,
        seen_until
    FROM relations
    WHERE relation = 'updated-by'
    UNION ALL
    SELECT registry, other_doi, doi, update_type, asserted_by, stated_on, FALSE, seen_from, seen_until
    FROM relations
    WHERE relation = 'update-to'
),
told AS (
    FROM notices WHERE update_type IN ($retractions, $concerns)
),
-- The moments at which anything changed of what is known of a paper's works
learned AS (
    SELECT paper_id, unnest([named.seen_from, named.seen_until]) AS known_from FROM named
    UNION
    SELECT paper_id, unnest([works.seen_from, works.seen_until]) FROM named JOIN works USING (doi)
    UNION
    SELECT paper_id, unnest([told.seen_from, told.seen_until]) FROM named JOIN told USING (doi)
),
spans AS (
    SELECT *, lead(known_from) OVER (PARTITION BY paper_id ORDER BY known_from) AS known_until
    FROM learned
    WHERE known_from < 'infinity'
),
known AS (
    SELECT
        spans.paper_id,
        spans.known_from,
        spans.known_until,
        named.doi,
        arg_min(found_by, list_position(['author', 'registry', 'preprint'], found_by)) AS found_by
    FROM spans
    JOIN named
        ON named.paper_id = spans.paper_id
        AND named.seen_from <= spans.known_from
        AND spans.known_from < named.seen_until
    GROUP BY ALL
),
said AS (
    SELECT known.paper_id, known.known_from, told.doi, told.registry,
        bool_or(update_type IN ($retractions)) AS is_retracted,
        bool_or(notice_doi IS NOT NULL) AS has_notice,
        -- of several the earliest, a retraction before a concern
        arg_min(
            struct_pack(stated_on := stated_on, notice_doi := notice_doi),
            struct_pack(
                is_concern := update_type IN ($concerns), has_no_day := stated_on IS NULL, day := stated_on,
                doi := notice_doi
            )
        ) AS first,
        list_sort(list_distinct(list(asserted_by) FILTER (asserted_by IS NOT NULL))) AS told_by,
        bool_or(is_of_work) AS is_told_by_work,
        bool_or(NOT is_of_work) AS is_told_by_notice
    FROM known
    JOIN told
        ON told.doi = known.doi
        AND told.seen_from <= known.known_from
        AND known.known_from < told.seen_until
    GROUP BY ALL
),
linked AS (
    SELECT known.paper_id, known.known_from, relations.doi, relations.registry,
        bool_or(relations.arxiv_id = known.paper_id) AS is_confirmed
    FROM known
    JOIN relations
        ON relations.doi = known.doi
        AND relations.relation = 'has-preprint'
        AND relations.arxiv_id IS NOT NULL
        AND relations.seen_from <= known.known_from
        AND known.known_from < relations.seen_until
    GROUP BY ALL
),
judged AS (
    SELECT
        known.*,
        works.* EXCLUDE (doi),
        said.* EXCLUDE (paper_id, known_from, doi, registry),
        coalesce(linked.is_confirmed, FALSE) AS is_confirmed,
        regexp_replace(lower(works.title), '<[^<>]*>|[^\pL\pN]', '', 'g')
        = regexp_replace(lower(papers.title), '<[^<>]*>|[^\pL\pN]', '', 'g') AS is_same_title,
        CASE
            WHEN works.answer = 'unknown' THEN 'unknown'
            WHEN NOT linked.is_confirmed THEN 'other_paper'
            -- OpenAlex names no notice: where another registry has the work and says nothing of it, that is a doubt
            WHEN said.is_retracted AND NOT said.has_notice AND bool_or(
                works.answer = 'known' AND NOT coalesce(said.is_retracted, FALSE)
            ) OVER of_work THEN 'concern'
            WHEN said.is_retracted THEN 'retracted'
            WHEN said.is_retracted IS NOT NULL THEN 'concern'
            WHEN works.work_type = $preprint THEN 'preprint'
            ELSE 'published'
        END AS status,
        bool_or(coalesce(linked.is_confirmed, FALSE)) OVER of_work AS is_named,
        max(works.published) OVER of_work AS last_published
    FROM known
    JOIN core.papers AS papers USING (paper_id)
    JOIN works
        ON works.doi = known.doi AND works.seen_from <= known.known_from AND known.known_from < works.seen_until
    LEFT JOIN said
        ON said.paper_id = known.paper_id
        AND said.known_from = known.known_from
        AND said.doi = known.doi
        AND said.registry = works.registry
    LEFT JOIN linked
        ON linked.paper_id = known.paper_id
        AND linked.known_from = known.known_from
        AND linked.doi = known.doi
        AND linked.registry = works.registry
    WINDOW of_work AS (PARTITION BY known.paper_id, known.known_from, known.doi)
)
SELECT
    paper_id,
    registry,
    doi,
    known_from,
    known_until,
    row_number() OVER (
        PARTITION BY paper_id, known_from
        ORDER BY list_position(['retracted', 'concern', 'published', 'preprint', 'other_paper', 'unknown'], status),
            is_named DESC, last_published DESC NULLS LAST, doi, list_position([$registries], registry)
    ) AS rank,
    status,
    found_by,
    is_confirmed,
    is_same_title,
    work_type,
    title,
    venue,
    publisher,
    published,
    volume,
    issue,
    pages,
    CASE WHEN status IN ('retracted', 'concern') THEN first.stated_on END AS retracted_on,
    CASE WHEN status IN ('retracted', 'concern') THEN first.notice_doi END AS notice_doi,
    CASE WHEN status IN ('retracted', 'concern') THEN told_by END AS told_by,
    CASE WHEN status IN ('retracted', 'concern') THEN is_told_by_work END AS is_told_by_work,
    CASE WHEN status IN ('retracted', 'concern') THEN is_told_by_notice END AS is_told_by_notice,
    bibtex_fields,
    capture_id
FROM judged
-- Of works under arXiv's own DOI those that were published elsewhere without one, or retracted
WHERE NOT starts_with(doi, $of_arxiv) OR (is_confirmed AND status NOT IN ('preprint', 'unknown'))
ORDER BY paper_id, registry, doi, known_from
