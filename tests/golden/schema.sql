CREATE SCHEMA IF NOT EXISTS "core";
CREATE SCHEMA IF NOT EXISTS "mart";
CREATE SCHEMA IF NOT EXISTS "about";

CREATE TABLE "core"."captures" (
    "capture_id" VARCHAR NOT NULL,
    "url" VARCHAR USING COMPRESSION zstd,
    "fetched_at" TIMESTAMP,
    "http_status" INTEGER,
    "content_type" VARCHAR,
    "payload_bytes" BIGINT NOT NULL,
    "payload_sha256" VARCHAR NOT NULL,
    "reader" VARCHAR,
    "state" VARCHAR NOT NULL,
    "reason" VARCHAR USING COMPRESSION zstd,
    "list_kind" VARCHAR,
    "listed_on" DATE,
    "list_period" VARCHAR,
    "list_query" VARCHAR USING COMPRESSION zstd,
    "page_on" DATE,
    "page_basis" VARCHAR,
    "item_count" INTEGER NOT NULL,
    "sighting_count" INTEGER NOT NULL,
    "rejected_count" INTEGER NOT NULL,
    "duplicate_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."captures" IS 'One captured page. What was fetched, when, from where, how many bytes, its digest, which reader read it, what came of it. Key: capture_id.';
COMMENT ON COLUMN "core"."captures"."capture_id" IS 'The captured page: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."captures"."url" IS 'Address that was asked. Null: the page was saved without its address. Source: WARC-Target-URI; url in captures.csv.';
COMMENT ON COLUMN "core"."captures"."fetched_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: WARC-Date; fetched_at in captures.csv.';
COMMENT ON COLUMN "core"."captures"."http_status" IS 'HTTP status of the answer. Null: not an HTTP answer, or the status was not kept. Source: status line of the answer; status in captures.csv.';
COMMENT ON COLUMN "core"."captures"."content_type" IS 'Media type the answer claimed, parameters included. Null: no such header. Source: Content-Type of the answer; content_type in captures.csv.';
COMMENT ON COLUMN "core"."captures"."payload_bytes" IS 'Size of the page as it came. Unit: bytes. Source: measured.';
COMMENT ON COLUMN "core"."captures"."payload_sha256" IS 'SHA-256 of the page as it came, in hex. Source: computed.';
COMMENT ON COLUMN "core"."captures"."reader" IS 'Reader that knows the page''s layout. Null: no reader knows the page. Source: chosen by URL and bytes.';
COMMENT ON COLUMN "core"."captures"."state" IS '`read` whole; `partial`, with items in quarantine; `rejected`, nothing could be read; `empty`, a list without items; `error`, an HTTP status other than 200; `failed`, no page came that could be kept; `unknown`, kept raw, no reader knows it; `set_aside`, nothing is taken from it, since the gate or a person found it false. Source: computed.';
COMMENT ON COLUMN "core"."captures"."reason" IS 'Why the state is not `read`. Null: the page was read whole. Source: computed.';
COMMENT ON COLUMN "core"."captures"."list_kind" IS 'What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one paper, the `repositories` that cite one, what `arxiv` says of one or of changes, or `crossref` of a published work, `openalex` of some, `github` of stars, or `saved` where a saved text does not say, and where another archive keeps a list. Null: the address does not say, and no reader knows the page. Source: URL of the request, or the page''s own data.';
COMMENT ON COLUMN "core"."captures"."listed_on" IS 'Day of the daily list. Unit: list day. Null: no daily list, and the item does not name one. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."captures"."list_period" IS 'Week (`2025-W09`) or month (`2025-02`) of the list. Null: the list is neither weekly nor monthly. Source: week= or month= of the request.';
COMMENT ON COLUMN "core"."captures"."list_query" IS 'Search text. Null: not a search, or the page does not say. Source: q= of the request; $.query of an HTML page.';
COMMENT ON COLUMN "core"."captures"."page_on" IS 'Day that the page shows as its own (`Nov 21` above a saved list). Unit: day. Null: the page shows none, or its year is unknown. Source: header of a saved text or page.';
COMMENT ON COLUMN "core"."captures"."page_basis" IS 'Whether the year of `page_on` was stated, or inferred from the dates on the page. Null: no `page_on`. Source: computed by the reader, and from the arXiv id.';
COMMENT ON COLUMN "core"."captures"."item_count" IS 'Items on the page; a page that cannot be parted into items and is rejected counts as one. Unit: items. Source: counted by the reader.';
COMMENT ON COLUMN "core"."captures"."sighting_count" IS 'Items of the page that became sightings. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."captures"."rejected_count" IS 'Items of the page that are in `quarantine`. Unit: items. Source: counted.';
COMMENT ON COLUMN "core"."captures"."duplicate_count" IS 'Items that repeat a paper of the same page. Unit: items. Source: counted.';

CREATE TABLE "core"."sightings" (
    "capture_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "source" VARCHAR NOT NULL,
    "list_kind" VARCHAR NOT NULL,
    "listed_on" DATE,
    "listed_basis" VARCHAR,
    "list_period" VARCHAR,
    "list_query" VARCHAR USING COMPRESSION zstd,
    "arxiv_id" VARCHAR,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "abstract" VARCHAR USING COMPRESSION zstd,
    "description" VARCHAR USING COMPRESSION zstd,
    "ai_summary" VARCHAR USING COMPRESSION zstd,
    "ai_summary_model" VARCHAR,
    "published_on" DATE,
    "published_basis" VARCHAR,
    "published_at" TIMESTAMP,
    "submitted_at" TIMESTAMP,
    "submitted_basis" VARCHAR,
    "submitter_login" VARCHAR,
    "submitter_name" VARCHAR,
    "author_count" INTEGER,
    "authors" STRUCT("name" VARCHAR, "login" VARCHAR, "claim_status" VARCHAR, "is_hidden" BOOLEAN)[],
    "organization_login" VARCHAR,
    "organization_name" VARCHAR,
    "upvote_count" INTEGER,
    "comment_count" INTEGER,
    "github_star_count" INTEGER,
    "model_count" INTEGER,
    "dataset_count" INTEGER,
    "space_count" INTEGER,
    "keywords" VARCHAR[],
    "github_url" VARCHAR USING COMPRESSION zstd,
    "github_added_by" VARCHAR,
    "project_url" VARCHAR USING COMPRESSION zstd,
    "media_urls" VARCHAR[],
    "discussion_id" VARCHAR,
    "is_author_participating" BOOLEAN,
    "outer_title" VARCHAR USING COMPRESSION zstd,
    "outer_abstract" VARCHAR USING COMPRESSION zstd,
    "outer_organization_login" VARCHAR,
    "outer_submitter_login" VARCHAR,
    "doubts" VARCHAR[]
);
COMMENT ON TABLE "core"."sightings" IS 'One paper on one captured page. Everything a page said about a paper: the base of every table below. Key: capture_id, position.';
COMMENT ON COLUMN "core"."sightings"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."sightings"."position" IS 'Place of the item on its page. Unit: place, from 1. Source: order of the items on the page.';
COMMENT ON COLUMN "core"."sightings"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."sightings"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."sightings"."source" IS 'Kind of page: the JSON API, an HTML page, text that somebody saved, or a copy of any of them that others made: a mirror site''s page, the list as another archive keeps it. Source: the reader, and the host of the address.';
COMMENT ON COLUMN "core"."sightings"."list_kind" IS 'What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one paper, the `repositories` that cite one, what `arxiv` says of one or of changes, or `crossref` of a published work, `openalex` of some, `github` of stars, or `saved` where a saved text does not say, and where another archive keeps a list. Source: URL of the request, or the page''s own data.';
COMMENT ON COLUMN "core"."sightings"."listed_on" IS 'Day of the daily list. Unit: list day. Null: no daily list, and the item does not name one. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."sightings"."listed_basis" IS 'Where `listed_on` comes from: the `request`, the `page`, or the `item` itself. Null: no `listed_on`. Source: computed by the reader.';
COMMENT ON COLUMN "core"."sightings"."list_period" IS 'Week (`2025-W09`) or month (`2025-02`) of the list. Null: the list is neither weekly nor monthly. Source: week= or month= of the request.';
COMMENT ON COLUMN "core"."sightings"."list_query" IS 'Search text. Null: not a search, or the page does not say. Source: q= of the request; $.query of an HTML page.';
COMMENT ON COLUMN "core"."sightings"."arxiv_id" IS 'arXiv id without version, as text: trailing zeros count. Null: the page shows no arXiv ids. Source: paper.id; the line `arxiv:…` of a saved paper page.';
COMMENT ON COLUMN "core"."sightings"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "core"."sightings"."abstract" IS 'Abstract on one line, whitespace collapsed, LaTeX as the source has it. Null: the page showed no abstract. Source: paper.summary, else summary; abstract line of a saved text.';
COMMENT ON COLUMN "core"."sightings"."description" IS 'Text under the title on a page that shows the AI summary where there is one, else the abstract, and does not say which. Null: not such a page: only trending pages that were saved as text are. Source: text under the title of a saved trending page.';
COMMENT ON COLUMN "core"."sightings"."ai_summary" IS 'One-sentence summary that the Hub generates. Null: not shown: an earlier page, or a paper without; most are missing from 2026-07-13 to 2026-08-11. Source: paper.ai_summary. Since 2025-05-22.';
COMMENT ON COLUMN "core"."sightings"."ai_summary_model" IS 'Model that wrote `ai_summary`. Null: not shown. Source: paper.ai_summary_model. Since 2026-06-03.';
COMMENT ON COLUMN "core"."sightings"."published_on" IS 'Day of the first submission to arXiv, as the source says; `published_basis` says how far it holds. Unit: UTC day. Null: the page showed no date, or one whose year is unknown. Source: paper.publishedAt; date in the footer of a saved text.';
COMMENT ON COLUMN "core"."sightings"."published_basis" IS 'Whether `published_on` was `stated`, or its year `inferred` from the page it is on; `contradicted` where it comes after the month in the arXiv id, in which the paper was there already. Null: no `published_on`. Source: computed by the reader, and from the arXiv id.';
COMMENT ON COLUMN "core"."sightings"."published_at" IS 'Instant of the first submission to arXiv, to the second. Unit: UTC. Null: the source gave the day only (the Hub cuts it to midnight since 2026-04-03). Source: paper.publishedAt.';
COMMENT ON COLUMN "core"."sightings"."submitted_at" IS 'Instant of the submission to Daily Papers. Unit: UTC. Null: not shown: only answers fetched before 2025-03-11 hold it (docs/source.md §5). Source: publishedAt, in answers fetched before 2025-03-11.';
COMMENT ON COLUMN "core"."sightings"."submitted_basis" IS '`stated` until 2024-06-11; `inferred` where an answer gave it 1.5 h early (until 2024-11-28) or as New York wall clock, and it was put right. Null: no `submitted_at`. Source: computed from the fetch time.';
COMMENT ON COLUMN "core"."sightings"."submitter_login" IS 'Hub login of the person who submitted the paper to Daily Papers. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.user (2025-03-17 on), submittedBy.name. Since 2024-06-13.';
COMMENT ON COLUMN "core"."sightings"."submitter_name" IS 'Display name of the submitter. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.fullname (2025-03-17 on), submittedBy.fullname. Since 2024-06-13.';
COMMENT ON COLUMN "core"."sightings"."author_count" IS 'Number of all authors, also where the page lists only the first of them (`+ 8 authors`). Unit: people. Null: not shown. Source: length of paper.authors[]; `N authors` in a saved text, or its names and `+ N authors`.';
COMMENT ON COLUMN "core"."sightings"."authors" IS 'Authors in order: name, Hub login, claim status, whether hidden on the Hub. The page cut its list short where `author_count` is larger; nothing else marks that. Null: the page lists no authors. Source: paper.authors[].name, .user.user (.user.name), .status, .hidden.';
COMMENT ON COLUMN "core"."sightings"."organization_login" IS 'Hub login of the organization the paper is listed under. Null: no organization shown, or shown by name only; the source has none before 2025-09-29. Source: paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."sightings"."organization_name" IS 'Display name of the organization. Null: no organization shown; the source has none before 2025-09-29. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."sightings"."upvote_count" IS 'Upvotes when the page was fetched. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "core"."sightings"."comment_count" IS 'Comments when the page was fetched. Unit: comments. Null: not shown. Source: numComments; number after the date in a saved text.';
COMMENT ON COLUMN "core"."sightings"."github_star_count" IS 'Stars of the linked GitHub repository when the page was fetched. Unit: stars. Null: not shown: a page fetched before 2025-06-25, no repository linked, or its stars not shown. Source: paper.githubStars. Since 2025-06-25.';
COMMENT ON COLUMN "core"."sightings"."model_count" IS 'Hub models that cite the paper. Unit: models. Null: shown on a paper''s own page only. Source: numTotalModels of a paper''s own answer.';
COMMENT ON COLUMN "core"."sightings"."dataset_count" IS 'Hub datasets that cite the paper. Unit: datasets. Null: shown on a paper''s own page only. Source: numTotalDatasets of a paper''s own answer.';
COMMENT ON COLUMN "core"."sightings"."space_count" IS 'Hub spaces that cite the paper. Unit: spaces. Null: shown on a paper''s own page only. Source: numTotalSpaces of a paper''s own answer.';
COMMENT ON COLUMN "core"."sightings"."keywords" IS 'Keywords that the Hub generates, in its order; empty and repeated ones left out. Null: not shown: an earlier page, or a paper without; none from 2025-04-10 to 2025-04-15. Source: paper.ai_keywords[]. Since 2025-03-11.';
COMMENT ON COLUMN "core"."sightings"."github_url" IS 'GitHub address as the source has it, without whitespace around it and line ends inside. Null: none shown. Source: paper.githubRepo. Since 2025-03-04.';
COMMENT ON COLUMN "core"."sightings"."github_added_by" IS 'Who added the GitHub address: `user`, `admin` or `auto`. Null: not shown. Source: paper.githubRepoAddedBy. Since 2025-12-11.';
COMMENT ON COLUMN "core"."sightings"."project_url" IS 'Project page, without whitespace around it and line ends inside. Null: none shown. Source: paper.projectPage. Since 2025-03-04.';
COMMENT ON COLUMN "core"."sightings"."media_urls" IS 'Pictures and films that were uploaded for the paper. Null: none shown. Source: mediaUrls[] (2024-06-12 on), paper.mediaUrls[] (2025-03-17 on); before, mediaUrl if an upload.';
COMMENT ON COLUMN "core"."sightings"."discussion_id" IS 'Hub id of the paper''s discussion; it stays when a paper is listed again. Null: not shown: a page fetched before 2024-08-02, or a saved text. Source: paper.discussionId. Since 2024-08-02.';
COMMENT ON COLUMN "core"."sightings"."is_author_participating" IS 'Whether an author takes part in the discussion. Null: not shown. Source: isAuthorParticipating. Since 2024-12-19.';
COMMENT ON COLUMN "core"."sightings"."outer_title" IS 'Title as the outer object of the same answer has it, where it differs in more than whitespace. Null: not given there, or the same; always so since 2025-03-11. Source: title of the list item.';
COMMENT ON COLUMN "core"."sightings"."outer_abstract" IS 'Abstract as the outer object of the same answer has it, where it differs. Null: not given there, or the same: so in all 7,162 items that have both. Source: summary of the list item. Since 2025-04-01.';
COMMENT ON COLUMN "core"."sightings"."outer_organization_login" IS 'Organization as the outer object of the same answer has it, where it differs. Null: not given there, or the same: so in all 2,912 items that have both. Source: organization.name and submitterOrganization.name of the list item. Since 2025-09-29.';
COMMENT ON COLUMN "core"."sightings"."outer_submitter_login" IS 'Submitter as the outer object of the same answer has it, where it differs. Null: not given there, or the same: so in all 7,077 items that have both. Source: submittedBy.name. Since 2024-06-13.';
COMMENT ON COLUMN "core"."sightings"."doubts" IS 'What the page itself says against the item: a text that fits another paper''s abstract better, ids of records that were not made together. One alone is no proof: of how many items of a page each may be said is what guards declare. Null: nothing. Source: computed from the item and the others of its page (docs/guards.md).';

CREATE TABLE "core"."papers" (
    "paper_id" VARCHAR NOT NULL,
    "arxiv_id" VARCHAR,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "published_on" DATE,
    "published_basis" VARCHAR,
    "published_at" TIMESTAMP,
    "submitted_at" TIMESTAMP,
    "first_listed_on" DATE,
    "last_listed_on" DATE,
    "author_count" INTEGER,
    "organization_login" VARCHAR,
    "organization_name" VARCHAR,
    "upvote_count" INTEGER,
    "comment_count" INTEGER,
    "github_star_count" INTEGER,
    "standing" VARCHAR,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."papers" IS 'One paper. The best current answer per paper, field by field: the last value of the best source. In DuckDB, without a schema before its name, with the abstract of `paper_texts`. Key: paper_id.';
COMMENT ON COLUMN "core"."papers"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."papers"."arxiv_id" IS 'arXiv id without version, as text: trailing zeros count. Null: no page of the paper showed an arXiv id. Source: paper.id; the line `arxiv:…` of a saved paper page.';
COMMENT ON COLUMN "core"."papers"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "core"."papers"."published_on" IS 'Day of the first submission to arXiv, as the source says; `published_basis` says how far it holds. Unit: UTC day. Null: the page showed no date, or one whose year is unknown. Source: paper.publishedAt; date in the footer of a saved text.';
COMMENT ON COLUMN "core"."papers"."published_basis" IS 'Whether `published_on` was `stated`, or its year `inferred` from the page it is on; `contradicted` where it comes after the month in the arXiv id, in which the paper was there already. Null: no `published_on`. Source: computed by the reader, and from the arXiv id.';
COMMENT ON COLUMN "core"."papers"."published_at" IS 'Instant of the first submission to arXiv, to the second. Unit: UTC. Null: the source gave the day only (the Hub cuts it to midnight since 2026-04-03). Source: paper.publishedAt.';
COMMENT ON COLUMN "core"."papers"."submitted_at" IS 'Instant of the first submission to Daily Papers. Unit: UTC. Null: not shown: only answers fetched before 2025-03-11 hold it (docs/source.md §5). Source: publishedAt, in answers fetched before 2025-03-11.';
COMMENT ON COLUMN "core"."papers"."first_listed_on" IS 'First day on a daily list. Unit: list day. Null: never seen on a daily list. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."papers"."last_listed_on" IS 'Last day on a daily list. Unit: list day. Null: never seen on a daily list. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."papers"."author_count" IS 'Number of all authors, also where the page lists only the first of them (`+ 8 authors`). Unit: people. Null: not shown. Source: length of paper.authors[]; `N authors` in a saved text, or its names and `+ N authors`.';
COMMENT ON COLUMN "core"."papers"."organization_login" IS 'Hub login of the organization the paper is listed under. Null: no organization shown, or shown by name only; the source has none before 2025-09-29. Source: paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."papers"."organization_name" IS 'Display name of the organization. Null: no organization shown; the source has none before 2025-09-29. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."papers"."upvote_count" IS 'Upvotes as last seen. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "core"."papers"."comment_count" IS 'Comments as last seen. Unit: comments. Null: not shown. Source: numComments; number after the date in a saved text.';
COMMENT ON COLUMN "core"."papers"."github_star_count" IS 'Stars of the linked GitHub repository as last seen. Unit: stars. Null: not shown: a page fetched before 2025-06-25, no repository linked, or its stars not shown. Source: paper.githubStars. Since 2025-06-25.';
COMMENT ON COLUMN "core"."papers"."standing" IS 'Whether the title, the abstract and the authors are `agreed` by two looks at the Hub more than an hour apart, `provisional` since one look alone shows them, or `disputed` since other looks say otherwise. Null: no dated page of the Hub shows the paper. Source: computed.';
COMMENT ON COLUMN "core"."papers"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."papers"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."papers"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."papers"."capture_id" IS 'The last page that showed the paper. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_texts" (
    "paper_id" VARCHAR NOT NULL,
    "abstract" VARCHAR USING COMPRESSION zstd NOT NULL,
    "first_seen_at" TIMESTAMP,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_texts" IS 'One paper that a page showed an abstract of. The abstract, apart from `papers` because it is ten times as long as all the rest. Key: paper_id.';
COMMENT ON COLUMN "core"."paper_texts"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_texts"."abstract" IS 'Abstract on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.summary, else summary; abstract line of a saved text.';
COMMENT ON COLUMN "core"."paper_texts"."first_seen_at" IS 'Fetch time of the first page that showed one. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_texts"."capture_id" IS 'The first page that shows it so, of the source that counts. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_citations" (
    "paper_id" VARCHAR NOT NULL,
    "bibtex" VARCHAR USING COMPRESSION zstd NOT NULL
);
COMMENT ON TABLE "core"."paper_citations" IS 'One paper. The paper as an entry for BibTeX, which `bibtex(paper_id)` gives too. RIS and CSL-JSON are made by `paperlake cite`. Key: paper_id.';
COMMENT ON COLUMN "core"."paper_citations"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_citations"."bibtex" IS 'The entry, of several lines, in ASCII: letters are written as in TeX, text between dollar signs is math only where it is a formula. Its key is surname, year and paper_id, so that no two are alike. What no page showed is left out, never guessed. Source: papers, paper_authors.';

CREATE TABLE "core"."paper_aliases" (
    "kind" VARCHAR NOT NULL,
    "alias" VARCHAR USING COMPRESSION zstd NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "method" VARCHAR NOT NULL,
    "score" DOUBLE,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_aliases" IS 'One name of one paper. Every arXiv id and title a paper went by, and how the name was matched. Key: kind, alias, paper_id.';
COMMENT ON COLUMN "core"."paper_aliases"."kind" IS 'What the name is. Source: computed.';
COMMENT ON COLUMN "core"."paper_aliases"."alias" IS 'The name: an arXiv id, or a title as it was shown. Source: arxiv_id, title and outer_title of the sightings.';
COMMENT ON COLUMN "core"."paper_aliases"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_aliases"."method" IS '`arxiv_id`: a page gave the name together with the arXiv id; `title`: matched by the normalised title of the arXiv id; `near_title`: by one much like it; `alone`: no arXiv id is known for the paper. Source: computed by comparing all papers that could be one.';
COMMENT ON COLUMN "core"."paper_aliases"."score" IS 'How likely the name is this paper''s: 1 where a page gave it with the arXiv id, else the best match of what was seen under the name with what else was seen of the paper. Unit: probability, 0 to 1. Null: nothing else was seen of the paper, or nothing much like it. Source: computed by comparing the two, field by field.';
COMMENT ON COLUMN "core"."paper_aliases"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_aliases"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_aliases"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."paper_aliases"."capture_id" IS 'The last page that showed the name. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_versions" (
    "paper_id" VARCHAR NOT NULL,
    "field" VARCHAR NOT NULL,
    "version_number" INTEGER NOT NULL,
    "text" VARCHAR USING COMPRESSION zstd,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_versions" IS 'One content of one text of one paper. Titles, abstracts and AI summaries as their content changed, first and last seen. Wrapping, case, punctuation, LaTeX markup and the name of the Hub''s host are not content. A content that came back is one row, so spans can overlap. What a copy says is a version only where the Hub''s own pages have no such text. Key: paper_id, field, version_number.';
COMMENT ON COLUMN "core"."paper_versions"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_versions"."field" IS 'Which text. Source: the column of sightings.';
COMMENT ON COLUMN "core"."paper_versions"."version_number" IS 'Place among the contents of the text by when they were first seen; a content seen only on pages whose fetch time is unknown comes first. No version number of arXiv. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "core"."paper_versions"."text" IS 'The text as its most trusted page shows it. Null: the text never changed: `papers` has a title, `paper_texts` an abstract, `sightings` a summary; `text_versions` has them all. Source: title, abstract and ai_summary of the sightings.';
COMMENT ON COLUMN "core"."paper_versions"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_versions"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_versions"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."paper_versions"."capture_id" IS 'The first page that shows it so, of the source that counts. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_clusters" (
    "kind" VARCHAR NOT NULL,
    "cluster_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "method" VARCHAR NOT NULL,
    "score" DOUBLE,
    "agreement" DOUBLE,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_clusters" IS 'One paper in one cluster of papers that could be taken for one another. Which papers are the same work under several arXiv ids, and which share a title and nothing else, or nearly all of an abstract. Key: kind, cluster_id, paper_id.';
COMMENT ON COLUMN "core"."paper_clusters"."kind" IS '`same_work`: titles and abstracts agree, the arXiv ids differ: two papers; `twin_title`: the normalised title is the same, what else is known speaks against one work; `twin_abstract`: the abstracts are nearly one, the titles are not: mostly papers of one group on one subject. Source: computed by comparing all papers that could be one.';
COMMENT ON COLUMN "core"."paper_clusters"."cluster_id" IS 'The cluster, named by the smallest `paper_id` in it. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_clusters"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_clusters"."method" IS '`title`: the normalised title is that of another one of the cluster; `near_title`: much like it; `abstract`: its abstract agrees with that of another one by 0.85 and more. Source: computed by comparing all papers that could be one.';
COMMENT ON COLUMN "core"."paper_clusters"."score" IS 'The best match with another paper of the cluster; of twins, with one that is another work. Unit: probability, 0 to 1. Null: so many papers share the title that it was compared with others of them only; of a `twin_abstract`, the titles are too far from each other to be one paper''s. Source: computed by comparing the two, field by field.';
COMMENT ON COLUMN "core"."paper_clusters"."agreement" IS 'How much of the abstract another paper of the cluster has: the share of the shorter one''s pairs of adjacent words; the largest of them. Unit: of 1. Null: no two abstracts of the cluster could be compared. Source: computed by comparing the two.';
COMMENT ON COLUMN "core"."paper_clusters"."capture_id" IS 'The last page that showed the paper. Source: computed when the page is landed.';

CREATE TABLE "core"."identity_records" (
    "paper_id" VARCHAR NOT NULL,
    "record" BIGINT NOT NULL,
    "has_arxiv_id" BOOLEAN NOT NULL,
    "has_usable_abstract" BOOLEAN NOT NULL,
    "title_hash" BIGINT NOT NULL,
    "near_hash" INTEGER NOT NULL,
    "title_words" INTEGER[] NOT NULL,
    "abstract_words" INTEGER[] NOT NULL,
    "beginning" INTEGER,
    "second_sentence" INTEGER,
    "third_sentence" INTEGER,
    "ending" INTEGER,
    "title_key" VARCHAR,
    "text_digest" VARCHAR
);
COMMENT ON TABLE "core"."identity_records" IS 'One description of a paper: a title and an abstract of an arXiv id, or what one page without ids shows. What the texts of new pages are to be compared with, without reading those of all papers again. Keys are hashes: texts that share one are compared. Key: record.';
COMMENT ON COLUMN "core"."identity_records"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."identity_records"."record" IS 'One description of a paper: a hash of its arXiv id, title, abstract, AI summary, date and authors. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."has_arxiv_id" IS 'Whether a page gives the description with its arXiv id. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."has_usable_abstract" IS 'Whether its abstract has four words or more: fewer identify nothing. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."title_hash" IS 'The letters and digits of the title, in lower case. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."near_hash" IS 'Those of the title without accents and LaTeX, up to its subtitle. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."title_words" IS 'Its longest words, four at most. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."abstract_words" IS 'The longest words where its abstract begins, four at most. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."beginning" IS 'The first letters of its abstract. Null: no usable abstract. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."second_sentence" IS 'The first letters of its second sentence. Null: it has none. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."third_sentence" IS 'The first letters of its third sentence. Null: it has none. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."ending" IS 'The last letters of its abstract. Null: no usable abstract. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."title_key" IS 'The letters and digits of the title: what a paper without an arXiv id is named after. Null: a page gives its arXiv id. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_records"."text_digest" IS 'Beginning of the SHA-256 of its abstract, or of what else is known of it: what distinguishes two papers of one title. Null: a page gives its arXiv id. Source: computed from the pages that show it.';

CREATE TABLE "core"."identity_pairs" (
    "kind" VARCHAR NOT NULL,
    "record" BIGINT NOT NULL,
    "other_record" BIGINT NOT NULL,
    "is_same_title" BOOLEAN,
    "title_similarity" DOUBLE,
    "agreement" DOUBLE,
    "score" DOUBLE
);
COMMENT ON TABLE "core"."identity_pairs" IS 'Two descriptions that are alike, in one respect. Which descriptions of papers were found alike, and how much: what papers and their clusters are made of. Key: kind, record, other_record.';
COMMENT ON COLUMN "core"."identity_pairs"."kind" IS '`match`: could be one paper, one of them having no arXiv id; `likeness`: have the title or the beginning of the abstract in common; `repeat`: nearly all of the abstract. Source: computed.';
COMMENT ON COLUMN "core"."identity_pairs"."record" IS 'One description of a paper: a hash of its arXiv id, title, abstract, AI summary, date and authors. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_pairs"."other_record" IS 'The other one, of the higher hash. Source: computed from the pages that show it.';
COMMENT ON COLUMN "core"."identity_pairs"."is_same_title" IS 'Whether the titles have the same letters and digits. Null: titles were not compared: a `repeat`. Source: computed.';
COMMENT ON COLUMN "core"."identity_pairs"."title_similarity" IS 'Share of the letters that both titles have in the same order. Unit: 0 to 1. Null: titles were not compared: a `repeat`. Source: computed by comparing the two, field by field.';
COMMENT ON COLUMN "core"."identity_pairs"."agreement" IS 'Share of the shorter abstract''s pairs of adjacent words that the other has too. Unit: 0 to 1. Null: one has no usable abstract. Source: computed by comparing the two, field by field.';
COMMENT ON COLUMN "core"."identity_pairs"."score" IS 'How likely the two are one paper, by title, abstract, authors and date; from 0.5 on they match. Unit: probability, 0 to 1. Null: titles were not compared: a `repeat`. Source: computed by comparing the two, field by field.';

CREATE TABLE "core"."paper_observations" (
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "upvote_count" INTEGER,
    "comment_count" INTEGER,
    "github_star_count" INTEGER,
    "model_count" INTEGER,
    "dataset_count" INTEGER,
    "space_count" INTEGER,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_observations" IS 'One paper at one fetch time. Upvotes, comments, stars and linked models, datasets and spaces over time. Key: paper_id, observed_at.';
COMMENT ON COLUMN "core"."paper_observations"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_observations"."observed_at" IS 'When the page was fetched. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."paper_observations"."upvote_count" IS 'Upvotes when the page was fetched. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "core"."paper_observations"."comment_count" IS 'Comments when the page was fetched. Unit: comments. Null: not shown. Source: numComments; number after the date in a saved text.';
COMMENT ON COLUMN "core"."paper_observations"."github_star_count" IS 'Stars of the linked GitHub repository when the page was fetched. Unit: stars. Null: not shown: a page fetched before 2025-06-25, no repository linked, or its stars not shown. Source: paper.githubStars. Since 2025-06-25.';
COMMENT ON COLUMN "core"."paper_observations"."model_count" IS 'Hub models that cite the paper. Unit: models. Null: shown on a paper''s own page only. Source: numTotalModels of a paper''s own answer.';
COMMENT ON COLUMN "core"."paper_observations"."dataset_count" IS 'Hub datasets that cite the paper. Unit: datasets. Null: shown on a paper''s own page only. Source: numTotalDatasets of a paper''s own answer.';
COMMENT ON COLUMN "core"."paper_observations"."space_count" IS 'Hub spaces that cite the paper. Unit: spaces. Null: shown on a paper''s own page only. Source: numTotalSpaces of a paper''s own answer.';
COMMENT ON COLUMN "core"."paper_observations"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';

CREATE TABLE "core"."daily_listings" (
    "listed_on" DATE NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "rank" INTEGER,
    "submitter_login" VARCHAR,
    "submitter_name" VARCHAR,
    "submitted_at" TIMESTAMP,
    "submitted_basis" VARCHAR,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."daily_listings" IS 'One paper on the list of one day. The daily list: rank, submitter, first and last seen on it. Key: listed_on, paper_id.';
COMMENT ON COLUMN "core"."daily_listings"."listed_on" IS 'Day of the daily list. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."daily_listings"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."daily_listings"."rank" IS 'Place on the day''s list when it was last fetched: most upvotes first. Unit: place, from 1. Null: seen only in answers that are not the day''s own list. Source: order of the day''s list.';
COMMENT ON COLUMN "core"."daily_listings"."submitter_login" IS 'Hub login of the person who submitted the paper to Daily Papers. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.user (2025-03-17 on), submittedBy.name. Since 2024-06-13.';
COMMENT ON COLUMN "core"."daily_listings"."submitter_name" IS 'Display name of the submitter. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.fullname (2025-03-17 on), submittedBy.fullname. Since 2024-06-13.';
COMMENT ON COLUMN "core"."daily_listings"."submitted_at" IS 'Instant of the submission to Daily Papers. Unit: UTC. Null: not shown: only answers fetched before 2025-03-11 hold it (docs/source.md §5). Source: publishedAt, in answers fetched before 2025-03-11.';
COMMENT ON COLUMN "core"."daily_listings"."submitted_basis" IS '`stated` until 2024-06-11; `inferred` where an answer gave it 1.5 h early (until 2024-11-28) or as New York wall clock, and it was put right. Null: no `submitted_at`. Source: computed from the fetch time.';
COMMENT ON COLUMN "core"."daily_listings"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."daily_listings"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."daily_listings"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."daily_listings"."capture_id" IS 'The page that gave rank and submitter. Source: computed when the page is landed.';

CREATE TABLE "core"."list_appearances" (
    "capture_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "list_kind" VARCHAR NOT NULL,
    "list_period" VARCHAR,
    "list_query" VARCHAR USING COMPRESSION zstd,
    "observed_at" TIMESTAMP
);
COMMENT ON TABLE "core"."list_appearances" IS 'One place on one captured list other than a daily one. Weekly, monthly, trending, latest, search and saved lists, with place and query. Key: capture_id, position.';
COMMENT ON COLUMN "core"."list_appearances"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."list_appearances"."position" IS 'Place of the item on its page. Unit: place, from 1. Source: order of the items on the page.';
COMMENT ON COLUMN "core"."list_appearances"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."list_appearances"."list_kind" IS 'What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one paper, the `repositories` that cite one, what `arxiv` says of one or of changes, or `crossref` of a published work, `openalex` of some, `github` of stars, or `saved` where a saved text does not say, and where another archive keeps a list. Source: URL of the request, or the page''s own data.';
COMMENT ON COLUMN "core"."list_appearances"."list_period" IS 'Week (`2025-W09`) or month (`2025-02`) of the list. Null: the list is neither weekly nor monthly. Source: week= or month= of the request.';
COMMENT ON COLUMN "core"."list_appearances"."list_query" IS 'Search text. Null: not a search, or the page does not say. Source: q= of the request; $.query of an HTML page.';
COMMENT ON COLUMN "core"."list_appearances"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: fetch time of the capture.';

CREATE TABLE "core"."paper_authors" (
    "paper_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "name" VARCHAR NOT NULL,
    "login" VARCHAR,
    "claim_status" VARCHAR,
    "is_hidden" BOOLEAN,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_authors" IS 'One author of one paper. Authors in order; the Hub login and claim status where known. Hidden stays hidden. The list is whole where it has as many rows as `papers.author_count` says. A name is no person: two people can have one, one can have several, and some are teams or half a name; only a login is one account. Key: paper_id, position.';
COMMENT ON COLUMN "core"."paper_authors"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_authors"."position" IS 'Place in the paper''s list of authors. Unit: place, from 1. Source: order of paper.authors.';
COMMENT ON COLUMN "core"."paper_authors"."name" IS 'Name as the paper gives it: a name, not a person. Source: paper.authors[].name.';
COMMENT ON COLUMN "core"."paper_authors"."login" IS 'Hub login that was matched to the author. Null: not matched, or the author is hidden. Source: paper.authors[].user.user, else .user.name (2026-03-12 on).';
COMMENT ON COLUMN "core"."paper_authors"."claim_status" IS 'How the match came about, as the Hub says it (`claimed_verified`, `admin_assigned`, …). Null: not matched, or the author is hidden. Source: paper.authors[].status.';
COMMENT ON COLUMN "core"."paper_authors"."is_hidden" IS 'Whether the author chose to hide the paper on their Hub profile; login and status are then left out. Null: the page did not say. Source: paper.authors[].hidden.';
COMMENT ON COLUMN "core"."paper_authors"."capture_id" IS 'The first page that shows the list so, of the source that counts. Source: computed when the page is landed.';

CREATE TABLE "core"."organizations" (
    "organization_id" VARCHAR USING COMPRESSION zstd NOT NULL,
    "organization_login" VARCHAR,
    "organization_name" VARCHAR,
    "group_name" VARCHAR NOT NULL,
    "paper_count" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."organizations" IS 'One organization. Login, name, first and last seen; `group_name` brings the logins of one name together. Key: organization_id.';
COMMENT ON COLUMN "core"."organizations"."organization_id" IS 'The login; `name:` and the name in lower case where the page shows none (names are not unique). Source: computed.';
COMMENT ON COLUMN "core"."organizations"."organization_login" IS 'Hub login of the organization the paper is listed under. Null: seen by name only. Source: paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."organizations"."organization_name" IS 'Display name as last seen. Null: seen by login only. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "core"."organizations"."group_name" IS 'One name for all organizations that are called the same but for case, accents, spaces and hyphens: that of the one with most papers. A university may have several logins, and anybody can give a login such a name. Source: computed from organization_name; the login where no name was seen.';
COMMENT ON COLUMN "core"."organizations"."paper_count" IS 'Papers seen under the organization. Unit: papers. Source: counted.';
COMMENT ON COLUMN "core"."organizations"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."organizations"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."organizations"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."organizations"."capture_id" IS 'The last page that showed the organization. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_keywords" (
    "paper_id" VARCHAR NOT NULL,
    "keyword" VARCHAR USING COMPRESSION zstd NOT NULL,
    "normal_keyword" VARCHAR USING COMPRESSION zstd NOT NULL,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_keywords" IS 'One keyword of one paper. The keywords that the Hub generates, each beside a normal form, first and last seen. Key: paper_id, keyword.';
COMMENT ON COLUMN "core"."paper_keywords"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_keywords"."keyword" IS 'Keyword, whitespace collapsed, case as the source has it. Source: paper.ai_keywords[]. Since 2025-03-11.';
COMMENT ON COLUMN "core"."paper_keywords"."normal_keyword" IS 'One form for the ways to write a keyword: lower case, hyphens as spaces, the last word in the singular, abbreviations written out where the source always means the same: `llms` and `Large language models (LLMs)` are `large language model`. Source: computed from keyword.';
COMMENT ON COLUMN "core"."paper_keywords"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_keywords"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_keywords"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."paper_keywords"."capture_id" IS 'The last page that showed the keyword. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_links" (
    "paper_id" VARCHAR NOT NULL,
    "kind" VARCHAR NOT NULL,
    "url" VARCHAR USING COMPRESSION zstd NOT NULL,
    "repository" VARCHAR,
    "added_by" VARCHAR,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_links" IS 'One link of one kind of one paper. GitHub repositories, project pages and media; who added them. Key: paper_id, kind, url.';
COMMENT ON COLUMN "core"."paper_links"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_links"."kind" IS 'What the link leads to. Source: the field it is in.';
COMMENT ON COLUMN "core"."paper_links"."url" IS 'Address as the source has it, without whitespace around it and line ends inside. Source: paper.githubRepo and paper.projectPage (2025-03-04 on); mediaUrls[], mediaUrl.';
COMMENT ON COLUMN "core"."paper_links"."repository" IS '`owner/name` on GitHub, in lower case, without `.git` and what follows the name. Null: not a GitHub address, or one without a repository. Source: computed from url.';
COMMENT ON COLUMN "core"."paper_links"."added_by" IS 'Who added the link, as last shown: `user`, `admin` or `auto`. Null: not a GitHub address, or not shown (before 2025-12-11). Source: paper.githubRepoAddedBy. Since 2025-12-11.';
COMMENT ON COLUMN "core"."paper_links"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_links"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."paper_links"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."paper_links"."capture_id" IS 'The last page that showed the link. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_repositories" (
    "capture_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "kind" VARCHAR NOT NULL,
    "repository" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "download_count" BIGINT,
    "download_total_count" BIGINT,
    "download_basis" VARCHAR,
    "like_count" BIGINT,
    "gated" VARCHAR,
    "created_at" TIMESTAMP,
    "last_modified_at" TIMESTAMP,
    "parameter_count" BIGINT
);
COMMENT ON TABLE "core"."paper_repositories" IS 'One repository on one page that shows what cites a paper. Who builds on a paper, over time: each model, dataset and space whose card cites it, with downloads and likes as then stated. A card can cite any paper: it need not implement it. Key: capture_id, kind, repository.';
COMMENT ON COLUMN "core"."paper_repositories"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."paper_repositories"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: paper of the page, or of the list asked for.';
COMMENT ON COLUMN "core"."paper_repositories"."kind" IS 'What the repository is. Source: the list it is in.';
COMMENT ON COLUMN "core"."paper_repositories"."repository" IS '`owner/name` on the Hub, as the source spells it; very old ones have no owner. Source: id of linkedModels[], linkedDatasets[], linkedSpaces[]; items of /api/models, /api/datasets, /api/spaces.';
COMMENT ON COLUMN "core"."paper_repositories"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."paper_repositories"."download_count" IS 'Downloads in the 30 days before, as stated. Unit: downloads. Null: not stated, as of spaces; or `not counted`. Source: downloads.';
COMMENT ON COLUMN "core"."paper_repositories"."download_total_count" IS 'Downloads of all time, as stated. Unit: downloads. Null: not stated: only whole lists do; or `not counted`. Source: downloadsAllTime.';
COMMENT ON COLUMN "core"."paper_repositories"."download_basis" IS 'Whether the Hub counts its downloads: `counted`, as some are; `not counted`, as its listed files have none of those that the Hub counts, and it names no library that may count others. Null: nobody can say from this page: a 0 may be either. Source: downloads, downloadsAllTime, siblings[], library_name.';
COMMENT ON COLUMN "core"."paper_repositories"."like_count" IS 'Likes. Unit: likes. Null: not stated. Source: likes.';
COMMENT ON COLUMN "core"."paper_repositories"."gated" IS 'Whether access must be asked for: `no`; `yes`; `auto`, granted at once; `manual`, by its owner. Null: not stated. Source: gated: false, true, auto, manual.';
COMMENT ON COLUMN "core"."paper_repositories"."created_at" IS 'When it was made. Unit: UTC. Null: not stated. Source: createdAt.';
COMMENT ON COLUMN "core"."paper_repositories"."last_modified_at" IS 'When it was last changed. Unit: UTC. Null: not stated. Source: lastModified.';
COMMENT ON COLUMN "core"."paper_repositories"."parameter_count" IS 'Parameters of a model. Unit: parameters. Null: not stated. Source: numParameters, safetensors.total.';

CREATE TABLE "core"."adoption_looks" (
    "capture_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "kind" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "asked" VARCHAR NOT NULL,
    "is_first_page" BOOLEAN NOT NULL,
    "is_last_page" BOOLEAN,
    "listed_count" INTEGER NOT NULL,
    "total_count" INTEGER
);
COMMENT ON TABLE "core"."adoption_looks" IS 'One kind of repositories on one page that shows what cites a paper. Where and when was looked for repositories of a paper, also where there were none, and whether the page shows them all. Key: capture_id, kind.';
COMMENT ON COLUMN "core"."adoption_looks"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."adoption_looks"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: paper of the page, or of the list asked for.';
COMMENT ON COLUMN "core"."adoption_looks"."kind" IS 'Kind of the repositories. Source: the list it is in.';
COMMENT ON COLUMN "core"."adoption_looks"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."adoption_looks"."asked" IS 'What was asked: the `paper`, whose list may be cut, or the `list` of all, page by page. Source: URL of the request, or the page''s own data.';
COMMENT ON COLUMN "core"."adoption_looks"."is_first_page" IS 'Whether it begins the list; a paper''s own page does. Source: URL.';
COMMENT ON COLUMN "core"."adoption_looks"."is_last_page" IS 'Whether nothing follows: a list''s page that is not full, or a paper''s page that lists as many as it states. Null: the page states no total, or the address no limit. Source: computed.';
COMMENT ON COLUMN "core"."adoption_looks"."listed_count" IS 'Repositories that the page lists, each once. Unit: repositories. Source: counted.';
COMMENT ON COLUMN "core"."adoption_looks"."total_count" IS 'How many there are, as the page states: it decides, where a list is cut. Unit: repositories. Null: not stated, as on pages of lists. Source: numTotalModels, numTotalDatasets, numTotalSpaces.';

CREATE TABLE "core"."paper_discussions" (
    "capture_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "comment_count" INTEGER NOT NULL,
    "reply_count" INTEGER NOT NULL,
    "hidden_count" INTEGER NOT NULL,
    "reaction_count" INTEGER NOT NULL,
    "author_comment_count" INTEGER NOT NULL,
    "commenter_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."paper_discussions" IS 'One captured HTML page of a paper. How much a paper was discussed, over time, in counts alone: no text, name or login of who wrote. Key: capture_id.';
COMMENT ON COLUMN "core"."paper_discussions"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."paper_discussions"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: paper of the page.';
COMMENT ON COLUMN "core"."paper_discussions"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the page was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."paper_discussions"."comment_count" IS 'Comments that are no reply, hidden ones too. Unit: comments. Source: PaperContent of a paper''s page: comments[].';
COMMENT ON COLUMN "core"."paper_discussions"."reply_count" IS 'Replies to comments, at any depth. Unit: comments. Source: PaperContent of a paper''s page: comments[].';
COMMENT ON COLUMN "core"."paper_discussions"."hidden_count" IS 'Comments and replies that are hidden. Unit: comments. Source: PaperContent of a paper''s page: comments[].';
COMMENT ON COLUMN "core"."paper_discussions"."reaction_count" IS 'Reactions to comments and replies. Unit: reactions. Source: count of comments[].data.reactions[].';
COMMENT ON COLUMN "core"."paper_discussions"."author_comment_count" IS 'Comments and replies by accounts that the page names as the paper''s authors. Unit: comments. Source: PaperContent of a paper''s page: comments[].';
COMMENT ON COLUMN "core"."paper_discussions"."commenter_count" IS 'Different accounts that wrote comments or replies. Unit: accounts. Source: PaperContent of a paper''s page: comments[].';

CREATE TABLE "core"."arxiv_records" (
    "capture_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "changed_on" DATE NOT NULL,
    "status" VARCHAR NOT NULL,
    "is_emptied" BOOLEAN,
    "says_withdrawn" BOOLEAN,
    "version_count" INTEGER,
    "title" VARCHAR USING COMPRESSION zstd,
    "categories" VARCHAR[],
    "comments" VARCHAR USING COMPRESSION zstd,
    "journal_ref" VARCHAR USING COMPRESSION zstd,
    "doi" VARCHAR USING COMPRESSION zstd,
    "license_url" VARCHAR USING COMPRESSION zstd,
    "superseded_by" VARCHAR,
    "superseded_start" INTEGER,
    "superseded_end" INTEGER
);
COMMENT ON TABLE "core"."arxiv_records" IS 'One paper''s record in one answer of arXiv. What arXiv said of a paper at a moment: whether it is withdrawn, its comments, journal reference, DOI, categories and licence. Abstracts, authors and the submitter''s name stay in raw. Key: capture_id, paper_id.';
COMMENT ON COLUMN "core"."arxiv_records"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."arxiv_records"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: header.identifier: oai:arXiv.org:ID.';
COMMENT ON COLUMN "core"."arxiv_records"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."arxiv_records"."changed_on" IS 'Day of the last change of the record, administrative ones too. Unit: day. Source: header.datestamp.';
COMMENT ON COLUMN "core"."arxiv_records"."status" IS '`withdrawn` by two signs, `is_emptied` and `says_withdrawn`; `suspected` by one of them; `deleted`, the record is gone; else `present`. Source: computed from the record.';
COMMENT ON COLUMN "core"."arxiv_records"."is_emptied" IS 'Whether the newest version has no bytes (`0kb`) and the source type `I`. arXiv documents neither. Null: arXiv says that the record is deleted, and no more. Source: arXivRaw.version[].size, arXivRaw.version[].source_type.';
COMMENT ON COLUMN "core"."arxiv_records"."says_withdrawn" IS 'Whether the comments begin by saying that this paper is withdrawn. That another one is, which it supersedes, says nothing. Null: arXiv says that the record is deleted, and no more. Source: arXivRaw.comments.';
COMMENT ON COLUMN "core"."arxiv_records"."version_count" IS 'Versions so far. Unit: versions. Null: arXiv says that the record is deleted, and no more. Source: counted.';
COMMENT ON COLUMN "core"."arxiv_records"."title" IS 'Title of the newest version, on one line, LaTeX kept. Null: arXiv says that the record is deleted, and no more. Source: arXivRaw.title.';
COMMENT ON COLUMN "core"."arxiv_records"."categories" IS 'Categories; the first is the primary one. Null: arXiv says that the record is deleted, and no more. Source: arXivRaw.categories.';
COMMENT ON COLUMN "core"."arxiv_records"."comments" IS 'The author''s comments on the newest version; of a withdrawal the reason. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.comments.';
COMMENT ON COLUMN "core"."arxiv_records"."journal_ref" IS 'Where it was published, in the author''s words, which nobody checked. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.journal-ref.';
COMMENT ON COLUMN "core"."arxiv_records"."doi" IS 'DOI of the published version, as the author gave it, unchecked. It may be several, with spaces. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.doi.';
COMMENT ON COLUMN "core"."arxiv_records"."license_url" IS 'Licence of the paper, its address: not of this record, which is CC0. Null: none stated, as of old papers, or arXiv says that the record is deleted, and no more. Source: arXivRaw.license.';
COMMENT ON COLUMN "core"."arxiv_records"."superseded_by" IS 'Another paper that the comments of a withdrawn one name after `superseded by`, `now part of` or `see`: a claim of the author. Null: not withdrawn, or no such words. Source: arXivRaw.comments.';
COMMENT ON COLUMN "core"."arxiv_records"."superseded_start" IS 'Where these words begin in `comments`. Unit: code points, from 0. Null: no `superseded_by`. Source: computed from `comments`.';
COMMENT ON COLUMN "core"."arxiv_records"."superseded_end" IS 'Where they end: comments[superseded_start:superseded_end] are the words with the id. Unit: code points, from 0. Null: no `superseded_by`. Source: computed from `comments`.';

CREATE TABLE "core"."arxiv_versions" (
    "capture_id" VARCHAR NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "version_number" INTEGER NOT NULL,
    "observed_at" TIMESTAMP,
    "version_at" TIMESTAMP NOT NULL,
    "size_kb" INTEGER NOT NULL,
    "source_type" VARCHAR
);
COMMENT ON TABLE "core"."arxiv_versions" IS 'One version of a paper in one answer of arXiv. When each version of a paper was submitted, and how large it is. Key: capture_id, paper_id, version_number.';
COMMENT ON COLUMN "core"."arxiv_versions"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."arxiv_versions"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: header.identifier: oai:arXiv.org:ID.';
COMMENT ON COLUMN "core"."arxiv_versions"."version_number" IS 'Number of the version. Unit: number, from 1. Source: arXivRaw.version[]@version.';
COMMENT ON COLUMN "core"."arxiv_versions"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."arxiv_versions"."version_at" IS 'When the version was submitted. Unit: UTC. Source: arXivRaw.version[].date.';
COMMENT ON COLUMN "core"."arxiv_versions"."size_kb" IS 'Size of its source, as stated. Unit: kB. Source: arXivRaw.version[].size.';
COMMENT ON COLUMN "core"."arxiv_versions"."source_type" IS 'Flags of its source; `I` of a version without bytes is seen where a paper is withdrawn. Null: not stated. Source: arXivRaw.version[].source_type.';

CREATE TABLE "core"."arxiv_looks" (
    "capture_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "asked" VARCHAR NOT NULL,
    "paper_id" VARCHAR,
    "from_on" DATE,
    "token" VARCHAR USING COMPRESSION zstd,
    "next_token" VARCHAR USING COMPRESSION zstd,
    "responded_at" TIMESTAMP NOT NULL,
    "answer" VARCHAR NOT NULL,
    "record_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."arxiv_looks" IS 'One answer of arXiv that could be read. What arXiv was asked, and whether more follows: the pages of a harvest of changes, or one paper. Key: capture_id.';
COMMENT ON COLUMN "core"."arxiv_looks"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."arxiv_looks"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."arxiv_looks"."asked" IS 'A `paper`, or the `changes` since a day, page by page. Source: verb of the request.';
COMMENT ON COLUMN "core"."arxiv_looks"."paper_id" IS 'The paper that was asked for. Null: changes were asked for. Source: identifier=.';
COMMENT ON COLUMN "core"."arxiv_looks"."from_on" IS 'Day from which on changes were asked for. Unit: day. Null: a paper, or a further page, which has a token. Source: from= of the request.';
COMMENT ON COLUMN "core"."arxiv_looks"."token" IS 'The token by which a further page was asked for. Null: a paper, or a first page. Source: resumptionToken= of the request.';
COMMENT ON COLUMN "core"."arxiv_looks"."next_token" IS 'The token of the page that follows. Null: nothing follows. Source: resumptionToken.';
COMMENT ON COLUMN "core"."arxiv_looks"."responded_at" IS 'When arXiv answered, by its own clock. Unit: UTC. Source: responseDate.';
COMMENT ON COLUMN "core"."arxiv_looks"."answer" IS '`records`; `none`, nothing changed; `unknown`, arXiv does not know the paper. Source: error@code.';
COMMENT ON COLUMN "core"."arxiv_looks"."record_count" IS 'Records of the answer that could be read. Unit: records. Source: counted.';

CREATE TABLE "core"."arxiv_changes" (
    "capture_id" VARCHAR NOT NULL,
    "changed_on" DATE NOT NULL,
    "record_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."arxiv_changes" IS 'One day on one page of a harvest. How many records of arXiv, of all its papers, changed last on a day, as a harvest lists them. Key: capture_id, changed_on.';
COMMENT ON COLUMN "core"."arxiv_changes"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."arxiv_changes"."changed_on" IS 'Day of the change. Unit: day. Source: header.datestamp.';
COMMENT ON COLUMN "core"."arxiv_changes"."record_count" IS 'Records that the page lists. Unit: records. Source: counted.';

CREATE TABLE "core"."published_works" (
    "capture_id" VARCHAR NOT NULL,
    "registry" VARCHAR NOT NULL,
    "doi" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "answer" VARCHAR NOT NULL,
    "work_type" VARCHAR,
    "title" VARCHAR USING COMPRESSION zstd,
    "venue" VARCHAR USING COMPRESSION zstd,
    "publisher" VARCHAR USING COMPRESSION zstd,
    "published" VARCHAR,
    "volume" VARCHAR,
    "issue" VARCHAR,
    "pages" VARCHAR,
    "bibtex_fields" VARCHAR
);
COMMENT ON TABLE "core"."published_works" IS 'One work in one answer of a registry. What Crossref or OpenAlex says of a work that a paper may be published as: where, when, and what kind of work it is. Authors, editors and references stay in raw. Key: capture_id, doi.';
COMMENT ON COLUMN "core"."published_works"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."published_works"."registry" IS 'Whose record it is. Source: address of the request.';
COMMENT ON COLUMN "core"."published_works"."doi" IS 'DOI of the work, in lower case. A work without one that OpenAlex finds as a paper at arXiv has the DOI of arXiv''s. Source: address of the request, doi.';
COMMENT ON COLUMN "core"."published_works"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."published_works"."answer" IS '`known`; `unknown`, the registry has no such DOI. Source: status of the answer; whether it is in the list.';
COMMENT ON COLUMN "core"."published_works"."work_type" IS 'Kind of work, in Crossref''s words: `journal-article`, `proceedings-article`, `posted-content` of a preprint, and others. What OpenAlex calls otherwise by its type and its source''s is told as these. Null: not stated, or `unknown`. Source: message.type; type, primary_location.source.type.';
COMMENT ON COLUMN "core"."published_works"."title" IS 'Title on one line, markup as the registry has it. Null: not stated, or `unknown`. Source: message.title; title.';
COMMENT ON COLUMN "core"."published_works"."venue" IS 'Journal, proceedings or book. Null: not stated, or `unknown`. Source: message.container-title; primary_location.source.';
COMMENT ON COLUMN "core"."published_works"."publisher" IS 'Publisher. Null: not stated, or `unknown`. Source: message.publisher; primary_location.source.';
COMMENT ON COLUMN "core"."published_works"."published" IS 'Year, month or day of publication, as far as it is stated: `2026`, `2026-03`, `2026-03-09`. Null: not stated, or `unknown`. Source: message.published, else message.issued; publication_date, the year if 1 January.';
COMMENT ON COLUMN "core"."published_works"."volume" IS 'Volume. Null: not stated, or `unknown`. Source: message.volume; biblio.';
COMMENT ON COLUMN "core"."published_works"."issue" IS 'Issue. Null: not stated, or `unknown`. Source: message.issue; biblio.';
COMMENT ON COLUMN "core"."published_works"."pages" IS 'Pages. Null: not stated, or `unknown`. Source: message.page; biblio.';
COMMENT ON COLUMN "core"."published_works"."bibtex_fields" IS 'What an entry for BibTeX has of it, in TeX, a line a field; its first line is the type of entry. Null: `unknown`, or no kind of work that has an entry of its own. Source: computed from the record.';

CREATE TABLE "core"."work_relations" (
    "capture_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "registry" VARCHAR NOT NULL,
    "doi" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "relation" VARCHAR NOT NULL,
    "other_doi" VARCHAR,
    "arxiv_id" VARCHAR,
    "update_type" VARCHAR,
    "asserted_by" VARCHAR,
    "stated_on" DATE
);
COMMENT ON TABLE "core"."work_relations" IS 'One relation or update that one answer of a registry states. Of which work another is the preprint; which work corrects or retracts another, from both ends. Key: capture_id, position.';
COMMENT ON COLUMN "core"."work_relations"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."work_relations"."position" IS 'Place among those of the answer. Unit: place, from 1. Source: order in the answer.';
COMMENT ON COLUMN "core"."work_relations"."registry" IS 'Whose record it is. Source: address of the request.';
COMMENT ON COLUMN "core"."work_relations"."doi" IS 'DOI of the work whose record states it, in lower case. Source: address of the request, doi.';
COMMENT ON COLUMN "core"."work_relations"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."work_relations"."relation" IS '`has-preprint` and `is-preprint-of`; `update-to`, this work updates the other, as a notice does; `updated-by`, the other updates this one. Source: message.relation, message.update-to, message.updated-by; locations, is_retracted.';
COMMENT ON COLUMN "core"."work_relations"."other_doi" IS 'DOI of the other work. Null: an arXiv id in its place, or OpenAlex, which names no notice. Source: id, DOI.';
COMMENT ON COLUMN "core"."work_relations"."arxiv_id" IS 'The other work, where it is a paper at arXiv, without version. Null: it is none. Source: id, of the type `arxiv`, or in a DOI of arXiv''s; id or address of a location at arXiv.';
COMMENT ON COLUMN "core"."work_relations"."update_type" IS 'Kind of update, in the registry''s words: `retraction`, `correction`, `expression_of_concern` … Null: no update. Source: type.';
COMMENT ON COLUMN "core"."work_relations"."asserted_by" IS 'Of an update `publisher` or `retraction-watch`; of a preprint whether the publisher of this work (`subject`) or of the other one (`object`) says so. Null: not stated. Source: source, asserted-by.';
COMMENT ON COLUMN "core"."work_relations"."stated_on" IS 'Day of the update. Unit: day. Null: none stated. Source: updated.';

CREATE TABLE "core"."star_weeks" (
    "capture_id" VARCHAR NOT NULL,
    "repository" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP,
    "starts_at" TIMESTAMP NOT NULL,
    "gained_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."star_weeks" IS 'One week of a repository in one answer of GitHub. How many stars a repository gained in a week, of those that were still held when GitHub was asked: its own history, beside the counts that the Hub showed. A star that was taken back is in no week. Key: capture_id, starts_at.';
COMMENT ON COLUMN "core"."star_weeks"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."star_weeks"."repository" IS '`owner/name` on GitHub, in lower case, as it was asked for. Source: address of the request.';
COMMENT ON COLUMN "core"."star_weeks"."observed_at" IS 'When the page was fetched. Unit: UTC. Null: the answer was saved without its fetch time. Source: fetch time of the capture.';
COMMENT ON COLUMN "core"."star_weeks"."starts_at" IS 'When the week began. Not all begin at the same hour. Unit: UTC. Source: week.';
COMMENT ON COLUMN "core"."star_weeks"."gained_count" IS 'Stars of the week that were still held at the answer; of a week that is not over, until then. Unit: stars. Source: total, which is the sum of days.';

CREATE TABLE "core"."paper_systems" (
    "paper_id" VARCHAR NOT NULL,
    "name" VARCHAR USING COMPRESSION zstd NOT NULL,
    "kind" VARCHAR,
    "field" VARCHAR NOT NULL,
    "span_start" INTEGER NOT NULL,
    "span_end" INTEGER NOT NULL,
    "rule" VARCHAR NOT NULL,
    "text_sha256" VARCHAR NOT NULL,
    "extractor_version" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_systems" IS 'One paper that gives its main work a name. The name of what a paper built, as the span of its title or abstract. Read by plain rules, no model; a null beats a guess. A paper without a row names nothing, or nothing that the rules see. Key: paper_id.';
COMMENT ON COLUMN "core"."paper_systems"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_systems"."name" IS 'The name, letter by letter as the text has it. Source: papers.title, or paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_systems"."kind" IS 'What the words beside the name call it (`framework`, `pipeline`: method; `engine`: system; …). Null: the words beside it do not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_systems"."field" IS 'Which text the span lies in: `papers.title`, if the name stands there, else `paper_texts.abstract`, at its first place. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_systems"."span_start" IS 'Where the name begins in the text. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_systems"."span_end" IS 'Where it ends: text[span_start:span_end] is the name. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_systems"."rule" IS 'The rule that proposed the name first: it heads the `title`; `introduced`: we introduce X; `described`: we propose a framework, X, that; `called`: which we call X; `abbreviated`: Full Name (FN); `ours`: our method X; `defined`: X is a library. Source: the extractor.';
COMMENT ON COLUMN "core"."paper_systems"."text_sha256" IS 'SHA-256 of the text, in UTF-8, that the span lies in: it shows which version of the text was read. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_systems"."extractor_version" IS 'Version of the rules that read it, the same in all rows of a release. It goes up with every change that could read a text differently, and then every text is read again. Source: the extractor.';
COMMENT ON COLUMN "core"."paper_systems"."capture_id" IS 'The page that shows the text. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_claims" (
    "paper_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "text" VARCHAR USING COMPRESSION zstd NOT NULL,
    "span_start" INTEGER NOT NULL,
    "span_end" INTEGER NOT NULL,
    "sentence_start" INTEGER NOT NULL,
    "sentence_end" INTEGER NOT NULL,
    "value" DOUBLE NOT NULL,
    "value_high" DOUBLE,
    "unit" VARCHAR NOT NULL,
    "scale" VARCHAR NOT NULL,
    "role" VARCHAR NOT NULL,
    "is_own" BOOLEAN NOT NULL,
    "change_kind" VARCHAR,
    "baseline_position" INTEGER,
    "metric" VARCHAR,
    "metric_text" VARCHAR,
    "metric_start" INTEGER,
    "metric_name" VARCHAR,
    "polarity" VARCHAR,
    "direction" VARCHAR,
    "bound" VARCHAR,
    "comparator" VARCHAR,
    "comparator_start" INTEGER,
    "benchmark" VARCHAR,
    "benchmark_start" INTEGER,
    "benchmark_name" VARCHAR,
    "split" VARCHAR,
    "split_start" INTEGER,
    "split_name" VARCHAR,
    "rule" VARCHAR NOT NULL,
    "text_sha256" VARCHAR NOT NULL,
    "extractor_version" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."paper_claims" IS 'One number of one abstract that reports a result of the paper. What papers say they reached: each number with its exact words, unit, metric, direction, bound and what it is compared with. Read by plain rules, no model; a null beats a guess. They are claims of the authors: nothing here says that they hold. An abstract without a row claims no number, or none that the rules see. Key: paper_id, position.';
COMMENT ON COLUMN "core"."paper_claims"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_claims"."position" IS 'Place among the paper''s claims, in the order of the abstract. Unit: place, from 1. Source: counted.';
COMMENT ON COLUMN "core"."paper_claims"."text" IS 'The number with its unit, letter by letter as the abstract has it, LaTeX too; a range is one. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_claims"."span_start" IS 'Where the text begins in `paper_texts.abstract`. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."span_end" IS 'Where it ends: abstract[span_start:span_end] is the text. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."sentence_start" IS 'Where its sentence begins in the abstract. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."sentence_end" IS 'Where its sentence ends. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."value" IS 'The number as written, not converted: of `two minutes` 2, of `3.5 GB` 3.5. Words are counted: of `three orders of magnitude` 1000, of `1 million` 1000000, of `halves` 2. Of a range its first number. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."value_high" IS 'The second number of a range. Null: no range. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."unit" IS 'Kind of unit: `x` times; `%` a share, or a change of one; `points`; `s` any time and `B` any amount of memory, whose scale only the text has; `count` of the noun in the text; `score` a bare number. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."scale" IS 'How the number is written: `percent`, also points of it; `fraction` a bare decimal from 0 to 1; `factor`; `count`; `plain` any other. Numbers of two scales are never compared. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."role" IS '`result` what is reached, `change` how much it rose or fell, `baseline` what it is set against: in `from 42.3 to 51.0` the first number, and numbers of other work. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."is_own" IS 'Whether the number is of what the paper builds or finds; not of other work, or an earlier state. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."change_kind" IS 'Of a change: `factor`; `absolute` in units of what changed; `relative` to what it was before. Null: no change, or the sentence does not say: a score that rises by 5 % may rise by 5 points. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."baseline_position" IS 'The claim of the paper, by its `position`, that gives the number before: 42.3 in `from 42.3 to 51.0`. Unit: place, from 1. Null: the sentence gives none. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."metric" IS 'What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."metric_text" IS 'The words that name what is measured, letter by letter. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_claims"."metric_start" IS 'Where they begin in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."metric_name" IS 'The metric by its usual name; `pass@1` is another than `pass@16`, reconstruction FID than FID. Null: the words name none that is declared: node accuracy is no accuracy. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."polarity" IS 'Whether `more` of the metric is better, or `less`. Null: nobody can say: `other`, or no metric. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."direction" IS '`up` or `down`: how much it rose or fell; `level`: where it stands. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."bound" IS 'How the sentence bounds the number: over and more than are `at least`, nearly is `about`. Null: the sentence does not bound it. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."comparator" IS 'What it is compared with, letter by letter as the abstract has it. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_claims"."comparator_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."benchmark" IS 'The benchmark or dataset it was measured on, letter by letter as the abstract has it, with its year or version. Null: the sentence names none, or several for one number. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_claims"."benchmark_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."benchmark_name" IS 'The benchmark by its usual name, if the number is a score on it. Null: none, one that is not declared, or a number that is a share of something else. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."split" IS 'The split of the benchmark, or the part of it, letter by letter as the abstract has it. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_claims"."split_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."split_name" IS 'The split by its usual name. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."paper_claims"."rule" IS 'The rule that took the number for a result: by how it is written (`multiple` 1.75x, `orders` of magnitude, `worded` twice, `percent`, `points`, `rate`, `time`, `bytes`, `level` dB, `fraction` 7 of 7, `count`), or what stands beside it (`factor` of 6, `score` AUC 0.96). Source: the extractor.';
COMMENT ON COLUMN "core"."paper_claims"."text_sha256" IS 'SHA-256 of the text, in UTF-8, that the span lies in: it shows which version of the text was read. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_claims"."extractor_version" IS 'Version of the rules that read it, the same in all rows of a release. It goes up with every change that could read a text differently, and then every text is read again. Source: the extractor.';
COMMENT ON COLUMN "core"."paper_claims"."capture_id" IS 'The page that shows the text. Source: computed when the page is landed.';

CREATE TABLE "core"."version_claims" (
    "paper_id" VARCHAR NOT NULL,
    "version_number" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "text" VARCHAR USING COMPRESSION zstd NOT NULL,
    "span_start" INTEGER NOT NULL,
    "span_end" INTEGER NOT NULL,
    "sentence_start" INTEGER NOT NULL,
    "sentence_end" INTEGER NOT NULL,
    "value" DOUBLE NOT NULL,
    "value_high" DOUBLE,
    "unit" VARCHAR NOT NULL,
    "scale" VARCHAR NOT NULL,
    "role" VARCHAR NOT NULL,
    "is_own" BOOLEAN NOT NULL,
    "change_kind" VARCHAR,
    "baseline_position" INTEGER,
    "metric" VARCHAR,
    "metric_text" VARCHAR,
    "metric_start" INTEGER,
    "metric_name" VARCHAR,
    "polarity" VARCHAR,
    "direction" VARCHAR,
    "bound" VARCHAR,
    "comparator" VARCHAR,
    "comparator_start" INTEGER,
    "benchmark" VARCHAR,
    "benchmark_start" INTEGER,
    "benchmark_name" VARCHAR,
    "split" VARCHAR,
    "split_start" INTEGER,
    "split_name" VARCHAR,
    "rule" VARCHAR NOT NULL,
    "text_sha256" VARCHAR NOT NULL,
    "extractor_version" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."version_claims" IS 'One number of one version of an abstract that changed. What papers said they reached in each version of their abstract: a number that came later, or went. Spans lie in the text of the version. What a paper claims whose abstract never changed is in `paper_claims` alone. Key: paper_id, version_number, position.';
COMMENT ON COLUMN "core"."version_claims"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."version_claims"."version_number" IS 'The version, as in `paper_versions`. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "core"."version_claims"."position" IS 'Place among the paper''s claims, in the order of the abstract. Unit: place, from 1. Source: counted.';
COMMENT ON COLUMN "core"."version_claims"."text" IS 'The number with its unit, letter by letter as the abstract has it, LaTeX too; a range is one. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."version_claims"."span_start" IS 'Where the text begins in `paper_texts.abstract`. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."span_end" IS 'Where it ends: abstract[span_start:span_end] is the text. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."sentence_start" IS 'Where its sentence begins in the abstract. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."sentence_end" IS 'Where its sentence ends. Unit: code points, from 0. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."value" IS 'The number as written, not converted: of `two minutes` 2, of `3.5 GB` 3.5. Words are counted: of `three orders of magnitude` 1000, of `1 million` 1000000, of `halves` 2. Of a range its first number. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."value_high" IS 'The second number of a range. Null: no range. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."unit" IS 'Kind of unit: `x` times; `%` a share, or a change of one; `points`; `s` any time and `B` any amount of memory, whose scale only the text has; `count` of the noun in the text; `score` a bare number. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."scale" IS 'How the number is written: `percent`, also points of it; `fraction` a bare decimal from 0 to 1; `factor`; `count`; `plain` any other. Numbers of two scales are never compared. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."role" IS '`result` what is reached, `change` how much it rose or fell, `baseline` what it is set against: in `from 42.3 to 51.0` the first number, and numbers of other work. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."is_own" IS 'Whether the number is of what the paper builds or finds; not of other work, or an earlier state. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."change_kind" IS 'Of a change: `factor`; `absolute` in units of what changed; `relative` to what it was before. Null: no change, or the sentence does not say: a score that rises by 5 % may rise by 5 points. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."baseline_position" IS 'The claim of the paper, by its `position`, that gives the number before: 42.3 in `from 42.3 to 51.0`. Unit: place, from 1. Null: the sentence gives none. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."metric" IS 'What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."metric_text" IS 'The words that name what is measured, letter by letter. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."version_claims"."metric_start" IS 'Where they begin in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."metric_name" IS 'The metric by its usual name; `pass@1` is another than `pass@16`, reconstruction FID than FID. Null: the words name none that is declared: node accuracy is no accuracy. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."polarity" IS 'Whether `more` of the metric is better, or `less`. Null: nobody can say: `other`, or no metric. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."direction" IS '`up` or `down`: how much it rose or fell; `level`: where it stands. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."bound" IS 'How the sentence bounds the number: over and more than are `at least`, nearly is `about`. Null: the sentence does not bound it. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."comparator" IS 'What it is compared with, letter by letter as the abstract has it. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."version_claims"."comparator_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."benchmark" IS 'The benchmark or dataset it was measured on, letter by letter as the abstract has it, with its year or version. Null: the sentence names none, or several for one number. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."version_claims"."benchmark_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."benchmark_name" IS 'The benchmark by its usual name, if the number is a score on it. Null: none, one that is not declared, or a number that is a share of something else. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."split" IS 'The split of the benchmark, or the part of it, letter by letter as the abstract has it. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "core"."version_claims"."split_start" IS 'Where that begins in the abstract. Unit: code points, from 0. Null: the sentence does not say. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."split_name" IS 'The split by its usual name. Null: the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "core"."version_claims"."rule" IS 'The rule that took the number for a result: by how it is written (`multiple` 1.75x, `orders` of magnitude, `worded` twice, `percent`, `points`, `rate`, `time`, `bytes`, `level` dB, `fraction` 7 of 7, `count`), or what stands beside it (`factor` of 6, `score` AUC 0.96). Source: the extractor.';
COMMENT ON COLUMN "core"."version_claims"."text_sha256" IS 'SHA-256 of the text, in UTF-8, that the span lies in: it shows which version of the text was read. Source: computed from the text.';
COMMENT ON COLUMN "core"."version_claims"."extractor_version" IS 'Version of the rules that read it, the same in all rows of a release. It goes up with every change that could read a text differently, and then every text is read again. Source: the extractor.';
COMMENT ON COLUMN "core"."version_claims"."capture_id" IS 'The page that shows the text. Source: computed when the page is landed.';

CREATE TABLE "core"."paper_acronyms" (
    "paper_id" VARCHAR NOT NULL,
    "acronym" VARCHAR NOT NULL,
    "long_form" VARCHAR USING COMPRESSION zstd NOT NULL,
    "term" VARCHAR NOT NULL,
    "form_terms" VARCHAR USING COMPRESSION zstd NOT NULL
);
COMMENT ON TABLE "core"."paper_acronyms" IS 'One acronym that a title or an abstract explains, with one meaning. What acronyms stand for, in the words of each paper: `Group Relative Policy Optimization (GRPO)`, `LoRA (Low-Rank Adaptation)`. Read by a plain rule (Schwartz and Hearst''s): the letters of the one stand in order in the words of the other. Key: paper_id, term, form_terms.';
COMMENT ON COLUMN "core"."paper_acronyms"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."paper_acronyms"."acronym" IS 'The acronym as the text has it, in the singular. Source: papers.title, paper_texts.abstract.';
COMMENT ON COLUMN "core"."paper_acronyms"."long_form" IS 'What it stands for, in lower case, without accents. Source: computed from the text.';
COMMENT ON COLUMN "core"."paper_acronyms"."term" IS 'The acronym''s term: how a search has it. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."paper_acronyms"."form_terms" IS 'The terms of the long form in their order, with a space between; function words are left out. Source: computed from the words of titles and abstracts.';

CREATE TABLE "core"."search_words" (
    "word" VARCHAR NOT NULL,
    "term" VARCHAR,
    "paper_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."search_words" IS 'One word of a title or an abstract. Which term stands for which word: in lower case, without accents; of a hyphenated word its parts and all of them joined. Words of more than 64 characters are left out. Key: word.';
COMMENT ON COLUMN "core"."search_words"."word" IS 'The word. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."search_words"."term" IS 'What all forms of a word share: American spelling, then the stem that Snowball gives for English. Null: a function word, which every text has: nothing is found by it. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."search_words"."paper_count" IS 'Number of papers that have it. Unit: papers. Source: counted.';

CREATE TABLE "core"."search_terms" (
    "term" VARCHAR NOT NULL,
    "paper_count" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."search_terms" IS 'One term. In how many papers a term is. Which ones is in `search_lists`, how rare that makes it in `search_rarities`; `search_postings` has its weights, one row per paper. Key: term.';
COMMENT ON COLUMN "core"."search_terms"."term" IS 'What all forms of a word share: American spelling, then the stem that Snowball gives for English. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."search_terms"."paper_count" IS 'Number of papers that have it. Unit: papers. Source: counted.';

CREATE TABLE "core"."search_rarities" (
    "paper_count" INTEGER NOT NULL,
    "rarity" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."search_rarities" IS 'One number of papers that a term is in. How rare a term is: BM25 of a paper is the sum of rarity times weight over the terms of a query. Key: paper_count.';
COMMENT ON COLUMN "core"."search_rarities"."paper_count" IS 'Number of papers that have it. Unit: papers. Source: counted.';
COMMENT ON COLUMN "core"."search_rarities"."rarity" IS 'Inverse document frequency: ln(1 + (N - n + 1/2) / (n + 1/2)) of N papers, n of which have it. Unit: 1/1024. Source: computed.';

CREATE TABLE "core"."search_lists" (
    "cohort" VARCHAR NOT NULL,
    "term" VARCHAR NOT NULL,
    "places" INTEGER[] NOT NULL,
    "counts" TINYINT[] NOT NULL
);
COMMENT ON TABLE "core"."search_lists" IS 'One term in the papers of one cohort. Which papers have a term, and how often. What is new changes the lists of its own cohorts alone. Key: cohort, term.';
COMMENT ON COLUMN "core"."search_lists"."cohort" IS 'Month of the paper''s arXiv id; of a paper without one `titles-` and the first digit of its id''s hash. Source: computed from the paper''s id.';
COMMENT ON COLUMN "core"."search_lists"."term" IS 'What all forms of a word share: American spelling, then the stem that Snowball gives for English. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."search_lists"."places" IS 'The papers that have it, by their places in the cohort, in order. Source: counted.';
COMMENT ON COLUMN "core"."search_lists"."counts" IS 'How often each of them has it, its title''s words twice; 127 at most. Source: counted.';

CREATE TABLE "core"."search_basis" (
    "term" VARCHAR NOT NULL,
    "is_common" BOOLEAN NOT NULL,
    "scale" INTEGER NOT NULL,
    "vector" TINYINT[] NOT NULL
);
COMMENT ON TABLE "core"."search_basis" IS 'One term that has a meaning. What terms mean: 256 integers each, by latent semantic analysis of titles and abstracts. The basis is frozen: it comes with paperlake, and is here for the terms of the release. Key: term.';
COMMENT ON COLUMN "core"."search_basis"."term" IS 'What all forms of a word share: American spelling, then the stem that Snowball gives for English. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "core"."search_basis"."is_common" IS 'Whether more than one of 50 papers had it when the basis was frozen: it does not make two papers alike, as any other term does. Source: the basis of lsa256.4.';
COMMENT ON COLUMN "core"."search_basis"."scale" IS 'How much the term counts: what the values are to be multiplied by. Source: the basis of lsa256.4.';
COMMENT ON COLUMN "core"."search_basis"."vector" IS '256 values from -7 to 7. Source: the basis of lsa256.4.';

CREATE TABLE "core"."search_vectors" (
    "paper_id" VARCHAR NOT NULL,
    "cohort" VARCHAR NOT NULL,
    "place" INTEGER NOT NULL,
    "text_sha256" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "length" INTEGER NOT NULL,
    "square" INTEGER NOT NULL,
    "vector" TINYINT[] NOT NULL
);
COMMENT ON TABLE "core"."search_vectors" IS 'One paper. What a paper is about, as a vector: papers are alike as far as their vectors point the same way. Key: paper_id.';
COMMENT ON COLUMN "core"."search_vectors"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."search_vectors"."cohort" IS 'Month of the paper''s arXiv id; of a paper without one `titles-` and the first digit of its id''s hash. Source: computed from the paper''s id.';
COMMENT ON COLUMN "core"."search_vectors"."place" IS 'Place of the paper among all papers of its cohort in the order of their ids: `search_lists` names papers by cohort and place. Unit: place, from 0. Source: counted.';
COMMENT ON COLUMN "core"."search_vectors"."text_sha256" IS 'First 16 digits of the SHA-256 of the title, a line feed and the abstract, in UTF-8; of the title alone where there is no abstract. For a text that a release has already nothing is computed again. Source: computed from the text.';
COMMENT ON COLUMN "core"."search_vectors"."model" IS 'Version of the rules and of the basis, the same in all rows of a release. Source: paperlake.';
COMMENT ON COLUMN "core"."search_vectors"."length" IS 'How many words it has, function words aside; those of the title count twice. Unit: words. Source: counted.';
COMMENT ON COLUMN "core"."search_vectors"."square" IS 'Sum of the squares of the vector''s values; 0 where no term of the paper has a meaning. Source: computed.';
COMMENT ON COLUMN "core"."search_vectors"."vector" IS '256 values from -31 to 31: the sum over the paper''s terms of their vectors in `search_basis`, by how often each is there. Source: computed from the text.';

CREATE TABLE "core"."search_embeddings" (
    "paper_id" VARCHAR NOT NULL,
    "text_sha256" VARCHAR NOT NULL,
    "model" VARCHAR NOT NULL,
    "square" INTEGER NOT NULL,
    "vector" TINYINT[] NOT NULL
);
COMMENT ON TABLE "core"."search_embeddings" IS 'One paper, where the lake asks for a language model; else there is none. What a paper is about, as a language model has it. `paperlake search` with the same model ranks by it too; the macros do without. Key: paper_id.';
COMMENT ON COLUMN "core"."search_embeddings"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."search_embeddings"."text_sha256" IS 'First 16 digits of the SHA-256 of the title, a line feed and the abstract, in UTF-8; of the title alone where there is no abstract. For a text that a release has already nothing is computed again. Source: computed from the text.';
COMMENT ON COLUMN "core"."search_embeddings"."model" IS 'Name of the model and version of the rules, the same in all rows of a release. Source: paperlake.';
COMMENT ON COLUMN "core"."search_embeddings"."square" IS 'Sum of the squares of the vector''s values; 0 where no term of the paper has a meaning. Source: computed.';
COMMENT ON COLUMN "core"."search_embeddings"."vector" IS '384 values from -127 to 127: the mean of what the model makes of the first pieces of title and abstract, rounded. Its length means nothing. Source: computed from the text by all-MiniLM-L6-v2.';

CREATE TABLE "core"."similar_papers" (
    "paper_id" VARCHAR NOT NULL,
    "rank" INTEGER NOT NULL,
    "other_paper_id" VARCHAR NOT NULL,
    "score" INTEGER NOT NULL
);
COMMENT ON TABLE "core"."similar_papers" IS 'One paper and one of those most like it. The papers most like each, 20 at most, by their vectors and the rare words that both have. `similar_to` has them with titles and reasons. Key: paper_id, rank.';
COMMENT ON COLUMN "core"."similar_papers"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."similar_papers"."rank" IS 'Place by score; of equal scores the lower id comes first. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "core"."similar_papers"."other_paper_id" IS 'The paper that is like it; never the paper itself. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."similar_papers"."score" IS '0.7 of the cosine of the two vectors (of the mean, where each has two), and 0.3 times n / (n + 6) for n terms that both have and `search_basis` does not call common, each rounded down. Unit: 1/10000. Source: computed.';

CREATE TABLE "core"."conflicts" (
    "paper_id" VARCHAR NOT NULL,
    "field" VARCHAR NOT NULL,
    "value" VARCHAR USING COMPRESSION zstd NOT NULL,
    "is_winner" BOOLEAN NOT NULL,
    "is_same_content" BOOLEAN NOT NULL,
    "rule" VARCHAR,
    "source" VARCHAR NOT NULL,
    "place" VARCHAR NOT NULL,
    "basis" VARCHAR,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "sighting_count" INTEGER NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."conflicts" IS 'One value of one field of one paper, where sources or places in one answer disagree. What they disagree on, which value won, by which rule. Of each place (a source, the inner or the outer object of an answer, a day stated or inferred) only the latest value is compared, of the outer object the latest that differed; what the winning place itself said at another time is a revision and no conflict. Counts are never in conflict: they change. Key: paper_id, field, value.';
COMMENT ON COLUMN "core"."conflicts"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "core"."conflicts"."field" IS 'The field, as `papers` or `daily_listings` names it. Source: the column of sightings.';
COMMENT ON COLUMN "core"."conflicts"."value" IS 'The value as text; days and instants in ISO form. Source: the sightings.';
COMMENT ON COLUMN "core"."conflicts"."is_winner" IS 'Whether it won: `papers` has it, or `daily_listings` where it is a submitter. Source: computed by the precedence of sources.';
COMMENT ON COLUMN "core"."conflicts"."is_same_content" IS 'Whether it is the same as the winner apart from case, punctuation, whitespace, LaTeX markup and the name of the Hub''s host. Source: computed.';
COMMENT ON COLUMN "core"."conflicts"."rule" IS 'By which rule the winner beats the value: `stated`: a day that was stated before one whose year was inferred, and that before one that the arXiv id contradicts; `source`: a more trusted source before a less trusted one (api before html before text before copy); `inner`: the value in `paper` before the one around it in the same answer; `own_list`: the day''s own list before another answer that names the day; `latest`: what was seen last, then the more trusted source; a page of unknown fetch time counts as the earliest. Null: the value is the winner. Source: computed by the precedence of sources.';
COMMENT ON COLUMN "core"."conflicts"."source" IS 'The most trusted kind of page that says so last. Source: source of the sightings.';
COMMENT ON COLUMN "core"."conflicts"."place" IS 'Where the page says so: in the `inner` object (`paper`) or the `outer` one around it. Source: computed by the reader.';
COMMENT ON COLUMN "core"."conflicts"."basis" IS 'How far a day holds, as `published_basis` says of it. Null: the field is not a day. Source: computed by the reader, and from the arXiv id.';
COMMENT ON COLUMN "core"."conflicts"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "core"."conflicts"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "core"."conflicts"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "core"."conflicts"."capture_id" IS 'The last page that showed the value. Source: computed when the page is landed.';

CREATE TABLE "core"."corrections" (
    "table_name" VARCHAR NOT NULL,
    "row_key" VARCHAR USING COMPRESSION zstd NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "column_name" VARCHAR NOT NULL,
    "value_seen" VARCHAR USING COMPRESSION zstd,
    "value_right" VARCHAR USING COMPRESSION zstd,
    "reason" VARCHAR USING COMPRESSION zstd NOT NULL,
    "evidence" VARCHAR USING COMPRESSION zstd NOT NULL,
    "reported_on" DATE,
    "reported_to" VARCHAR USING COMPRESSION zstd,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."corrections" IS 'One value that the source has wrong, and that is set right in this release. What the source says and what is right, why, by which evidence, and to whom it was reported. The tables have the value that is right, and so has what is made of them; `sightings` and the pages have the one seen. Key: table_name, row_key, column_name.';
COMMENT ON COLUMN "core"."corrections"."table_name" IS 'Table of the value. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."row_key" IS 'The row''s key as JSON: its columns in order, every value as text. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."column_name" IS 'Column of the value. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."value_seen" IS 'What the source says, as text; days and instants in ISO form. Null: the source has no value. Source: the table before it was corrected.';
COMMENT ON COLUMN "core"."corrections"."value_right" IS 'What the table has in its place, as text. Null: no value is right. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."reason" IS 'Why the value seen is wrong. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."evidence" IS 'Where the value that is right is from. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."reported_on" IS 'When it was reported to the source. Unit: day. Null: not reported. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."reported_to" IS 'To whom it was reported. Null: not reported. Source: `corrections.yaml` of who runs the lake.';
COMMENT ON COLUMN "core"."corrections"."capture_id" IS 'The last page with the value seen; where there is none, the last with the row. Source: computed when the page is landed.';

CREATE TABLE "core"."coverage" (
    "source" VARCHAR NOT NULL,
    "listed_on" DATE NOT NULL,
    "is_expected" BOOLEAN NOT NULL,
    "state" VARCHAR NOT NULL,
    "reason" VARCHAR USING COMPRESSION zstd,
    "fetch_count" INTEGER NOT NULL,
    "failure_count" INTEGER NOT NULL,
    "item_count" INTEGER,
    "paper_count" INTEGER,
    "first_fetched_at" TIMESTAMP,
    "last_fetched_at" TIMESTAMP,
    "capture_id" VARCHAR
);
COMMENT ON TABLE "core"."coverage" IS 'One source and one calendar day, from the first list to the day that was open at the last fetch. Which daily lists the lake has, which it lacks and why: gaps are the rows with `is_expected AND state <> ''complete''`. Key: listed_on, source.';
COMMENT ON COLUMN "core"."coverage"."source" IS '`api`, the answer of the JSON API; `html`, the list page, which is asked only where the API''s list is empty; `arxiv`, the records that changed there on a day, where they were asked for; `crossref` and `openalex`, the works that were asked for on a day; `github`, the repositories that were. Saved texts are no source: they lack ids, and may be cut. Source: reader of the page, else its address.';
COMMENT ON COLUMN "core"."coverage"."listed_on" IS 'Day of the daily list; a page that shows another day counts for both days. Of `arxiv` the day of the change, of `crossref`, `openalex` and `github` that on which something was asked for. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "core"."coverage"."is_expected" IS 'Whether the source should have a list: of the API on weekdays, but not on a day of which the list page, once the day was over, showed an earlier list. Never of the list page; nor of arXiv, whose harvests reach back to the last whole one; nor of registries and GitHub, which are asked again for what failed. Source: computed.';
COMMENT ON COLUMN "core"."coverage"."state" IS '`complete`; `partial`, some papers, and `reason` says what is wrong; `empty`, the source said that there are none; `missing`, nothing that could be read. Source: computed from the best pages of the day.';
COMMENT ON COLUMN "core"."coverage"."reason" IS 'Why the state is not `complete`; several reasons with `; ` between them. Null: the list is complete. Source: computed; after `failed: ` and `not read: ` the words of the last failure.';
COMMENT ON COLUMN "core"."coverage"."fetch_count" IS 'Pages that came and could be read, the further pages (`p=`) of long lists among them. Unit: pages. Source: counted.';
COMMENT ON COLUMN "core"."coverage"."failure_count" IS 'Attempts that gave nothing that could be read: no answer, an HTTP error, a rejected page. Unit: pages. Source: counted.';
COMMENT ON COLUMN "core"."coverage"."item_count" IS 'Items on the list that `state` was judged by, all its pages together. Unit: items. Null: the state is `missing`. Source: counted by the reader.';
COMMENT ON COLUMN "core"."coverage"."paper_count" IS 'Papers that were ever seen on the source''s list of that day; of `arxiv` its records, whatever the lake has of them; of `crossref` and `openalex` the works that they know, of `github` the repositories. Unit: papers. Null: the state is `missing`: nobody knows. Source: counted in the sightings.';
COMMENT ON COLUMN "core"."coverage"."first_fetched_at" IS 'When the first of the pages in `fetch_count` was fetched. Unit: UTC. Null: no page, or none whose fetch time is known. Source: earliest fetched_at.';
COMMENT ON COLUMN "core"."coverage"."last_fetched_at" IS 'When the last of the pages in `fetch_count` was fetched. Unit: UTC. Null: no page, or none whose fetch time is known. Source: latest fetched_at.';
COMMENT ON COLUMN "core"."coverage"."capture_id" IS 'The page that `state` was judged by, the first one of a list of several. Null: the state is `missing`. Source: computed when the page is landed.';

CREATE TABLE "core"."schema_paths" (
    "reader" VARCHAR NOT NULL,
    "list_kind" VARCHAR NOT NULL,
    "era" VARCHAR NOT NULL,
    "path" VARCHAR USING COMPRESSION zstd NOT NULL,
    "json_type" VARCHAR NOT NULL,
    "value_count" BIGINT NOT NULL,
    "item_count" BIGINT NOT NULL,
    "first_listed_on" DATE,
    "last_listed_on" DATE,
    "first_seen_at" TIMESTAMP,
    "last_seen_at" TIMESTAMP,
    "example" VARCHAR,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."schema_paths" IS 'One JSON path with one JSON type, on the pages that one reader read of one kind of list in one era. Since when the source has a field, until when, how often and of which type. Key: reader, list_kind, era, path, json_type.';
COMMENT ON COLUMN "core"."schema_paths"."reader" IS 'Reader of the pages: their layout. Saved text has no JSON and no rows here. Source: captures.reader.';
COMMENT ON COLUMN "core"."schema_paths"."list_kind" IS 'What was asked for: a daily, weekly, monthly or trending list, the latest papers, a search, one paper, the `repositories` that cite one, what `arxiv` says of one or of changes, or `crossref` of a published work, `openalex` of some, `github` of stars, or `saved` where a saved text does not say, and where another archive keeps a list. Source: URL of the request, or the page''s own data.';
COMMENT ON COLUMN "core"."schema_paths"."era" IS 'Month of the list day (`2025-03`); of a page without one, month of its fetch; `undated` where neither is known. Unit: month. Source: captures.listed_on, captures.fetched_at.';
COMMENT ON COLUMN "core"."schema_paths"."path" IS 'Path from the item, elements of arrays as `[]` (`paper.authors[].name`). `[]` is the item itself, `$.` begins what is around the items. `*` is what was not looked at: all beyond the first 500 paths of a page; with type null, a page over 4 MiB. Keys that are no plain names are quoted. Source: keys of the JSON.';
COMMENT ON COLUMN "core"."schema_paths"."json_type" IS 'Type of the values. Source: the JSON.';
COMMENT ON COLUMN "core"."schema_paths"."value_count" IS 'Values of this type at this path. Unit: values. Source: counted.';
COMMENT ON COLUMN "core"."schema_paths"."item_count" IS 'Items that hold such a value; of what is around the items, pages. All items of the era are the rows of path `[]`. Unit: items. Source: counted.';
COMMENT ON COLUMN "core"."schema_paths"."first_listed_on" IS 'First list day of the pages that have it. Unit: list day. Null: only pages that are no daily list have it. Source: captures.listed_on.';
COMMENT ON COLUMN "core"."schema_paths"."last_listed_on" IS 'Last list day of the pages that have it. Unit: list day. Null: only pages that are no daily list have it. Source: captures.listed_on.';
COMMENT ON COLUMN "core"."schema_paths"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: captures.fetched_at.';
COMMENT ON COLUMN "core"."schema_paths"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: captures.fetched_at.';
COMMENT ON COLUMN "core"."schema_paths"."example" IS 'Start of a value, on one line, from the page of `capture_id`. Null: an object, an array, null or an empty text; or the path may name, picture or quote a person. Source: the JSON.';
COMMENT ON COLUMN "core"."schema_paths"."capture_id" IS 'The first page fetched in the era that has it. Source: computed when the page is landed.';

CREATE TABLE "core"."quarantine" (
    "capture_id" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "rule" VARCHAR NOT NULL,
    "detail" VARCHAR USING COMPRESSION zstd NOT NULL,
    "pointer" VARCHAR NOT NULL
);
COMMENT ON TABLE "core"."quarantine" IS 'One rejected record. What was not taken over, by which rule, and where it lies in the raw page. Key: capture_id, position.';
COMMENT ON COLUMN "core"."quarantine"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';
COMMENT ON COLUMN "core"."quarantine"."position" IS 'Place of the item on its page; 0 is the page as a whole. Unit: place, from 1. Source: order of the items on the page.';
COMMENT ON COLUMN "core"."quarantine"."rule" IS 'Rule that was broken, the first where there are several. Source: computed.';
COMMENT ON COLUMN "core"."quarantine"."detail" IS 'Every broken rule in words. Source: computed.';
COMMENT ON COLUMN "core"."quarantine"."pointer" IS 'Where the item lies in the page: a JSON pointer (`/3`), a line (`line 40`); empty for the page. Source: computed by the reader.';

CREATE TABLE "mart"."acronyms" (
    "acronym" VARCHAR NOT NULL,
    "long_form" VARCHAR USING COMPRESSION zstd NOT NULL,
    "term" VARCHAR NOT NULL,
    "plural" VARCHAR,
    "form_terms" VARCHAR USING COMPRESSION zstd NOT NULL,
    "paper_count" BIGINT NOT NULL
);
COMMENT ON TABLE "mart"."acronyms" IS 'One acronym with one meaning. What acronyms stand for, as at least 3 papers explain it, and one in 3 of those that explain the acronym. A search for the one finds the other. An acronym that one in 8 papers that have it does not explain is left out: it may be an ordinary word. Key: term, form_terms.';
COMMENT ON COLUMN "mart"."acronyms"."acronym" IS 'The acronym, as most papers write it. Source: papers.title, paper_texts.abstract.';
COMMENT ON COLUMN "mart"."acronyms"."long_form" IS 'What it stands for, as most of them write it, in lower case. Source: computed from the text.';
COMMENT ON COLUMN "mart"."acronyms"."term" IS 'The acronym''s term: how a search has it. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "mart"."acronyms"."plural" IS 'The term of its plural, where that is another: `llms`. Null: no paper has it, or it is the same term. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "mart"."acronyms"."form_terms" IS 'The terms of the long form in their order, with a space between; function words are left out. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "mart"."acronyms"."paper_count" IS 'Papers that explain it so. Unit: papers. Source: counted in paper_acronyms.';

CREATE TABLE "mart"."adoption" (
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "model_count" BIGINT,
    "dataset_count" BIGINT,
    "space_count" BIGINT,
    "listed_count" BIGINT NOT NULL,
    "is_whole" BOOLEAN NOT NULL,
    "download_count" BIGINT,
    "uncounted_count" BIGINT NOT NULL,
    "like_count" BIGINT,
    "github_star_count" INTEGER,
    "score" DOUBLE
);
COMMENT ON TABLE "mart"."adoption" IS 'One paper at one moment at which somebody looked who builds on it. Who builds on a paper, over time. Each row stands on what was seen until its moment alone, so that rows up to a moment are as they were then. Its score is 3 * log2(1 + model_count) + 3 * log2(1 + dataset_count) + 2 * log2(1 + space_count) + 1 * log2(1 + download_count) + 1 * log2(1 + like_count) + 1 * log2(1 + github_star_count); what of the last three is unknown adds nothing. Key: paper_id, observed_at.';
COMMENT ON COLUMN "mart"."adoption"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."adoption"."observed_at" IS 'Moment of the look. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."adoption"."model_count" IS 'Models that cite the paper: as the newest look states, else as many as a whole list has. Unit: models. Null: no look by then says how many. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."dataset_count" IS 'Datasets that cite the paper: as the newest look states, else as many as a whole list has. Unit: datasets. Null: no look by then says how many. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."space_count" IS 'Spaces that cite the paper: as the newest look states, else as many as a whole list has. Unit: spaces. Null: no look by then says how many. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."listed_count" IS 'Those of them that were listed one by one; the sums are of these. Unit: repositories. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."is_whole" IS 'Whether every kind was listed whole; else lists were cut, or were not asked for, and sums are at least as large. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."download_count" IS 'Sum of the downloads in 30 days of those whose downloads are stated. Unit: downloads. Null: none is stated. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."uncounted_count" IS 'Listed models and datasets without a number of downloads: not counted, or not stated. Not zero. Unit: repositories. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."like_count" IS 'Sum of their likes. Unit: likes. Null: none is stated. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption"."github_star_count" IS 'Stars of the linked GitHub repository, as last shown by then. Unit: stars. Null: no page by then showed any. Source: paper_observations. Since 2025-06-25.';
COMMENT ON COLUMN "mart"."adoption"."score" IS 'How much is built upon the paper, by the formula of this table. Null: of one kind of repositories nobody knows how many there are. Source: adoption.';

CREATE TABLE "mart"."adoption_by_month" (
    "month_on" DATE NOT NULL,
    "rank" INTEGER NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "model_count" BIGINT NOT NULL,
    "dataset_count" BIGINT NOT NULL,
    "space_count" BIGINT NOT NULL,
    "score" DOUBLE NOT NULL,
    "is_whole" BOOLEAN NOT NULL,
    "gained_count" BIGINT,
    "observed_at" TIMESTAMP NOT NULL
);
COMMENT ON TABLE "mart"."adoption_by_month" IS 'One of the most built upon papers at the end of one month. The 100 papers that most was built upon, as known at the end of each month, and what came in it. Key: month_on, rank.';
COMMENT ON COLUMN "mart"."adoption_by_month"."month_on" IS 'Month at whose end it stood so; the last one is as last seen. Unit: first day of the month. Source: adoption.';
COMMENT ON COLUMN "mart"."adoption_by_month"."rank" IS 'Place by score; of equal ones the smaller paper_id is first. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "mart"."adoption_by_month"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."adoption_by_month"."model_count" IS 'Models that cite the paper: as the newest look states, else as many as a whole list has. Unit: models. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption_by_month"."dataset_count" IS 'Datasets that cite the paper: as the newest look states, else as many as a whole list has. Unit: datasets. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption_by_month"."space_count" IS 'Spaces that cite the paper: as the newest look states, else as many as a whole list has. Unit: spaces. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption_by_month"."score" IS 'How much is built upon the paper, by the formula of this table. Source: adoption.';
COMMENT ON COLUMN "mart"."adoption_by_month"."is_whole" IS 'Whether every kind was listed whole; else lists were cut, or were not asked for, and sums are at least as large. Source: adoption_looks, paper_repositories.';
COMMENT ON COLUMN "mart"."adoption_by_month"."gained_count" IS 'Repositories that cite it, less those of the end of the month before. Unit: repositories. Null: no look before this month says how many. Source: adoption.';
COMMENT ON COLUMN "mart"."adoption_by_month"."observed_at" IS 'Moment of the look that says so. Unit: UTC. Source: fetch time of the capture.';

CREATE TABLE "mart"."arxiv_history" (
    "paper_id" VARCHAR NOT NULL,
    "version_number" INTEGER NOT NULL,
    "version_at" TIMESTAMP NOT NULL,
    "size_kb" INTEGER NOT NULL,
    "is_emptied" BOOLEAN NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."arxiv_history" IS 'One version of a paper at arXiv. When each version of a paper was submitted, by the newest look at its record: when its texts are from. Key: paper_id, version_number.';
COMMENT ON COLUMN "mart"."arxiv_history"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."arxiv_history"."version_number" IS 'Number of the version. Unit: number, from 1. Source: arXivRaw.version[]@version.';
COMMENT ON COLUMN "mart"."arxiv_history"."version_at" IS 'When the version was submitted. Unit: UTC. Source: arXivRaw.version[].date.';
COMMENT ON COLUMN "mart"."arxiv_history"."size_kb" IS 'Size of its source, as stated. Unit: kB. Source: arXivRaw.version[].size.';
COMMENT ON COLUMN "mart"."arxiv_history"."is_emptied" IS 'Whether the version has no bytes, and the source type `I`: by it the paper was withdrawn, or a withdrawal was prepared. Source: arxiv_records, arxiv_versions.';
COMMENT ON COLUMN "mart"."arxiv_history"."observed_at" IS 'Moment of the look that says so. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."arxiv_history"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';

CREATE TABLE "mart"."benchmarks" (
    "benchmark" VARCHAR NOT NULL,
    "spellings" VARCHAR[] NOT NULL,
    "splits" VARCHAR[] NOT NULL,
    "metric" VARCHAR,
    "metric_kind" VARCHAR,
    "paper_count" BIGINT NOT NULL,
    "claim_count" BIGINT NOT NULL,
    "first_seen_at" TIMESTAMP
);
COMMENT ON TABLE "mart"."benchmarks" IS 'One benchmark that boards are kept of. Which benchmarks are known by name, how they are spelled and measured, and how many papers claim a number on them. Key: benchmark.';
COMMENT ON COLUMN "mart"."benchmarks"."benchmark" IS 'The benchmark by its usual name, if the number is a score on it. Source: the declarations.';
COMMENT ON COLUMN "mart"."benchmarks"."spellings" IS 'How else texts spell it. Source: the declarations.';
COMMENT ON COLUMN "mart"."benchmarks"."splits" IS 'Its own splits that are kept apart. Source: the declarations.';
COMMENT ON COLUMN "mart"."benchmarks"."metric" IS 'What it is measured by, where a sentence does not say. Null: no usual one. Source: the declarations.';
COMMENT ON COLUMN "mart"."benchmarks"."metric_kind" IS 'What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time. Null: no usual metric. Source: the declarations.';
COMMENT ON COLUMN "mart"."benchmarks"."paper_count" IS 'Papers that claim a number on it. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."benchmarks"."claim_count" IS 'Such claims, in newest texts. Unit: claims. Source: counted.';
COMMENT ON COLUMN "mart"."benchmarks"."first_seen_at" IS 'When the first of them was first seen. Unit: UTC. Null: none, or only at unknown times. Source: earliest observed_at of its sightings.';

CREATE TABLE "mart"."boards" (
    "benchmark" VARCHAR NOT NULL,
    "split" VARCHAR,
    "metric" VARCHAR,
    "is_metric_said" BOOLEAN NOT NULL,
    "scale" VARCHAR NOT NULL,
    "polarity" VARCHAR,
    "value" DOUBLE NOT NULL,
    "value_high" DOUBLE,
    "bound" VARCHAR,
    "role" VARCHAR NOT NULL,
    "is_own" BOOLEAN NOT NULL,
    "apart_because" VARCHAR,
    "is_best" BOOLEAN,
    "best_before" DOUBLE,
    "paper_id" VARCHAR NOT NULL,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "system" VARCHAR USING COMPRESSION zstd,
    "comparator" VARCHAR,
    "sentence" VARCHAR USING COMPRESSION zstd NOT NULL,
    "text" VARCHAR USING COMPRESSION zstd NOT NULL,
    "version_number" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMP,
    "arxiv_version_on" DATE,
    "is_current" BOOLEAN NOT NULL,
    "first_listed_on" DATE,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."boards" IS 'One number that a paper claims on a declared benchmark, in the first version of its abstract that has it. Results over time: what was claimed on a benchmark, in which sentence, first seen when, and whether it was the best until then. Rows with `apart_because` are not compared. Numbers of two splits, metrics or scales never are. They are claims of authors: settings differ, and nobody checked them. Key: paper_id, version_number, position.';
COMMENT ON COLUMN "mart"."boards"."benchmark" IS 'The benchmark by its usual name, if the number is a score on it. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."split" IS 'The split of the benchmark. Null: the sentence names none. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."metric" IS 'What is measured: as the sentence says, else what the benchmark is measured by. Null: the sentence does not say, and the benchmark has no usual one of that kind. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."is_metric_said" IS 'Whether the sentence says it. Source: paper_claims.';
COMMENT ON COLUMN "mart"."boards"."scale" IS 'How the number is written: `percent`, also points of it; `fraction` a bare decimal from 0 to 1; `factor`; `count`; `plain` any other. Numbers of two scales are never compared. Source: computed from the text.';
COMMENT ON COLUMN "mart"."boards"."polarity" IS 'Whether `more` of the metric is better, or `less`. Null: nobody can say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."value" IS 'The number as written, not converted: of `two minutes` 2, of `3.5 GB` 3.5. Words are counted: of `three orders of magnitude` 1000, of `1 million` 1000000, of `halves` 2. Of a range its first number. Source: computed from the text.';
COMMENT ON COLUMN "mart"."boards"."value_high" IS 'The second number of a range. Null: no range. Source: computed from the text.';
COMMENT ON COLUMN "mart"."boards"."bound" IS 'How the sentence bounds the number: over and more than are `at least`, nearly is `about`. Null: the sentence does not bound it. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."role" IS '`result` what is reached, `change` how much it rose or fell, `baseline` what it is set against: in `from 42.3 to 51.0` the first number, and numbers of other work. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."is_own" IS 'Whether the number is of what the paper builds or finds; not of other work, or an earlier state. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."boards"."apart_because" IS 'Why the number is not compared: it is of `other work`, `a change`, `a range`, `bounded` by words as up to or average, is of `a part` that no list has, has `no metric`, `no polarity`, or is `not dated`. Null: it is compared. Source: computed.';
COMMENT ON COLUMN "mart"."boards"."is_best" IS 'Whether it was the best of its benchmark, split, metric and scale when it was first seen. Null: it is not compared. Source: boards.';
COMMENT ON COLUMN "mart"."boards"."best_before" IS 'The best of all that were first seen before it. Null: it is not compared, or the first. Source: boards.';
COMMENT ON COLUMN "mart"."boards"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."boards"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "mart"."boards"."system" IS 'The name, letter by letter as the text has it. Null: the paper names none, or a benchmark: another reaches the number. Source: papers.title, or paper_texts.abstract.';
COMMENT ON COLUMN "mart"."boards"."comparator" IS 'What it is compared with, letter by letter as the abstract has it. Null: the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."boards"."sentence" IS 'The sentence that claims it. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."boards"."text" IS 'The number, letter by letter as the sentence has it. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."boards"."version_number" IS 'The first version of the abstract that has the number, as in `paper_versions`. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "mart"."boards"."position" IS 'Place among the paper''s claims, in the order of the abstract. Unit: place, from 1. Source: counted.';
COMMENT ON COLUMN "mart"."boards"."first_seen_at" IS 'When that version was first seen: nobody can say from here how long it had stood there. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "mart"."boards"."arxiv_version_on" IS 'Day of the version at arXiv that the text is of, by arXiv''s own word. Told where arXiv had as many versions as the text had had contents when it was first seen: of one that had one version, the first. Unit: UTC day. Null: arXiv was not asked since, had more versions by then, or the text is not arXiv''s. Source: arxiv_versions.version_at.';
COMMENT ON COLUMN "mart"."boards"."is_current" IS 'Whether the newest version has the number. Source: paper_versions.';
COMMENT ON COLUMN "mart"."boards"."first_listed_on" IS 'First day on a daily list. Unit: list day. Null: never seen on a daily list. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."boards"."capture_id" IS 'The first page that shows the text. Source: computed when the page is landed.';

CREATE TABLE "mart"."claims_by_metric" (
    "year_on" DATE NOT NULL,
    "metric" VARCHAR NOT NULL,
    "unit" VARCHAR NOT NULL,
    "direction" VARCHAR NOT NULL,
    "abstract_paper_count" BIGINT NOT NULL,
    "paper_count" BIGINT NOT NULL,
    "share" DOUBLE NOT NULL,
    "claim_count" BIGINT NOT NULL,
    "median_value" DOUBLE,
    "best_value" DOUBLE,
    "best_paper_id" VARCHAR
);
COMMENT ON TABLE "mart"."claims_by_metric" IS 'One metric, unit and direction in one year of first list days in which a paper claims it. How many of a year''s papers claim what, and how much, as far as rules see it. Compare shares, not counts. Numbers are of different tasks and baselines: the median shows what is usual to claim, not what is true. Key: year_on, metric, unit, direction.';
COMMENT ON COLUMN "mart"."claims_by_metric"."year_on" IS 'Year of the papers'' first list day. Papers that no daily list shows are left out. Unit: first day of the year. Source: papers.first_listed_on.';
COMMENT ON COLUMN "mart"."claims_by_metric"."metric" IS 'What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."claims_by_metric"."unit" IS 'Kind of unit: `x` times; `%` a share, or a change of one; `points`; `s` any time and `B` any amount of memory, whose scale only the text has; `count` of the noun in the text; `score` a bare number. Source: computed from the text.';
COMMENT ON COLUMN "mart"."claims_by_metric"."direction" IS '`up` or `down`: how much it rose or fell; `level`: where it stands. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."claims_by_metric"."abstract_paper_count" IS 'Papers first listed in the year whose abstract was read. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."claims_by_metric"."paper_count" IS 'Those of them that claim such a thing. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."claims_by_metric"."share" IS 'paper_count of abstract_paper_count. Unit: of 1. Source: computed.';
COMMENT ON COLUMN "mart"."claims_by_metric"."claim_count" IS 'Such claims. Unit: claims. Source: counted.';
COMMENT ON COLUMN "mart"."claims_by_metric"."median_value" IS 'Median of their values, of ranges the first number. Null: the unit has no scale (`s`, `B`, `FLOP/s`, `other`): only the texts give it. Source: computed from the text.';
COMMENT ON COLUMN "mart"."claims_by_metric"."best_value" IS 'The largest gain, of changes in times, percent and points that no word makes vague. Levels are of their tasks: `boards` compare them. A claim of authors, and the likeliest place for a slip. Null: the unit has no scale (`s`, `B`, `FLOP/s`, `other`): only the texts give it; or a level, a change for the worse, or nobody can say (`other`). Source: computed from the text.';
COMMENT ON COLUMN "mart"."claims_by_metric"."best_paper_id" IS 'The paper that claims it. Null: no best_value. Source: computed from all sightings.';

CREATE TABLE "mart"."daily_papers" (
    "listed_on" DATE NOT NULL,
    "rank" INTEGER,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "upvote_count" INTEGER,
    "comment_count" INTEGER,
    "paper_id" VARCHAR NOT NULL,
    "authors" VARCHAR[],
    "author_count" INTEGER,
    "organization_name" VARCHAR,
    "organization_login" VARCHAR,
    "submitter_login" VARCHAR,
    "published_on" DATE,
    "last_observed_hours" DOUBLE,
    "github_star_count" INTEGER,
    "github_url" VARCHAR USING COMPRESSION zstd,
    "project_url" VARCHAR USING COMPRESSION zstd,
    "arxiv_id" VARCHAR,
    "list_state" VARCHAR,
    "status" VARCHAR,
    "last_seen_at" TIMESTAMP
);
COMMENT ON TABLE "mart"."daily_papers" IS 'One paper on the list of one day. The daily list as a reader sees it, with counts as last seen and links. Key: listed_on, paper_id.';
COMMENT ON COLUMN "mart"."daily_papers"."listed_on" IS 'Day of the daily list. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."daily_papers"."rank" IS 'Place on the day''s list when it was last fetched: most upvotes first. Unit: place, from 1. Null: seen only in answers that are not the day''s own list. Source: daily_listings.rank.';
COMMENT ON COLUMN "mart"."daily_papers"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "mart"."daily_papers"."upvote_count" IS 'Upvotes as last seen. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."daily_papers"."comment_count" IS 'Comments as last seen. Unit: comments. Null: not shown. Source: numComments; number after the date in a saved text.';
COMMENT ON COLUMN "mart"."daily_papers"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."daily_papers"."authors" IS 'Names of the authors, in order. Null: no page listed them. Source: paper_authors.name.';
COMMENT ON COLUMN "mart"."daily_papers"."author_count" IS 'Number of all authors, also where the page lists only the first of them (`+ 8 authors`). Unit: people. Null: not shown. Source: length of paper.authors[]; `N authors` in a saved text, or its names and `+ N authors`.';
COMMENT ON COLUMN "mart"."daily_papers"."organization_name" IS 'Display name of the organization. Null: no organization shown; the source has none before 2025-09-29. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."daily_papers"."organization_login" IS 'Hub login of the organization the paper is listed under. Null: no organization shown, or shown by name only; the source has none before 2025-09-29. Source: paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."daily_papers"."submitter_login" IS 'Hub login of the person who submitted the paper to Daily Papers. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.user (2025-03-17 on), submittedBy.name. Since 2024-06-13.';
COMMENT ON COLUMN "mart"."daily_papers"."published_on" IS 'Day of the first submission to arXiv. Unit: UTC day. Null: the page showed no date, or one whose year is unknown, or one that the arXiv id contradicts (`papers.published_basis`). Source: papers.published_on.';
COMMENT ON COLUMN "mart"."daily_papers"."last_observed_hours" IS 'Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: never on a daily list, or no look whose time is known. Source: paper_observations.observed_at - papers.first_listed_on.';
COMMENT ON COLUMN "mart"."daily_papers"."github_star_count" IS 'Stars of the linked GitHub repository as last seen. Unit: stars. Null: not shown: a page fetched before 2025-06-25, no repository linked, or its stars not shown. Source: paper.githubStars. Since 2025-06-25.';
COMMENT ON COLUMN "mart"."daily_papers"."github_url" IS 'GitHub address as last seen. Null: none shown. Source: paper_links.url. Since 2025-03-04.';
COMMENT ON COLUMN "mart"."daily_papers"."project_url" IS 'Project page as last seen. Null: none shown. Source: paper_links.url. Since 2025-03-04.';
COMMENT ON COLUMN "mart"."daily_papers"."arxiv_id" IS 'arXiv id without version, as text: trailing zeros count. Null: no page of the paper showed an arXiv id. Source: paper.id; the line `arxiv:…` of a saved paper page.';
COMMENT ON COLUMN "mart"."daily_papers"."list_state" IS 'Whether the day''s list is `complete`. Of a `partial` one papers may be lacking; `empty` or `missing` where the API''s own list is, and other pages named the paper. Null: the day is outside `coverage`. Source: coverage.state of the API.';
COMMENT ON COLUMN "mart"."daily_papers"."status" IS 'What became of the paper by the newest looks, the first that holds: `withdrawn` at arXiv by two signs, `deleted` there; the work that it is published as was `retracted`, or is of `concern`; `suspected` to be withdrawn by one sign; `published`; `present` at arXiv. Null: nobody asked arXiv or a registry, or neither knows it: it may be withdrawn. Source: paper_status.status, paper_publications.status.';
COMMENT ON COLUMN "mart"."daily_papers"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';

CREATE TABLE "mart"."field_availability" (
    "month_on" DATE NOT NULL,
    "field" VARCHAR NOT NULL,
    "since_on" DATE,
    "paper_count" BIGINT NOT NULL,
    "known_paper_count" BIGINT NOT NULL,
    "shown_paper_count" BIGINT NOT NULL,
    "share" DOUBLE,
    "state" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."field_availability" IS 'One field in one month of list days. For how many of a month''s papers the source could show a field, and for how many it did. Key: month_on, field.';
COMMENT ON COLUMN "mart"."field_availability"."month_on" IS 'Month of the list days. Unit: first day of the month. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."field_availability"."field" IS 'Column of `sightings`; `author_login` is in `paper_authors`. Source: the declarations.';
COMMENT ON COLUMN "mart"."field_availability"."since_on" IS 'First day on which answers had it. Unit: UTC day. Null: as long as the source is known. Source: the declarations (docs/source.md §9).';
COMMENT ON COLUMN "mart"."field_availability"."paper_count" IS 'Papers on the month''s lists, each once. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."field_availability"."known_paper_count" IS 'Those of which an API answer or HTML page that could show the field, or did, was captured. Unit: papers. Source: sightings, source_fields.since_on.';
COMMENT ON COLUMN "mart"."field_availability"."shown_paper_count" IS 'Those of which a page showed the field. Unit: papers. Source: sightings.';
COMMENT ON COLUMN "mart"."field_availability"."share" IS 'shown_paper_count of known_paper_count. Unit: of 1. Null: no page that could show it was captured: the field was not there yet. Source: computed.';
COMMENT ON COLUMN "mart"."field_availability"."state" IS '`whole`: every paper could show the field; `part`: some could; `none`: it was not there yet. Source: computed.';

CREATE TABLE "mart"."fields_filled_in" (
    "month_on" DATE NOT NULL,
    "field" VARCHAR NOT NULL,
    "since_on" DATE,
    "paper_count" BIGINT NOT NULL,
    "first_filled_on" DATE NOT NULL,
    "last_filled_on" DATE NOT NULL,
    "median_days" DOUBLE NOT NULL
);
COMMENT ON TABLE "mart"."fields_filled_in" IS 'One field in one month of list days, of whose papers some got it later. Which fields the source filled in after the papers'' list days, and when that was seen: the day of such a value is not the day of its paper. `field_availability` says for how many of the month the field is there at all. Key: month_on, field.';
COMMENT ON COLUMN "mart"."fields_filled_in"."month_on" IS 'Month of the papers'' first list day. Unit: first day of the month. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."fields_filled_in"."field" IS 'Column of `sightings`; `author_login` is in `paper_authors`. Source: the declarations.';
COMMENT ON COLUMN "mart"."fields_filled_in"."since_on" IS 'First day on which answers had it. Unit: UTC day. Null: as long as the source is known. Source: the declarations (docs/source.md §9).';
COMMENT ON COLUMN "mart"."fields_filled_in"."paper_count" IS 'Papers of which a page lacked the field before another showed it, or that were listed before the source had it and show it now. Unit: papers. Source: sightings, daily_listings.';
COMMENT ON COLUMN "mart"."fields_filled_in"."first_filled_on" IS 'Day of the first page that showed it of any of them. Unit: UTC day. Source: sightings.observed_at.';
COMMENT ON COLUMN "mart"."fields_filled_in"."last_filled_on" IS 'The latest such day of any of them. Unit: UTC day. Source: sightings.observed_at.';
COMMENT ON COLUMN "mart"."fields_filled_in"."median_days" IS 'Median of the days from a paper''s first list day to the first page that showed it. Unit: days. Source: sightings.observed_at, daily_listings.listed_on.';

CREATE TABLE "mart"."keywords_by_month" (
    "month_on" DATE NOT NULL,
    "keyword" VARCHAR USING COMPRESSION zstd NOT NULL,
    "paper_count" BIGINT NOT NULL,
    "keyword_paper_count" BIGINT NOT NULL,
    "share" DOUBLE NOT NULL,
    "normal_keyword" VARCHAR USING COMPRESSION zstd NOT NULL,
    "normal_paper_count" BIGINT NOT NULL,
    "normal_share" DOUBLE NOT NULL
);
COMMENT ON TABLE "mart"."keywords_by_month" IS 'One keyword in one month of list days in which a paper had it. How many of a month''s papers had a keyword. The Hub''s keywords come and go (most are missing from 2026-07-13 to 2026-08-11): compare shares, not counts. Key: month_on, keyword.';
COMMENT ON COLUMN "mart"."keywords_by_month"."month_on" IS 'Month of the list days. Unit: first day of the month. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."keywords_by_month"."keyword" IS 'Keyword in lower case. Source: paper.ai_keywords[]. Since 2025-03-11.';
COMMENT ON COLUMN "mart"."keywords_by_month"."paper_count" IS 'Papers with the keyword on the month''s lists. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."keywords_by_month"."keyword_paper_count" IS 'Those of the month''s papers that have any keyword. Unit: papers. Source: paper_keywords.';
COMMENT ON COLUMN "mart"."keywords_by_month"."share" IS 'paper_count of keyword_paper_count. Unit: of 1. Source: computed.';
COMMENT ON COLUMN "mart"."keywords_by_month"."normal_keyword" IS 'One form for the ways to write a keyword: lower case, hyphens as spaces, the last word in the singular, abbreviations written out where the source always means the same: `llms` and `Large language models (LLMs)` are `large language model`. Source: computed from keyword.';
COMMENT ON COLUMN "mart"."keywords_by_month"."normal_paper_count" IS 'Papers with any keyword of the normal form on the month''s lists, each once: the same in every row of the form. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."keywords_by_month"."normal_share" IS 'normal_paper_count of keyword_paper_count. Unit: of 1. Source: computed.';

CREATE TABLE "mart"."listing_lag" (
    "listed_on" DATE NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "published_on" DATE,
    "published_basis" VARCHAR,
    "submitted_at" TIMESTAMP,
    "submitted_basis" VARCHAR,
    "published_to_listed_days" BIGINT,
    "published_to_submitted_hours" DOUBLE,
    "repository_seen_at" TIMESTAMP,
    "repository_basis" VARCHAR,
    "listed_to_repository_days" BIGINT
);
COMMENT ON TABLE "mart"."listing_lag" IS 'One paper on the list of one day. How long from arXiv to submission, to the list, to a repository. Days come from dates, hours from instants; what the source does not give to that grain is null. Key: listed_on, paper_id.';
COMMENT ON COLUMN "mart"."listing_lag"."listed_on" IS 'Day of the daily list. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."listing_lag"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."listing_lag"."published_on" IS 'Day of the first submission to arXiv, as the source says; `published_basis` says how far it holds. Unit: UTC day. Null: the page showed no date, or one whose year is unknown. Source: paper.publishedAt; date in the footer of a saved text.';
COMMENT ON COLUMN "mart"."listing_lag"."published_basis" IS 'Whether `published_on` was `stated`, or its year `inferred` from the page it is on; `contradicted` where it comes after the month in the arXiv id, in which the paper was there already. Null: no `published_on`. Source: computed by the reader, and from the arXiv id.';
COMMENT ON COLUMN "mart"."listing_lag"."submitted_at" IS 'Instant of the submission to Daily Papers. Unit: UTC. Null: not shown: only answers fetched before 2025-03-11 hold it (docs/source.md §5). Source: publishedAt, in answers fetched before 2025-03-11.';
COMMENT ON COLUMN "mart"."listing_lag"."submitted_basis" IS '`stated` until 2024-06-11; `inferred` where an answer gave it 1.5 h early (until 2024-11-28) or as New York wall clock, and it was put right. Null: no `submitted_at`. Source: computed from the fetch time.';
COMMENT ON COLUMN "mart"."listing_lag"."published_to_listed_days" IS 'From the day of the arXiv submission to the list day. Unit: days. Null: no `published_on`, or one that the arXiv id contradicts: all that is known then is its month. Source: listed_on - published_on.';
COMMENT ON COLUMN "mart"."listing_lag"."published_to_submitted_hours" IS 'From the instant of the arXiv submission to that of the submission to Daily Papers. Unit: hours. Null: one of the instants is unknown, or contradicted: no answer since 2025-03-11 has the second. Source: submitted_at - published_at.';
COMMENT ON COLUMN "mart"."listing_lag"."repository_seen_at" IS 'Fetch time of the first page that showed a GitHub repository. Unit: UTC. Null: no page showed one. Source: paper_links.first_seen_at.';
COMMENT ON COLUMN "mart"."listing_lag"."repository_basis" IS '`appeared`: an earlier page that could show one did not; `at_first_look`: the first page that could show one did, so that it may be older. Null: no `repository_seen_at`. Source: computed.';
COMMENT ON COLUMN "mart"."listing_lag"."listed_to_repository_days" IS 'From the list day to the day of `repository_seen_at`, at most so many. Unit: days. Null: no `repository_seen_at`. Source: repository_seen_at - listed_on.';

CREATE TABLE "mart"."organizations_by_month" (
    "month_on" DATE NOT NULL,
    "organization_id" VARCHAR NOT NULL,
    "organization_name" VARCHAR,
    "group_name" VARCHAR NOT NULL,
    "paper_count" BIGINT NOT NULL,
    "known_paper_count" BIGINT NOT NULL,
    "share" DOUBLE,
    "upvote_count" BIGINT,
    "median_upvote_count" DOUBLE,
    "median_observed_hours" DOUBLE
);
COMMENT ON TABLE "mart"."organizations_by_month" IS 'One organization in one month of list days in which it had a paper. How many of a month''s papers an organization had. Months without organizations have no rows. For the logins of one name together, sum paper_count or share by group_name. Key: month_on, organization_id.';
COMMENT ON COLUMN "mart"."organizations_by_month"."month_on" IS 'Month of the list days. Unit: first day of the month. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."organizations_by_month"."organization_id" IS 'The organization, as in `organizations`. Source: organizations.organization_id.';
COMMENT ON COLUMN "mart"."organizations_by_month"."organization_name" IS 'Display name as last seen. Null: seen by login only. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."organizations_by_month"."group_name" IS 'One name for all organizations that are called the same but for case, accents, spaces and hyphens: that of the one with most papers. A university may have several logins, and anybody can give a login such a name. Source: computed from organization_name; the login where no name was seen.';
COMMENT ON COLUMN "mart"."organizations_by_month"."paper_count" IS 'Papers of the organization on the month''s lists, where an API answer or HTML page showed it. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."organizations_by_month"."known_paper_count" IS 'Those of the month''s papers of which a page was captured that could show the field. Unit: papers. Source: field_availability.known_paper_count.';
COMMENT ON COLUMN "mart"."organizations_by_month"."share" IS 'paper_count of known_paper_count. Unit: of 1. Null: no page that could show it was captured: the field was not there yet. Source: computed.';
COMMENT ON COLUMN "mart"."organizations_by_month"."upvote_count" IS 'Sum of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."organizations_by_month"."median_upvote_count" IS 'Median of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."organizations_by_month"."median_observed_hours" IS 'Median, over the papers, of the hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: no look whose time is known. Source: upvote_curves.last_observed_hours.';

CREATE TABLE "mart"."paper_publications" (
    "paper_id" VARCHAR NOT NULL,
    "registry" VARCHAR NOT NULL,
    "doi" VARCHAR NOT NULL,
    "known_from" TIMESTAMP NOT NULL,
    "known_until" TIMESTAMP,
    "rank" INTEGER NOT NULL,
    "status" VARCHAR NOT NULL,
    "found_by" VARCHAR NOT NULL,
    "is_confirmed" BOOLEAN NOT NULL,
    "is_same_title" BOOLEAN,
    "work_type" VARCHAR,
    "title" VARCHAR USING COMPRESSION zstd,
    "venue" VARCHAR USING COMPRESSION zstd,
    "publisher" VARCHAR USING COMPRESSION zstd,
    "published" VARCHAR,
    "volume" VARCHAR,
    "issue" VARCHAR,
    "pages" VARCHAR,
    "retracted_on" DATE,
    "notice_doi" VARCHAR,
    "told_by" VARCHAR[],
    "is_told_by_work" BOOLEAN,
    "is_told_by_notice" BOOLEAN,
    "bibtex_fields" VARCHAR,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."paper_publications" IS 'One work that a paper is published as, as it was known from one moment on. Where a paper was published, by a registry''s record, and whether that was retracted, as told by the paper''s record or by the notice''s. Each row stands on what was seen until `known_from` alone; those of today have no `known_until`. Key: paper_id, registry, doi, known_from.';
COMMENT ON COLUMN "mart"."paper_publications"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."paper_publications"."registry" IS 'Whose record it is. Source: address of the request.';
COMMENT ON COLUMN "mart"."paper_publications"."doi" IS 'DOI of the work, in lower case. A work without one that OpenAlex finds as a paper at arXiv has the DOI of arXiv''s. Source: address of the request, doi.';
COMMENT ON COLUMN "mart"."paper_publications"."known_from" IS 'Moment of the look from which on this was known: at the work, a notice, or the paper at arXiv. Unit: UTC. Source: published_works, work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."known_until" IS 'Moment of the next such look. Unit: UTC. Null: it is what is known today. Source: published_works, work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."rank" IS 'Place among the works of the paper, by `status` in the order in which it is declared; of one status those that name the paper as their preprint, by any registry, before those that only the author names, then the latest published; of one work Crossref before OpenAlex. Unit: place, from 1. Source: published_works, work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."status" IS '`retracted`, also where it was withdrawn or removed; `concern`, some of it was, or it is doubted, or OpenAlex, which names no notice, says so of a work of which Crossref does not; `published`; `preprint`, posted elsewhere too; `other_paper`, the work names other papers as its preprint and not this one, so that the author''s DOI may be wrong, and nothing is said by it; `unknown`, the registry has no such DOI. Source: published_works, work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."found_by" IS '`author`, the paper''s record at arXiv names the DOI; `registry`, the work names the paper as its preprint; `preprint`, a work of the paper says that it is the preprint of this one. The first of these. Source: arxiv_records.doi, work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."is_confirmed" IS 'Whether the work names the paper as its preprint. Source: work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."is_same_title" IS 'Whether the titles of both are the same, but for case and signs. Titles change on the way to a journal: FALSE proves nothing. Null: the registry states no title. Source: published_works.title, papers.title.';
COMMENT ON COLUMN "mart"."paper_publications"."work_type" IS 'Kind of work, in Crossref''s words: `journal-article`, `proceedings-article`, `posted-content` of a preprint, and others. What OpenAlex calls otherwise by its type and its source''s is told as these. Null: not stated, or `unknown`. Source: message.type; type, primary_location.source.type.';
COMMENT ON COLUMN "mart"."paper_publications"."title" IS 'Title on one line, markup as the registry has it. Null: not stated, or `unknown`. Source: message.title; title.';
COMMENT ON COLUMN "mart"."paper_publications"."venue" IS 'Journal, proceedings or book. Null: not stated, or `unknown`. Source: message.container-title; primary_location.source.';
COMMENT ON COLUMN "mart"."paper_publications"."publisher" IS 'Publisher. Null: not stated, or `unknown`. Source: message.publisher; primary_location.source.';
COMMENT ON COLUMN "mart"."paper_publications"."published" IS 'Year, month or day of publication, as far as it is stated: `2026`, `2026-03`, `2026-03-09`. Null: not stated, or `unknown`. Source: message.published, else message.issued; publication_date, the year if 1 January.';
COMMENT ON COLUMN "mart"."paper_publications"."volume" IS 'Volume. Null: not stated, or `unknown`. Source: message.volume; biblio.';
COMMENT ON COLUMN "mart"."paper_publications"."issue" IS 'Issue. Null: not stated, or `unknown`. Source: message.issue; biblio.';
COMMENT ON COLUMN "mart"."paper_publications"."pages" IS 'Pages. Null: not stated, or `unknown`. Source: message.page; biblio.';
COMMENT ON COLUMN "mart"."paper_publications"."retracted_on" IS 'Day of the earliest retraction or expression of concern. Unit: day. Null: neither `retracted` nor `concern`, or no day is stated. Source: updated.';
COMMENT ON COLUMN "mart"."paper_publications"."notice_doi" IS 'DOI of that notice. Null: neither `retracted` nor `concern`, or OpenAlex, which names none. Source: work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."told_by" IS 'Who says so, by the work''s own record and by the notice''s: `publisher`, `retraction-watch`. Null: neither `retracted` nor `concern`, or it is not stated, as by OpenAlex. Source: work_relations.asserted_by.';
COMMENT ON COLUMN "mart"."paper_publications"."is_told_by_work" IS 'Whether the work''s own record says that it was retracted. Null: neither `retracted` nor `concern`. Source: work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."is_told_by_notice" IS 'Whether the record of a notice says so. Null: neither `retracted` nor `concern`. Source: work_relations.';
COMMENT ON COLUMN "mart"."paper_publications"."bibtex_fields" IS 'What an entry for BibTeX has of it, in TeX, a line a field; its first line is the type of entry. Null: `unknown`, or no kind of work that has an entry of its own. Source: computed from the record.';
COMMENT ON COLUMN "mart"."paper_publications"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';

CREATE TABLE "mart"."paper_status" (
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "is_newest" BOOLEAN NOT NULL,
    "status" VARCHAR NOT NULL,
    "is_undone" BOOLEAN NOT NULL,
    "withdrawn_on" DATE,
    "superseded_by" VARCHAR,
    "is_superseding_known" BOOLEAN,
    "comments" VARCHAR USING COMPRESSION zstd,
    "version_count" INTEGER,
    "published_on" DATE,
    "last_version_on" DATE,
    "hub_published_on" DATE,
    "is_date_disputed" BOOLEAN,
    "categories" VARCHAR[],
    "journal_ref" VARCHAR USING COMPRESSION zstd,
    "doi" VARCHAR USING COMPRESSION zstd,
    "license_url" VARCHAR USING COMPRESSION zstd,
    "changed_on" DATE NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."paper_status" IS 'One paper at one look at its record at arXiv. What became of a paper at arXiv: withdrawn, suspected to be, or not; what took its place; how many versions it has, and where it was published. Each row stands on what was seen until its look alone; the newest of a paper has `is_newest`. Key: paper_id, observed_at.';
COMMENT ON COLUMN "mart"."paper_status"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."paper_status"."observed_at" IS 'Moment of the look. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."paper_status"."is_newest" IS 'Whether it is the newest look at the paper. Source: arxiv_records, arxiv_versions.';
COMMENT ON COLUMN "mart"."paper_status"."status" IS '`withdrawn` by two signs, `is_emptied` and `says_withdrawn`; `suspected` by one of them; `deleted`, the record is gone; else `present`. Source: computed from the record.';
COMMENT ON COLUMN "mart"."paper_status"."is_undone" IS 'Whether it is `present`, though it was withdrawn, or suspected to be, at an earlier look, or an earlier version has no bytes: a withdrawal was undone. Source: arxiv_records, arxiv_versions.';
COMMENT ON COLUMN "mart"."paper_status"."withdrawn_on" IS 'Day of the version by which it was withdrawn. Unit: UTC day. Null: not `withdrawn`. Source: arxiv_versions.version_at.';
COMMENT ON COLUMN "mart"."paper_status"."superseded_by" IS 'Another paper that the comments of a withdrawn one name after `superseded by`, `now part of` or `see`: a claim of the author. Null: not withdrawn, or no such words. Source: arXivRaw.comments.';
COMMENT ON COLUMN "mart"."paper_status"."is_superseding_known" IS 'Whether the lake has the paper that takes its place. Null: no `superseded_by`. Source: papers.';
COMMENT ON COLUMN "mart"."paper_status"."comments" IS 'The author''s comments on the newest version; of a withdrawal the reason. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.comments.';
COMMENT ON COLUMN "mart"."paper_status"."version_count" IS 'Versions so far. Unit: versions. Null: arXiv says that the record is deleted, and no more. Source: counted.';
COMMENT ON COLUMN "mart"."paper_status"."published_on" IS 'Day of its first version, by arXiv''s own word. Unit: UTC day. Null: arXiv says that the record is deleted. Source: arxiv_versions.version_at.';
COMMENT ON COLUMN "mart"."paper_status"."last_version_on" IS 'Day of its newest version. Unit: UTC day. Null: arXiv says that the record is deleted. Source: arxiv_versions.version_at.';
COMMENT ON COLUMN "mart"."paper_status"."hub_published_on" IS 'Day of the first submission, as the Hub says; that of arXiv goes before it. Unit: UTC day. Null: the Hub says none. Source: papers.published_on.';
COMMENT ON COLUMN "mart"."paper_status"."is_date_disputed" IS 'Whether the Hub says another day than arXiv. Null: one of them says none. Source: arxiv_records, arxiv_versions.';
COMMENT ON COLUMN "mart"."paper_status"."categories" IS 'Categories; the first is the primary one. Null: arXiv says that the record is deleted, and no more. Source: arXivRaw.categories.';
COMMENT ON COLUMN "mart"."paper_status"."journal_ref" IS 'Where it was published, in the author''s words, which nobody checked. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.journal-ref.';
COMMENT ON COLUMN "mart"."paper_status"."doi" IS 'DOI of the published version, as the author gave it, unchecked. It may be several, with spaces. Null: none, or arXiv says that the record is deleted, and no more. Source: arXivRaw.doi.';
COMMENT ON COLUMN "mart"."paper_status"."license_url" IS 'Licence of the paper, its address: not of this record, which is CC0. Null: none stated, as of old papers, or arXiv says that the record is deleted, and no more. Source: arXivRaw.license.';
COMMENT ON COLUMN "mart"."paper_status"."changed_on" IS 'Day of the last change of the record, administrative ones too. Unit: day. Source: header.datestamp.';
COMMENT ON COLUMN "mart"."paper_status"."capture_id" IS 'The captured page this row was read from: a hash over its URL, fetch time and bytes. Source: computed when the page is landed.';

CREATE TABLE "mart"."papers_by_month" (
    "month_on" DATE NOT NULL,
    "day_count" BIGINT NOT NULL,
    "expected_day_count" BIGINT,
    "complete_day_count" BIGINT,
    "is_over" BOOLEAN,
    "paper_count" BIGINT NOT NULL,
    "upvote_count" BIGINT,
    "median_upvote_count" DOUBLE,
    "median_observed_hours" DOUBLE,
    "median_author_count" DOUBLE,
    "repository_paper_count" BIGINT,
    "repository_share" DOUBLE,
    "organization_paper_count" BIGINT,
    "organization_share" DOUBLE
);
COMMENT ON TABLE "mart"."papers_by_month" IS 'One month of list days. How many papers a month''s daily lists held, and how they fared. Key: month_on.';
COMMENT ON COLUMN "mart"."papers_by_month"."month_on" IS 'Month of the list days. Unit: first day of the month. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."papers_by_month"."day_count" IS 'List days of the month that the lake has. Unit: days. Source: counted.';
COMMENT ON COLUMN "mart"."papers_by_month"."expected_day_count" IS 'List days, until the last fetch, on which the source should have a list. Unit: days. Null: outside `coverage`. Source: coverage of the API.';
COMMENT ON COLUMN "mart"."papers_by_month"."complete_day_count" IS 'Those of the expected days whose list is complete. Where they are fewer, papers are lacking: compare counts only between times that are complete alike. Unit: days. Null: outside `coverage`. Source: coverage of the API.';
COMMENT ON COLUMN "mart"."papers_by_month"."is_over" IS 'Whether all its lists were closed when the lake last fetched anything; else papers are still to come. Null: outside `coverage`. Source: coverage.listed_on.';
COMMENT ON COLUMN "mart"."papers_by_month"."paper_count" IS 'Papers on the month''s lists, each once. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."papers_by_month"."upvote_count" IS 'Sum of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."papers_by_month"."median_upvote_count" IS 'Median of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."papers_by_month"."median_observed_hours" IS 'Median, over the papers, of the hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: no look whose time is known. Source: upvote_curves.last_observed_hours.';
COMMENT ON COLUMN "mart"."papers_by_month"."median_author_count" IS 'Median number of authors. Unit: people. Null: no page named the authors. Source: papers.author_count.';
COMMENT ON COLUMN "mart"."papers_by_month"."repository_paper_count" IS 'Papers with a GitHub repository. Read it with repository_share: in the first months some papers were last seen before the source had the field. Unit: papers. Null: the source had no such field yet. Source: field_availability of github_url.';
COMMENT ON COLUMN "mart"."papers_by_month"."repository_share" IS 'Papers with a GitHub repository, of those whose pages could show one. Unit: of 1. Null: no page that could show it was captured: the field was not there yet. Source: field_availability of github_url.';
COMMENT ON COLUMN "mart"."papers_by_month"."organization_paper_count" IS 'Papers listed under an organization. Read it with organization_share, as for repositories. Unit: papers. Null: the source had no such field yet. Source: field_availability of organization_name.';
COMMENT ON COLUMN "mart"."papers_by_month"."organization_share" IS 'Papers listed under an organization, of those whose pages could show one. Unit: of 1. Null: no page that could show it was captured: the field was not there yet. Source: field_availability of organization_name.';

CREATE TABLE "mart"."papers_by_week" (
    "week_on" DATE NOT NULL,
    "week" VARCHAR NOT NULL,
    "rank" BIGINT,
    "paper_id" VARCHAR NOT NULL,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "organization_name" VARCHAR,
    "upvote_count" INTEGER,
    "last_observed_hours" DOUBLE,
    "observation_count" BIGINT NOT NULL,
    "listed_on" DATE NOT NULL,
    "paper_count" BIGINT NOT NULL,
    "expected_day_count" BIGINT,
    "complete_day_count" BIGINT,
    "is_over" BOOLEAN
);
COMMENT ON TABLE "mart"."papers_by_week" IS 'One paper in one ISO week of list days. A week''s top papers, by upvotes as last seen: `WHERE week = ''2026-W40'' AND rank <= 10`. A list that lacks papers lacks them here too, and a paper that was looked at later has had more time: see is_over, complete_day_count and last_observed_hours. Key: week_on, paper_id.';
COMMENT ON COLUMN "mart"."papers_by_week"."week_on" IS 'Week of the list days. Unit: Monday of the week. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."papers_by_week"."week" IS 'The same week by its ISO number, as the Hub''s addresses have it. Unit: ISO week. Source: daily_listings.listed_on.';
COMMENT ON COLUMN "mart"."papers_by_week"."rank" IS 'Place among the week''s papers by upvotes as last seen; papers with as many share it. Unit: place, from 1. Null: no page showed upvotes. Source: computed.';
COMMENT ON COLUMN "mart"."papers_by_week"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."papers_by_week"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "mart"."papers_by_week"."organization_name" IS 'Display name of the organization. Null: no organization shown; the source has none before 2025-09-29. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."papers_by_week"."upvote_count" IS 'Upvotes as last seen. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."papers_by_week"."last_observed_hours" IS 'Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: never on a daily list, or no look whose time is known. Source: paper_observations.observed_at - papers.first_listed_on.';
COMMENT ON COLUMN "mart"."papers_by_week"."observation_count" IS 'How often its upvotes were looked at. Unit: observations. Source: upvote_curves.observation_count.';
COMMENT ON COLUMN "mart"."papers_by_week"."listed_on" IS 'First day of the week on whose list the paper is. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."papers_by_week"."paper_count" IS 'Papers on the week''s lists, each once. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."papers_by_week"."expected_day_count" IS 'List days, until the last fetch, on which the source should have a list. Unit: days. Null: outside `coverage`. Source: coverage of the API.';
COMMENT ON COLUMN "mart"."papers_by_week"."complete_day_count" IS 'Those of the expected days whose list is complete. Where they are fewer, papers are lacking: compare counts only between times that are complete alike. Unit: days. Null: outside `coverage`. Source: coverage of the API.';
COMMENT ON COLUMN "mart"."papers_by_week"."is_over" IS 'Whether all its lists were closed when the lake last fetched anything; else papers are still to come. Null: outside `coverage`. Source: coverage.listed_on.';

CREATE TABLE "mart"."search_names" (
    "word_hash" VARCHAR NOT NULL,
    "field" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."search_names" IS 'One word of an author''s name, or the whole of an organization''s. Which words are in names: a query with any other names nobody, and no name need be read to tell. Key: word_hash, field.';
COMMENT ON COLUMN "mart"."search_names"."word_hash" IS 'The first eight digits of the MD5 of a word of a name, in lower case without accents; of an organization that of its login in lower case, and that of the letters and digits of its name. Source: computed from paper_authors.name, papers.organization_login and papers.organization_name.';
COMMENT ON COLUMN "mart"."search_names"."field" IS 'Whose name: that of an `author`, or of an `org`. Source: computed.';

CREATE TABLE "mart"."source_fields" (
    "field" VARCHAR NOT NULL,
    "source_path" VARCHAR NOT NULL,
    "since_on" DATE
);
COMMENT ON TABLE "mart"."source_fields" IS 'One field that list items have. Where a field is in the source and since when, as the dictionary declares it. Key: field.';
COMMENT ON COLUMN "mart"."source_fields"."field" IS 'Column of `sightings`; `author_login` is in `paper_authors`. Source: the declarations.';
COMMENT ON COLUMN "mart"."source_fields"."source_path" IS 'Where the source has it. Source: the declarations.';
COMMENT ON COLUMN "mart"."source_fields"."since_on" IS 'First day on which answers had it. Unit: UTC day. Null: as long as the source is known. Source: the declarations (docs/source.md §9).';

CREATE TABLE "mart"."star_checks" (
    "paper_id" VARCHAR NOT NULL,
    "repository" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "from_at" TIMESTAMP NOT NULL,
    "until_at" TIMESTAMP NOT NULL,
    "from_count" INTEGER NOT NULL,
    "until_count" INTEGER NOT NULL,
    "shown_gain" INTEGER NOT NULL,
    "least_gain" INTEGER NOT NULL,
    "most_gain" INTEGER NOT NULL,
    "difference" INTEGER NOT NULL,
    "is_disputed" BOOLEAN NOT NULL,
    "capture_id" VARCHAR NOT NULL
);
COMMENT ON TABLE "mart"."star_checks" IS 'One answer of GitHub on the repository of a paper, whose stars the Hub had shown twice in the weeks of it. Whether two series of a repository''s stars agree: the Hub''s counts, and GitHub''s gains of stars still held. Less by the Hub''s are stars that were taken back, or an old count; more are stars that came and went, or a count of another repository. A paper that had shown two repositories by then is left out. Key: paper_id, observed_at, capture_id.';
COMMENT ON COLUMN "mart"."star_checks"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."star_checks"."repository" IS '`owner/name` on GitHub, in lower case, as it was asked for. Source: address of the request.';
COMMENT ON COLUMN "mart"."star_checks"."observed_at" IS 'When GitHub was asked. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."star_checks"."from_at" IS 'When the Hub''s first count was seen, of those in the answer''s weeks. Unit: UTC. Source: paper_observations.observed_at.';
COMMENT ON COLUMN "mart"."star_checks"."until_at" IS 'When the last was seen, before GitHub was asked. Unit: UTC. Source: paper_observations.observed_at.';
COMMENT ON COLUMN "mart"."star_checks"."from_count" IS 'The Hub''s count then. Unit: stars. Source: paper_observations.github_star_count.';
COMMENT ON COLUMN "mart"."star_checks"."until_count" IS 'The Hub''s last count. Unit: stars. Source: paper_observations.github_star_count.';
COMMENT ON COLUMN "mart"."star_checks"."shown_gain" IS 'What the Hub''s count grew by; below 0 where it fell. Unit: stars. Source: paper_observations.github_star_count.';
COMMENT ON COLUMN "mart"."star_checks"."least_gain" IS 'GitHub''s gains of the weeks that lie whole between the two moments. Unit: stars. Source: star_weeks.gained_count.';
COMMENT ON COLUMN "mart"."star_checks"."most_gain" IS 'The same with the weeks that begin or end between them. Unit: stars. Source: star_weeks.gained_count.';
COMMENT ON COLUMN "mart"."star_checks"."difference" IS '`shown_gain` without the nearest that GitHub''s gains allow; 0 where it is between the two. Unit: stars. Source: computed.';
COMMENT ON COLUMN "mart"."star_checks"."is_disputed" IS 'Whether the difference is of more than 10 stars, and of more than 5% of the Hub''s last count. Source: computed.';
COMMENT ON COLUMN "mart"."star_checks"."capture_id" IS 'The answer of GitHub. Source: computed when the page is landed.';

CREATE TABLE "mart"."submitters" (
    "submitter_login" VARCHAR NOT NULL,
    "submitter_name" VARCHAR,
    "paper_count" BIGINT NOT NULL,
    "day_count" BIGINT NOT NULL,
    "first_listed_on" DATE NOT NULL,
    "last_listed_on" DATE NOT NULL,
    "upvote_count" BIGINT,
    "median_upvote_count" DOUBLE,
    "median_observed_hours" DOUBLE
);
COMMENT ON TABLE "mart"."submitters" IS 'One person who submitted papers to Daily Papers. Who submits, how much, since when, and how it fares. Listings whose page did not name the submitter are missing here (before 2024-06-13 none did). Key: submitter_login.';
COMMENT ON COLUMN "mart"."submitters"."submitter_login" IS 'Hub login of the person who submitted the paper to Daily Papers. Source: paper.submittedOnDailyBy.user (2025-03-17 on), submittedBy.name. Since 2024-06-13.';
COMMENT ON COLUMN "mart"."submitters"."submitter_name" IS 'Display name as last seen. Null: not shown (before 2024-06-13, and from 2025-03-11 to 2025-03-14). Source: paper.submittedOnDailyBy.fullname (2025-03-17 on), submittedBy.fullname. Since 2024-06-13.';
COMMENT ON COLUMN "mart"."submitters"."paper_count" IS 'Papers that they submitted. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."submitters"."day_count" IS 'List days with a paper of theirs. Unit: days. Source: counted.';
COMMENT ON COLUMN "mart"."submitters"."first_listed_on" IS 'First list day with a paper of theirs. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."submitters"."last_listed_on" IS 'Last list day with a paper of theirs. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."submitters"."upvote_count" IS 'Sum of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."submitters"."median_upvote_count" IS 'Median of their upvotes as last seen. Unit: upvotes. Null: no page showed upvotes. Source: papers.upvote_count.';
COMMENT ON COLUMN "mart"."submitters"."median_observed_hours" IS 'Median, over the papers, of the hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: no look whose time is known. Source: upvote_curves.last_observed_hours.';

CREATE TABLE "mart"."systems" (
    "name" VARCHAR USING COMPRESSION zstd NOT NULL,
    "kind" VARCHAR,
    "paper_id" VARCHAR NOT NULL,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "organization_name" VARCHAR,
    "organization_login" VARCHAR,
    "first_listed_on" DATE,
    "published_on" DATE,
    "upvote_count" INTEGER,
    "last_observed_hours" DOUBLE,
    "claim_count" BIGINT NOT NULL,
    "claim" VARCHAR USING COMPRESSION zstd,
    "claim_value" DOUBLE,
    "claim_unit" VARCHAR,
    "claim_metric" VARCHAR,
    "claim_direction" VARCHAR,
    "claim_bound" VARCHAR,
    "claim_comparator" VARCHAR,
    "claim_sentence" VARCHAR USING COMPRESSION zstd,
    "github_url" VARCHAR USING COMPRESSION zstd,
    "project_url" VARCHAR USING COMPRESSION zstd,
    "arxiv_id" VARCHAR
);
COMMENT ON TABLE "mart"."systems" IS 'One paper that gives its main work a name. What papers built: name, kind, paper, organization, first listing, links, and the headline claim: the first of the abstract that names what it is compared with, else the first that reports a change, else the first. Two papers can give one name to two things. Key: paper_id.';
COMMENT ON COLUMN "mart"."systems"."name" IS 'The name, letter by letter as the text has it. Source: papers.title, or paper_texts.abstract.';
COMMENT ON COLUMN "mart"."systems"."kind" IS 'What the words beside the name call it (`framework`, `pipeline`: method; `engine`: system; …). Null: the words beside it do not say. Source: computed from the text.';
COMMENT ON COLUMN "mart"."systems"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."systems"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "mart"."systems"."organization_name" IS 'Display name of the organization. Null: no organization shown; the source has none before 2025-09-29. Source: paper.organization.fullname, organization.fullname; submitterOrganization.fullname until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."systems"."organization_login" IS 'Hub login of the organization the paper is listed under. Null: no organization shown, or shown by name only; the source has none before 2025-09-29. Source: paper.organization.name, organization.name; submitterOrganization.name until 2025-10-02. Since 2025-09-29.';
COMMENT ON COLUMN "mart"."systems"."first_listed_on" IS 'First day on a daily list. Unit: list day. Null: never seen on a daily list. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."systems"."published_on" IS 'Day of the first submission to arXiv. Unit: UTC day. Null: the page showed no date, or one whose year is unknown, or one that the arXiv id contradicts (`papers.published_basis`). Source: papers.published_on.';
COMMENT ON COLUMN "mart"."systems"."upvote_count" IS 'Upvotes as last seen. Unit: upvotes. Null: not shown. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."systems"."last_observed_hours" IS 'Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: never on a daily list, or no look whose time is known. Source: paper_observations.observed_at - papers.first_listed_on.';
COMMENT ON COLUMN "mart"."systems"."claim_count" IS 'Claims of the abstract. Unit: claims. Source: counted in paper_claims.';
COMMENT ON COLUMN "mart"."systems"."claim" IS 'The headline claim, as the abstract has it. Null: the abstract claims no number that the rules see. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."systems"."claim_value" IS 'The number as written, not converted: of `two minutes` 2, of `3.5 GB` 3.5. Words are counted: of `three orders of magnitude` 1000, of `1 million` 1000000, of `halves` 2. Of a range its first number. Null: the abstract claims no number that the rules see. Source: computed from the text.';
COMMENT ON COLUMN "mart"."systems"."claim_unit" IS 'Kind of unit: `x` times; `%` a share, or a change of one; `points`; `s` any time and `B` any amount of memory, whose scale only the text has; `count` of the noun in the text; `score` a bare number. Null: the abstract claims no number that the rules see. Source: computed from the text.';
COMMENT ON COLUMN "mart"."systems"."claim_metric" IS 'What is measured: `quality` is any score of goodness, `error` any of badness, `latency` any time. Null: the abstract claims no number that the rules see, or the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."systems"."claim_direction" IS '`up` or `down`: how much it rose or fell; `level`: where it stands. Null: the abstract claims no number that the rules see, or the sentence does not say. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."systems"."claim_bound" IS 'How the sentence bounds the number: over and more than are `at least`, nearly is `about`. Null: the abstract claims no number that the rules see, or the sentence does not bound it. Source: computed from the words of the sentence.';
COMMENT ON COLUMN "mart"."systems"."claim_comparator" IS 'What it is compared with, letter by letter as the abstract has it. Null: the abstract claims no number that the rules see, or the sentence does not say. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."systems"."claim_sentence" IS 'The sentence of the abstract that the claim stands in. Null: the abstract claims no number that the rules see. Source: paper_texts.abstract.';
COMMENT ON COLUMN "mart"."systems"."github_url" IS 'GitHub address as last seen. Null: none shown. Source: paper_links.url. Since 2025-03-04.';
COMMENT ON COLUMN "mart"."systems"."project_url" IS 'Project page as last seen. Null: none shown. Source: paper_links.url. Since 2025-03-04.';
COMMENT ON COLUMN "mart"."systems"."arxiv_id" IS 'arXiv id without version, as text: trailing zeros count. Null: no page of the paper showed an arXiv id. Source: paper.id; the line `arxiv:…` of a saved paper page.';

CREATE TABLE "mart"."trending_papers" (
    "trending_on" DATE NOT NULL,
    "rank" INTEGER NOT NULL,
    "paper_id" VARCHAR NOT NULL,
    "title" VARCHAR USING COMPRESSION zstd NOT NULL,
    "listed_on" DATE NOT NULL,
    "upvote_count" INTEGER NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "observed_hours" DOUBLE NOT NULL,
    "expected_count" DOUBLE NOT NULL,
    "past_count" INTEGER NOT NULL,
    "mean_count" DOUBLE NOT NULL,
    "surprise" DOUBLE NOT NULL,
    "previous_upvote_count" INTEGER,
    "previous_observed_at" TIMESTAMP,
    "velocity" DOUBLE,
    "mean_velocity" DOUBLE,
    "age_hours" DOUBLE NOT NULL,
    "score" DOUBLE NOT NULL,
    "basis" VARCHAR NOT NULL,
    "formula" INTEGER NOT NULL
);
COMMENT ON TABLE "mart"."trending_papers" IS 'One of the papers that trended most at the end of one list day. The 50 papers of a week''s lists whose upvotes surprise most for their age, with every term of the score: what `trending_as_of` says of 24:00 UTC of the list day. With one look a paper it is no more than upvotes held against those of others at that age, and says so (`basis`). Key: trending_on, paper_id.';
COMMENT ON COLUMN "mart"."trending_papers"."trending_on" IS 'The list day at whose end it is. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."trending_papers"."rank" IS 'Place by `score`; of equals the one with more upvotes, then the lower id. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."trending_papers"."title" IS 'Title on one line, whitespace collapsed, LaTeX as the source has it. Source: paper.title, else title; title line of a saved text.';
COMMENT ON COLUMN "mart"."trending_papers"."listed_on" IS 'Day of the daily list, the last one in the window. Unit: list day. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."trending_papers"."upvote_count" IS 'Upvotes at the last look by then. Unit: upvotes. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."trending_papers"."observed_at" IS 'When that look was. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."trending_papers"."observed_hours" IS 'Hours from 00:00 UTC of the list day to that look. Unit: hours. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."expected_count" IS 'Mean upvotes of other papers at their first look of that age, a day before the moment or earlier; 20 papers with `mean_count` count in. Unit: upvotes. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."past_count" IS 'How many papers that is the mean of. Unit: papers. Source: counted.';
COMMENT ON COLUMN "mart"."trending_papers"."mean_count" IS 'The same mean over all ages; 1 where the lake has no past. Unit: upvotes. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."surprise" IS '(upvote_count + 1 mean_count) / (expected_count + 1 mean_count). Unit: ratio. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."previous_upvote_count" IS 'Upvotes at the last look that was 3 hours before or more. Unit: upvotes. Null: one look, or none 3 hours before it. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."trending_papers"."previous_observed_at" IS 'When that was. Unit: UTC. Null: one look, or none 3 hours before it. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."trending_papers"."velocity" IS '(upvotes gained + a) / (hours between + b), a and b the means of both over past pairs of looks. Unit: upvotes an hour. Null: one look, or none 3 hours before it; or no past to compare with. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."mean_velocity" IS 'a / b. Unit: upvotes an hour. Null: no past pair of looks gained upvotes. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."age_hours" IS 'Hours from 00:00 UTC of the list day to the moment, without those of Saturdays and Sundays. Unit: hours. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."score" IS 'ln(surprise) + 0 ln(velocity / mean_velocity) - age_hours / 48. Unit: of the formula. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."basis" IS 'Whether there is a velocity: `two looks`, or `one look`. Source: computed.';
COMMENT ON COLUMN "mart"."trending_papers"."formula" IS 'Version of the formula and its constants. Unit: version. Source: declared.';

CREATE TABLE "mart"."upvote_curves" (
    "paper_id" VARCHAR NOT NULL,
    "first_listed_on" DATE,
    "observation_count" BIGINT NOT NULL,
    "first_upvote_count" INTEGER NOT NULL,
    "last_upvote_count" INTEGER NOT NULL,
    "first_observed_hours" DOUBLE,
    "last_observed_hours" DOUBLE,
    "half_after_hours" DOUBLE,
    "half_by_hours" DOUBLE,
    "most_after_hours" DOUBLE,
    "most_by_hours" DOUBLE
);
COMMENT ON TABLE "mart"."upvote_curves" IS 'One paper whose upvotes were seen. When a paper had half and nine tenths of its last known upvotes. The end of a curve is the last fetch, not the end of upvoting: compare papers with like last_observed_hours only. Key: paper_id.';
COMMENT ON COLUMN "mart"."upvote_curves"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."upvote_curves"."first_listed_on" IS 'First day on a daily list. Unit: list day. Null: never seen on one. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."upvote_curves"."observation_count" IS 'Fetch times with upvotes. Unit: observations. Source: counted.';
COMMENT ON COLUMN "mart"."upvote_curves"."first_upvote_count" IS 'Upvotes at the first observation. Unit: upvotes. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."upvote_curves"."last_upvote_count" IS 'Upvotes at the last observation. Unit: upvotes. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."upvote_curves"."first_observed_hours" IS 'Hours from 00:00 UTC of the first list day to the first observation. Unit: hours. Null: never on a daily list. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_curves"."last_observed_hours" IS 'Hours from 00:00 UTC of the first list day to the last look at the upvotes. Compare only upvotes that were seen about as late. Unit: hours. Null: never on a daily list. Source: paper_observations.observed_at - papers.first_listed_on.';
COMMENT ON COLUMN "mart"."upvote_curves"."half_after_hours" IS 'Last observation with fewer than half. Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ and _by_, and later upvotes would move it. Unit: hours. Null: fewer than two observations, no upvotes, or never on a daily list; or the first had half. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_curves"."half_by_hours" IS 'First observation with at least half. Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ and _by_, and later upvotes would move it. Unit: hours. Null: fewer than two observations, no upvotes, or never on a daily list. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_curves"."most_after_hours" IS 'Last with fewer than 90 %. Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ and _by_, and later upvotes would move it. Unit: hours. Null: fewer than two observations, no upvotes, or never on a daily list; or the first had 90 %. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_curves"."most_by_hours" IS 'First observation with at least 90 %. Hours from 00:00 UTC of the first list day. Seen only when a page was fetched: the true time is between _after_ and _by_, and later upvotes would move it. Unit: hours. Null: fewer than two observations, no upvotes, or never on a daily list. Source: computed.';

CREATE TABLE "mart"."upvote_growth" (
    "paper_id" VARCHAR NOT NULL,
    "observed_at" TIMESTAMP NOT NULL,
    "first_listed_on" DATE,
    "observation_number" BIGINT NOT NULL,
    "observation_count" BIGINT NOT NULL,
    "observed_hours" DOUBLE,
    "upvote_count" INTEGER NOT NULL,
    "gained_upvote_count" BIGINT,
    "since_last_hours" DOUBLE,
    "gained_per_day" DOUBLE
);
COMMENT ON TABLE "mart"."upvote_growth" IS 'One look at one paper''s upvotes. How upvotes grew between looks, and how often each paper was looked at. What happened between two looks is not known; a paper with one look has no growth here, which is not growth of 0. Key: paper_id, observed_at.';
COMMENT ON COLUMN "mart"."upvote_growth"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."upvote_growth"."observed_at" IS 'When the page was fetched. Unit: UTC. Source: fetch time of the capture.';
COMMENT ON COLUMN "mart"."upvote_growth"."first_listed_on" IS 'First day on a daily list. Unit: list day. Null: never seen on one. Source: date= of the request; $.date of an HTML page; else day of paper.submittedOnDailyAt (2025-03-17 on).';
COMMENT ON COLUMN "mart"."upvote_growth"."observation_number" IS 'Which look at the paper it is. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_growth"."observation_count" IS 'How often the paper was looked at in all. Unit: observations. Source: counted.';
COMMENT ON COLUMN "mart"."upvote_growth"."observed_hours" IS 'Hours from 00:00 UTC of the first list day to the look. Unit: hours. Null: never on a daily list. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_growth"."upvote_count" IS 'Upvotes when the page was fetched. Unit: upvotes. Source: paper.upvotes; number above the title of a saved text, `-` is 0.';
COMMENT ON COLUMN "mart"."upvote_growth"."gained_upvote_count" IS 'Upvotes more than at the look before; fewer, where some were taken back. Unit: upvotes. Null: the first look at the paper. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_growth"."since_last_hours" IS 'Hours since the look before. Unit: hours. Null: the first look at the paper. Source: computed.';
COMMENT ON COLUMN "mart"."upvote_growth"."gained_per_day" IS 'gained_upvote_count for each 24 hours since the look before. Unit: upvotes a day. Null: the first look at the paper. Source: computed.';

CREATE TABLE "about"."_tables" (
    "layer" VARCHAR NOT NULL,
    "table_name" VARCHAR NOT NULL,
    "kind" VARCHAR NOT NULL,
    "call" VARCHAR NOT NULL,
    "grain" VARCHAR NOT NULL,
    "answers" VARCHAR NOT NULL,
    "key" VARCHAR[],
    "row_count" BIGINT,
    "files" VARCHAR[]
);
COMMENT ON TABLE "about"."_tables" IS 'One table, view or macro of this database. What there is, what a row of it is, and what it answers. Key: layer, table_name.';
COMMENT ON COLUMN "about"."_tables"."layer" IS 'Schema it is in; its name resolves without one. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."table_name" IS 'Name of the table. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."kind" IS 'What it is. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."call" IS 'How to ask it, with the parameters of a macro. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."grain" IS 'What one row is. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."answers" IS 'What it answers. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."key" IS 'Columns whose values together name a row. Null: a macro has none. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_tables"."row_count" IS 'Rows. Unit: rows. Null: a mart or a macro, or a table of schema `about`. Source: counted.';
COMMENT ON COLUMN "about"."_tables"."files" IS 'Its Parquet files in the release. Null: it is in this database only. Source: the draft of the release.';

CREATE TABLE "about"."_columns" (
    "layer" VARCHAR NOT NULL,
    "table_name" VARCHAR NOT NULL,
    "position" INTEGER NOT NULL,
    "column_name" VARCHAR NOT NULL,
    "type" VARCHAR NOT NULL,
    "meaning" VARCHAR NOT NULL,
    "unit" VARCHAR,
    "null_meaning" VARCHAR,
    "source" VARCHAR NOT NULL,
    "since" DATE,
    "origin" VARCHAR NOT NULL,
    "licence" VARCHAR NOT NULL,
    "example" VARCHAR
);
COMMENT ON TABLE "about"."_columns" IS 'One column of one table, view or macro of this database. What a value means, in which unit, where it comes from, what null means, and under which licence it is. Key: layer, table_name, position.';
COMMENT ON COLUMN "about"."_columns"."layer" IS 'Schema it is in; its name resolves without one. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."table_name" IS 'Name of the table. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."position" IS 'Place among the columns. Unit: place, from 1. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."column_name" IS 'Name of the column. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."type" IS 'DuckDB type. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."meaning" IS 'What a value means. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."unit" IS 'Unit or kind of the values. Null: none. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."null_meaning" IS 'What a missing value means. Null: never missing. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."source" IS 'Where the value comes from: a path in the source, or how it is computed. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."since" IS 'First day on which the source has it. Unit: day. Null: always, or not known. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."origin" IS 'Whose the value is. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."licence" IS 'Under which it may be used: an SPDX id, or `LicenseRef-…` (`LICENSE.md` of the release). Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_columns"."example" IS 'The lowest value there is, its first 100 characters. Null: no value in this release, a number, or a macro. Source: the table itself.';

CREATE TABLE "about"."_releases" (
    "version" VARCHAR NOT NULL,
    "parent" VARCHAR,
    "schema_version" INTEGER NOT NULL,
    "code_version" VARCHAR NOT NULL,
    "capture_count" BIGINT NOT NULL,
    "paper_count" BIGINT NOT NULL,
    "row_count" BIGINT NOT NULL,
    "parquet_bytes" BIGINT NOT NULL,
    "check_count" BIGINT NOT NULL,
    "failed_check_count" BIGINT NOT NULL,
    "last_listed_on" DATE,
    "accepted_loss" VARCHAR,
    "quarantined_count" BIGINT
);
COMMENT ON TABLE "about"."_releases" IS 'One release: this one, or an ancestor. This release and its ancestors, with rows and bytes. Key: version.';
COMMENT ON COLUMN "about"."_releases"."version" IS 'Day of the release and its number on that day. Source: the manifest.';
COMMENT ON COLUMN "about"."_releases"."parent" IS 'Release that it follows. Null: the first one. Source: the manifest.';
COMMENT ON COLUMN "about"."_releases"."schema_version" IS 'Counts up when the columns of a core table change. Source: the manifest.';
COMMENT ON COLUMN "about"."_releases"."code_version" IS 'Version of paperlake that made it. Source: the manifest.';
COMMENT ON COLUMN "about"."_releases"."capture_count" IS 'Captured pages it is made from. Unit: pages. Source: counted.';
COMMENT ON COLUMN "about"."_releases"."paper_count" IS 'Papers it knows. Unit: papers. Source: counted.';
COMMENT ON COLUMN "about"."_releases"."row_count" IS 'Rows of all its tables. Unit: rows. Source: counted.';
COMMENT ON COLUMN "about"."_releases"."parquet_bytes" IS 'Size of its tables as Parquet. Unit: bytes. Source: measured.';
COMMENT ON COLUMN "about"."_releases"."check_count" IS 'Checks that the gate made before it. Unit: checks. Source: counted.';
COMMENT ON COLUMN "about"."_releases"."failed_check_count" IS 'Those of them that failed. Unit: checks. Source: counted.';
COMMENT ON COLUMN "about"."_releases"."last_listed_on" IS 'Last day of the daily lists. Unit: list day. Null: no list. Source: daily_listings.';
COMMENT ON COLUMN "about"."_releases"."accepted_loss" IS 'Why somebody let it pass although guards failed. Null: none failed. Source: the manifest.';
COMMENT ON COLUMN "about"."_releases"."quarantined_count" IS 'Rows of its pages that are in quarantine. Unit: rows. Null: an older paperlake did not count them. Source: counted.';

CREATE TABLE "about"."_checks" (
    "table_name" VARCHAR NOT NULL,
    "rule" VARCHAR NOT NULL,
    "kind" VARCHAR NOT NULL,
    "meaning" VARCHAR NOT NULL,
    "has_passed" BOOLEAN NOT NULL,
    "row_count" BIGINT NOT NULL,
    "failed_count" BIGINT NOT NULL,
    "examples" VARCHAR[] NOT NULL
);
COMMENT ON TABLE "about"."_checks" IS 'One check of one table that the gate made before this release. What was checked, and what came of it. Key: table_name, rule.';
COMMENT ON COLUMN "about"."_checks"."table_name" IS 'Name of the table. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_checks"."rule" IS 'Name of the check. Source: the gate.';
COMMENT ON COLUMN "about"."_checks"."kind" IS '`shape`, the columns; `values` of one column; a `rule` across columns; a `reference`; `across` tables; `history`, compared with the previous release; `pages`, new pages compared with those before. Source: the gate.';
COMMENT ON COLUMN "about"."_checks"."meaning" IS 'What is wrong where the check fails. Source: the gate.';
COMMENT ON COLUMN "about"."_checks"."has_passed" IS 'Whether it held. Source: the gate.';
COMMENT ON COLUMN "about"."_checks"."row_count" IS 'Rows checked; by checks of values, only rows that no earlier release has unchanged. Unit: rows. Source: counted.';
COMMENT ON COLUMN "about"."_checks"."failed_count" IS 'Rows that broke it. Unit: rows. Source: counted.';
COMMENT ON COLUMN "about"."_checks"."examples" IS 'Keys of the first few rows that broke it. Source: the gate.';

CREATE TABLE "about"."_errata" (
    "version" VARCHAR NOT NULL,
    "affected" VARCHAR NOT NULL,
    "retracted_at" TIMESTAMP NOT NULL,
    "why" VARCHAR NOT NULL
);
COMMENT ON TABLE "about"."_errata" IS 'One part of a release that had been retracted when this one was published. Which releases are not to be used, why, and which of their rows. Key: version, affected.';
COMMENT ON COLUMN "about"."_errata"."version" IS 'Day of the release and its number on that day. Source: `paperlake retract`.';
COMMENT ON COLUMN "about"."_errata"."affected" IS 'What of it is wrong: `table`, or `table:key`; `*` is all of it. Source: `paperlake retract`.';
COMMENT ON COLUMN "about"."_errata"."retracted_at" IS 'When it was retracted. Unit: UTC. Source: `paperlake retract`.';
COMMENT ON COLUMN "about"."_errata"."why" IS 'Why, in words. Source: `paperlake retract`.';

CREATE TABLE "about"."_changes" (
    "table_name" VARCHAR NOT NULL,
    "change" VARCHAR NOT NULL,
    "column_name" VARCHAR NOT NULL,
    "cause" VARCHAR NOT NULL,
    "cell_count" BIGINT NOT NULL,
    "keys" VARCHAR[] NOT NULL
);
COMMENT ON TABLE "about"."_changes" IS 'One cause of changes of one kind in one column, or in the rows, of one table since the previous release. What differs from the previous release, and why: each cell, row and figure that differs has one cause. Key: table_name, change, column_name, cause.';
COMMENT ON COLUMN "about"."_changes"."table_name" IS 'Table or mart. Source: both releases compared.';
COMMENT ON COLUMN "about"."_changes"."change" IS 'Rows that were `added` or `removed`, cells that `changed` in rows of both releases, or a column that came or went. Source: both releases compared.';
COMMENT ON COLUMN "about"."_changes"."column_name" IS 'Column; `*` for whole rows. Columns that say when, where or how often something was seen are left out. Source: both releases compared.';
COMMENT ON COLUMN "about"."_changes"."cause" IS '`correction`: we say otherwise than the source did, with a reason (`corrections.yaml`, `captures`); `schema`: a table or a column came or went; `reader`: our code reads or computes the same pages otherwise than it did; `restated`: the source changed what it had said of the past; `late_capture`: a page was added that was fetched before the older release''s newest page, or at an unknown time; `world`: a page fetched later shows it. Source: computed.';
COMMENT ON COLUMN "about"."_changes"."cell_count" IS 'Number of cells, or of rows; 1 for a column that came or went. Unit: cells or rows. Source: counted.';
COMMENT ON COLUMN "about"."_changes"."keys" IS 'Their keys in order, each the values of the table''s key as JSON: the first 500. `paperlake diff --why --keys FILE` writes all. Source: both releases compared.';

CREATE TABLE "about"."_file" (
    "declared_sha256" VARCHAR NOT NULL,
    "whole_bytes" BIGINT,
    "parquet_bytes" BIGINT NOT NULL
);
COMMENT ON TABLE "about"."_file" IS 'This file. Whether the next release copies this file and replaces rows in it, or makes a new one, as it does once copies have grown by a quarter. Key: declared_sha256.';
COMMENT ON COLUMN "about"."_file"."declared_sha256" IS 'SHA-256 over the statements that make its tables, views and macros. Source: the declarations of the tables.';
COMMENT ON COLUMN "about"."_file"."whole_bytes" IS 'Its size when it was made anew. Unit: bytes. Null: it is not a copy: its own size. Source: measured.';
COMMENT ON COLUMN "about"."_file"."parquet_bytes" IS 'Size of the core tables as Parquet when it was made anew. Unit: bytes. Source: measured.';

COMMENT ON VIEW "mart"."paper_outcomes" IS 'One paper of which something is known at arXiv or by a registry. What became of a paper, in a word. What is known of it in all: `paper_status`, `paper_publications`. Key: paper_id.';
COMMENT ON COLUMN "mart"."paper_outcomes"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."paper_outcomes"."status" IS 'What became of the paper by the newest looks, the first that holds: `withdrawn` at arXiv by two signs, `deleted` there; the work that it is published as was `retracted`, or is of `concern`; `suspected` to be withdrawn by one sign; `published`; `present` at arXiv. Source: paper_status.status, paper_publications.status.';

COMMENT ON VIEW "mart"."search_postings" IS 'One term of one paper. Which terms a paper has, and how much each counts in it: `search_lists` with a row for each paper. Key: term, paper_id.';
COMMENT ON COLUMN "mart"."search_postings"."term" IS 'What all forms of a word share: American spelling, then the stem that Snowball gives for English. Source: computed from the words of titles and abstracts.';
COMMENT ON COLUMN "mart"."search_postings"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."search_postings"."weight" IS 'How much the term counts in the paper (BM25F), as a function of the paper''s text alone. Unit: 1/100. Source: computed.';

COMMENT ON VIEW "mart"."text_versions" IS 'One content of one text of one paper. `paper_versions` with every text: titles, abstracts and AI summaries, first and last seen. Key: paper_id, field, version_number.';
COMMENT ON COLUMN "mart"."text_versions"."paper_id" IS 'The paper: its arXiv id without version where any page ever gave one, else `title:` and a hash. Source: computed from all sightings.';
COMMENT ON COLUMN "mart"."text_versions"."field" IS 'Which text. Source: the column of sightings.';
COMMENT ON COLUMN "mart"."text_versions"."version_number" IS 'Place among the contents of the text by when they were first seen; a content seen only on pages whose fetch time is unknown comes first. No version number of arXiv. Unit: place, from 1. Source: computed.';
COMMENT ON COLUMN "mart"."text_versions"."text" IS 'The text as its most trusted page shows it. Source: title, abstract and ai_summary of the sightings.';
COMMENT ON COLUMN "mart"."text_versions"."has_changed" IS 'Whether the paper''s text has more than one version. Source: paper_versions.';
COMMENT ON COLUMN "mart"."text_versions"."first_seen_at" IS 'Fetch time of the first page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: earliest observed_at of its sightings.';
COMMENT ON COLUMN "mart"."text_versions"."last_seen_at" IS 'Fetch time of the last page that showed it. Unit: UTC. Null: seen only on pages whose fetch time is unknown. Source: latest observed_at of its sightings.';
COMMENT ON COLUMN "mart"."text_versions"."sighting_count" IS 'Number of sightings that the row is based on. Unit: sightings. Source: counted.';
COMMENT ON COLUMN "mart"."text_versions"."capture_id" IS 'The first page that shows it so, of the source that counts. Source: computed when the page is landed.';
COMMENT ON COLUMN "mart"."text_versions"."arxiv_version_on" IS 'Day of the version at arXiv that the text is of, by arXiv''s own word. Told where arXiv had as many versions as the text had had contents when it was first seen: of one that had one version, the first. Unit: UTC day. Null: arXiv was not asked since, had more versions by then, or the text is not arXiv''s. Source: arxiv_versions.version_at.';

CREATE VIEW main."captures" AS FROM "core"."captures";
CREATE VIEW main."sightings" AS FROM "core"."sightings";
CREATE VIEW main."papers" AS SELECT "papers".*, "paper_texts"."abstract" FROM "core"."papers" LEFT JOIN "core"."paper_texts" USING ("paper_id");
CREATE VIEW main."paper_texts" AS FROM "core"."paper_texts";
CREATE VIEW main."paper_citations" AS FROM "core"."paper_citations";
CREATE VIEW main."paper_aliases" AS FROM "core"."paper_aliases";
CREATE VIEW main."paper_versions" AS FROM "core"."paper_versions";
CREATE VIEW main."paper_clusters" AS FROM "core"."paper_clusters";
CREATE VIEW main."identity_records" AS FROM "core"."identity_records";
CREATE VIEW main."identity_pairs" AS FROM "core"."identity_pairs";
CREATE VIEW main."paper_observations" AS FROM "core"."paper_observations";
CREATE VIEW main."daily_listings" AS FROM "core"."daily_listings";
CREATE VIEW main."list_appearances" AS FROM "core"."list_appearances";
CREATE VIEW main."paper_authors" AS FROM "core"."paper_authors";
CREATE VIEW main."organizations" AS FROM "core"."organizations";
CREATE VIEW main."paper_keywords" AS FROM "core"."paper_keywords";
CREATE VIEW main."paper_links" AS FROM "core"."paper_links";
CREATE VIEW main."paper_repositories" AS FROM "core"."paper_repositories";
CREATE VIEW main."adoption_looks" AS FROM "core"."adoption_looks";
CREATE VIEW main."paper_discussions" AS FROM "core"."paper_discussions";
CREATE VIEW main."arxiv_records" AS FROM "core"."arxiv_records";
CREATE VIEW main."arxiv_versions" AS FROM "core"."arxiv_versions";
CREATE VIEW main."arxiv_looks" AS FROM "core"."arxiv_looks";
CREATE VIEW main."arxiv_changes" AS FROM "core"."arxiv_changes";
CREATE VIEW main."published_works" AS FROM "core"."published_works";
CREATE VIEW main."work_relations" AS FROM "core"."work_relations";
CREATE VIEW main."star_weeks" AS FROM "core"."star_weeks";
CREATE VIEW main."paper_systems" AS FROM "core"."paper_systems";
CREATE VIEW main."paper_claims" AS FROM "core"."paper_claims";
CREATE VIEW main."version_claims" AS FROM "core"."version_claims";
CREATE VIEW main."paper_acronyms" AS FROM "core"."paper_acronyms";
CREATE VIEW main."search_words" AS FROM "core"."search_words";
CREATE VIEW main."search_terms" AS FROM "core"."search_terms";
CREATE VIEW main."search_rarities" AS FROM "core"."search_rarities";
CREATE VIEW main."search_lists" AS FROM "core"."search_lists";
CREATE VIEW main."search_basis" AS FROM "core"."search_basis";
CREATE VIEW main."search_vectors" AS FROM "core"."search_vectors";
CREATE VIEW main."search_embeddings" AS FROM "core"."search_embeddings";
CREATE VIEW main."similar_papers" AS FROM "core"."similar_papers";
CREATE VIEW main."conflicts" AS FROM "core"."conflicts";
CREATE VIEW main."corrections" AS FROM "core"."corrections";
CREATE VIEW main."coverage" AS FROM "core"."coverage";
CREATE VIEW main."schema_paths" AS FROM "core"."schema_paths";
CREATE VIEW main."quarantine" AS FROM "core"."quarantine";
CREATE VIEW main."acronyms" AS FROM "mart"."acronyms";
CREATE VIEW main."adoption" AS FROM "mart"."adoption";
CREATE VIEW main."adoption_by_month" AS FROM "mart"."adoption_by_month";
CREATE VIEW main."arxiv_history" AS FROM "mart"."arxiv_history";
CREATE VIEW main."benchmarks" AS FROM "mart"."benchmarks";
CREATE VIEW main."boards" AS FROM "mart"."boards";
CREATE VIEW main."claims_by_metric" AS FROM "mart"."claims_by_metric";
CREATE VIEW main."daily_papers" AS FROM "mart"."daily_papers";
CREATE VIEW main."field_availability" AS FROM "mart"."field_availability";
CREATE VIEW main."fields_filled_in" AS FROM "mart"."fields_filled_in";
CREATE VIEW main."keywords_by_month" AS FROM "mart"."keywords_by_month";
CREATE VIEW main."listing_lag" AS FROM "mart"."listing_lag";
CREATE VIEW main."organizations_by_month" AS FROM "mart"."organizations_by_month";
CREATE VIEW main."paper_outcomes" AS FROM "mart"."paper_outcomes";
CREATE VIEW main."paper_publications" AS FROM "mart"."paper_publications";
CREATE VIEW main."paper_status" AS FROM "mart"."paper_status";
CREATE VIEW main."papers_by_month" AS FROM "mart"."papers_by_month";
CREATE VIEW main."papers_by_week" AS FROM "mart"."papers_by_week";
CREATE VIEW main."search_names" AS FROM "mart"."search_names";
CREATE VIEW main."search_postings" AS FROM "mart"."search_postings";
CREATE VIEW main."source_fields" AS FROM "mart"."source_fields";
CREATE VIEW main."star_checks" AS FROM "mart"."star_checks";
CREATE VIEW main."submitters" AS FROM "mart"."submitters";
CREATE VIEW main."systems" AS FROM "mart"."systems";
CREATE VIEW main."text_versions" AS FROM "mart"."text_versions";
CREATE VIEW main."trending_papers" AS FROM "mart"."trending_papers";
CREATE VIEW main."upvote_curves" AS FROM "mart"."upvote_curves";
CREATE VIEW main."upvote_growth" AS FROM "mart"."upvote_growth";

CREATE MACRO mart."source_rank"("source") AS
(-- Place among the sources, the least trusted first.
list_position(['copy', 'text', 'html', 'api'], source)
);
COMMENT ON MACRO mart."source_rank" IS 'How far a source is trusted: a more trusted source before a less trusted one (api before html before text before copy). Gives: One number. source: `source` of a sighting.';
CREATE MACRO main."source_rank"("source") AS mart."source_rank"("source");

CREATE MACRO mart."upvotes_at"("paper_id", "ts") AS
(-- The upvotes of one paper as last seen by a moment (UTC). Null where no page fetched by then showed any, never 0.
-- Columns are renamed inside, so that the caller's own `paper_id` or `observed_at` may stand for the parameters.
SELECT arg_max(seen_upvotes, seen_at)
FROM (
    SELECT
        observations.paper_id AS seen_paper,
        observations.observed_at AS seen_at,
        observations.upvote_count AS seen_upvotes
    FROM core.paper_observations AS observations
)
WHERE seen_paper = paper_id AND seen_at <= CAST(ts AS TIMESTAMP)
);
COMMENT ON MACRO mart."upvotes_at" IS 'The upvotes of a paper as last seen by a moment. Gives: One number. paper_id: the paper. ts: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."upvotes_at"("paper_id", "ts") AS mart."upvotes_at"("paper_id", "ts");

CREATE MACRO mart."listing_as_of"("day", "ts") AS TABLE
-- The list of one day as the last capture up to a moment (UTC) showed it. A list of several pages is one answer: of each
-- page (`p=`) the last capture counts, and no page below one that is not full any more. The same list at another
-- address (another `limit=`, the HTML page) is another answer; the one fetched last counts.
WITH captured AS (
    SELECT
        captures.capture_id,
        captures.fetched_at,
        captures.item_count,
        coalesce(regexp_replace(captures.url, '[?&]p=[0-9]+', ''), captures.capture_id) AS answer,
        coalesce(TRY_CAST(regexp_extract(captures.url, '[?&]p=([0-9]+)', 1) AS INTEGER), 0) AS page,
        coalesce(TRY_CAST(regexp_extract(captures.url, '[?&]limit=([0-9]+)', 1) AS INTEGER), 50) AS full_count
    FROM core.captures AS captures
    WHERE captures.list_kind = 'daily'
        AND captures.listed_on = CAST(day AS DATE)
        AND captures.fetched_at <= CAST(ts AS TIMESTAMP)
        AND captures.state IN ('read', 'partial', 'empty')
),
pages AS (
    SELECT *
    FROM captured
    WHERE answer = (SELECT last(answer ORDER BY fetched_at, capture_id) FROM captured)
    QUALIFY row_number() OVER (PARTITION BY page ORDER BY fetched_at DESC, capture_id DESC) = 1
),
placed AS (
    SELECT
        capture_id,
        page,
        coalesce(sum(item_count) OVER above, 0) AS above_count,
        coalesce(bool_and(item_count >= full_count) OVER above, TRUE) AS is_reached
    FROM pages
    WINDOW above AS (ORDER BY page ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT
    (placed.above_count + sightings.position)::INTEGER AS rank,
    sightings.paper_id,
    sightings.title,
    sightings.upvote_count,
    sightings.comment_count,
    sightings.submitter_login,
    sightings.observed_at,
    sightings.capture_id
FROM placed
JOIN core.sightings AS sightings USING (capture_id)
WHERE placed.is_reached
QUALIFY row_number() OVER (PARTITION BY sightings.paper_id ORDER BY placed.page, sightings.position) = 1
ORDER BY rank
;
COMMENT ON MACRO TABLE mart."listing_as_of" IS 'What the list of a day said at a moment: its last capture by then, places and counts of that capture. Gives: One paper on the list as it was captured. day: list day: a date, or text like ''2024-06-03''. ts: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."listing_as_of"("day", "ts") AS TABLE FROM mart."listing_as_of"("day", "ts");

CREATE MACRO mart."paper_as_of"("ts") AS TABLE
-- What `papers` would have said at a moment (UTC): only pages fetched by then count, so a page whose fetch time is
-- unknown never does. Papers go by the id they have today. The rules are those of `papers` (docs/history.md); counts are
-- those of `paper_observations`, which may be corrected.
SELECT
    "paper_id",
    "arxiv_id",
    "title",
    "published_on",
    CASE WHEN strftime(published_on, '%Y%m') > CASE WHEN substr(arxiv_id, strpos(arxiv_id, '/') + 1, 2) >= '91' THEN '19' ELSE '20' END || substr(arxiv_id, strpos(arxiv_id, '/') + 1, 4) THEN 'contradicted' ELSE published_basis END AS published_basis,
    "published_at",
    "submitted_at",
    "first_listed_on",
    "last_listed_on",
    "author_count",
    "organization_login",
    "organization_name",
    "upvote_count",
    "comment_count",
    "github_star_count",
    "first_seen_at",
    "last_seen_at",
    "sighting_count",
    "capture_id",
    "abstract"
FROM (
    SELECT
        paper_id,
        min(submitted_at) AS submitted_at,
        min(listed_on) AS first_listed_on,
        max(listed_on) AS last_listed_on,
        min(observed_at) AS first_seen_at,
        max(observed_at) AS last_seen_at,
        count(*)::INTEGER AS sighting_count,
        last(capture_id ORDER BY observed_at, capture_id, position) AS capture_id,
        last("arxiv_id" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "arxiv_id" IS NOT NULL) AS "arxiv_id",
        last("title" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "title" IS NOT NULL) AS "title",
        last("abstract" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "abstract" IS NOT NULL) AS "abstract",
        last("published_on" ORDER BY published_basis <> 'contradicted', published_basis = 'stated', mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "published_on" IS NOT NULL OR "published_basis" IS NOT NULL) AS "published_on",
        last("published_basis" ORDER BY published_basis <> 'contradicted', published_basis = 'stated', mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "published_on" IS NOT NULL OR "published_basis" IS NOT NULL) AS "published_basis",
        last("published_at" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "published_at" IS NOT NULL) AS "published_at",
        last("author_count" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "author_count" IS NOT NULL) AS "author_count",
        last("organization_login" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "organization_login" IS NOT NULL OR "organization_name" IS NOT NULL) AS "organization_login",
        last("organization_name" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "organization_login" IS NOT NULL OR "organization_name" IS NOT NULL) AS "organization_name"
    FROM core.sightings
    WHERE observed_at <= CAST(ts AS TIMESTAMP)
    GROUP BY paper_id
)
LEFT JOIN (
    SELECT
        paper_id,
        arg_max(upvote_count, observed_at) AS upvote_count,
        arg_max(comment_count, observed_at) AS comment_count,
        arg_max(github_star_count, observed_at) AS github_star_count
    FROM core.paper_observations
    WHERE observed_at <= CAST(ts AS TIMESTAMP)
    GROUP BY paper_id
) USING (paper_id)
ORDER BY paper_id
;
COMMENT ON MACRO TABLE mart."paper_as_of" IS 'What `papers` would have said at a moment: titles, counts and days as known then. Pages whose fetch time is unknown do not count; papers go by the id they have today. Gives: One paper that was seen by then. ts: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."paper_as_of"("ts") AS TABLE FROM mart."paper_as_of"("ts");

CREATE MACRO mart."panel"("cutoff", "horizon") AS TABLE
-- One row per paper that was seen by the cutoff (UTC): features from pages fetched by then, labels from pages fetched after
-- it and within the horizon. What is captured later changes neither (docs/history.md). Papers go by the id of today.
WITH looked AS (
    SELECT
        paper_id,
        count(upvote_count)::INTEGER AS look_count,
        max(observed_at) FILTER (WHERE upvote_count IS NOT NULL) AS upvotes_observed_at,
        last("model_count" ORDER BY observed_at) FILTER (WHERE "model_count" IS NOT NULL) AS "model_count",
        last("dataset_count" ORDER BY observed_at) FILTER (WHERE "dataset_count" IS NOT NULL) AS "dataset_count",
        last("space_count" ORDER BY observed_at) FILTER (WHERE "space_count" IS NOT NULL) AS "space_count"
    FROM core.paper_observations
    WHERE observed_at <= CAST(cutoff AS TIMESTAMP)
    GROUP BY paper_id
),
shown AS (
    SELECT
        paper_id,
        last("ai_summary" ORDER BY observed_at, capture_id, position) FILTER (WHERE "ai_summary" IS NOT NULL) AS "ai_summary",
        bool_or("ai_summary" IS NOT NULL OR (source NOT IN ('text', 'copy') AND observed_at >= DATE '2025-05-22')) AS "is_ai_summary_known",
        last("keywords" ORDER BY observed_at, capture_id, position) FILTER (WHERE "keywords" IS NOT NULL) AS "keywords",
        bool_or("keywords" IS NOT NULL OR (source NOT IN ('text', 'copy') AND observed_at >= DATE '2025-03-11')) AS "is_keywords_known",
        last("github_url" ORDER BY observed_at, capture_id, position) FILTER (WHERE "github_url" IS NOT NULL) AS "github_url",
        bool_or("github_url" IS NOT NULL OR (source NOT IN ('text', 'copy') AND observed_at >= DATE '2025-03-04')) AS "is_github_url_known",
        last("project_url" ORDER BY observed_at, capture_id, position) FILTER (WHERE "project_url" IS NOT NULL) AS "project_url",
        bool_or("project_url" IS NOT NULL OR (source NOT IN ('text', 'copy') AND observed_at >= DATE '2025-03-04')) AS "is_project_url_known",
        bool_or("organization_name" IS NOT NULL OR (source NOT IN ('text', 'copy') AND observed_at >= DATE '2025-09-29')) AS "is_organization_name_known"
    FROM core.sightings
    WHERE observed_at <= CAST(cutoff AS TIMESTAMP)
    GROUP BY paper_id
),
placed AS (
    SELECT
        paper_id,
        sightings.list_kind,
        sightings.observed_at,
        sightings.observed_at <= CAST(cutoff AS TIMESTAMP) AS is_by_cutoff,
        (position
            + coalesce(TRY_CAST(regexp_extract(url, '[?&]p=([0-9]+)', 1) AS INTEGER), 0)
            * coalesce(TRY_CAST(regexp_extract(url, '[?&]limit=([0-9]+)', 1) AS INTEGER), 50))::INTEGER AS place
    FROM core.sightings AS sightings
    JOIN core.captures AS captures USING (capture_id)
    WHERE sightings.list_kind IN ('daily', 'weekly', 'monthly', 'trending')
        AND sightings.observed_at <= CAST(cutoff AS TIMESTAMP) + CAST(horizon AS INTERVAL)
),
places AS (
    SELECT
        paper_id,
        last(place ORDER BY observed_at, place DESC) FILTER (WHERE list_kind = 'daily' AND is_by_cutoff) AS daily_place,
        min(place) FILTER (WHERE list_kind = 'daily' AND is_by_cutoff) AS best_daily_place,
        min(place) FILTER (WHERE list_kind = 'weekly' AND is_by_cutoff) AS best_weekly_place,
        min(place) FILTER (WHERE list_kind = 'monthly' AND is_by_cutoff) AS best_monthly_place,
        min(place) FILTER (WHERE list_kind = 'trending' AND is_by_cutoff) AS best_trending_place,
        min(place) FILTER (WHERE list_kind = 'trending' AND NOT is_by_cutoff) AS label_trending_place
    FROM placed
    GROUP BY paper_id
),
labels AS (
    SELECT
        paper_id,
        max(observed_at) FILTER (WHERE upvote_count IS NOT NULL) AS label_observed_at,
        last("upvote_count" ORDER BY observed_at) FILTER (WHERE "upvote_count" IS NOT NULL) AS "label_upvote_count",
        last("comment_count" ORDER BY observed_at) FILTER (WHERE "comment_count" IS NOT NULL) AS "label_comment_count",
        last("github_star_count" ORDER BY observed_at) FILTER (WHERE "github_star_count" IS NOT NULL) AS "label_github_star_count"
    FROM core.paper_observations
    WHERE observed_at > CAST(cutoff AS TIMESTAMP)
        AND observed_at <= CAST(cutoff AS TIMESTAMP) + CAST(horizon AS INTERVAL)
    GROUP BY paper_id
)
SELECT
    "paper_id",
    "arxiv_id",
    "title",
    "published_on",
    "published_basis",
    "published_at",
    "submitted_at",
    "first_listed_on",
    "last_listed_on",
    "author_count",
    "organization_login",
    "organization_name",
    "upvote_count",
    "comment_count",
    "github_star_count",
    "first_seen_at",
    "last_seen_at",
    "sighting_count",
    "capture_id",
    "abstract",
    "ai_summary",
    "is_ai_summary_known",
    "keywords",
    "is_keywords_known",
    "github_url",
    "is_github_url_known",
    "project_url",
    "is_project_url_known",
    "is_organization_name_known",
    "look_count",
    "upvotes_observed_at",
    "model_count",
    "dataset_count",
    "space_count",
    "daily_place",
    "best_daily_place",
    "best_weekly_place",
    "best_monthly_place",
    "best_trending_place",
    "label_upvote_count",
    "label_comment_count",
    "label_github_star_count",
    "label_observed_at",
    "label_gained_upvote_count",
    "label_trending_place"
FROM (SELECT *, label_upvote_count - upvote_count AS label_gained_upvote_count
    FROM mart.paper_as_of(cutoff)
    JOIN shown USING (paper_id)
    LEFT JOIN looked USING (paper_id)
    LEFT JOIN places USING (paper_id)
    LEFT JOIN labels USING (paper_id))
ORDER BY paper_id
;
COMMENT ON MACRO TABLE mart."panel" IS 'Features of papers as they were known at the cutoff, and labels from the time after it up to the horizon. Pages captured later change neither; a page of unknown fetch time counts for none. Papers go by the id they have today. Gives: One paper that was seen by the cutoff. cutoff: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''. horizon: an interval, or text like ''7 days''.';
CREATE MACRO main."panel"("cutoff", "horizon") AS TABLE FROM mart."panel"("cutoff", "horizon");

CREATE MACRO mart."trending_as_of"("moment", "days") AS TABLE
-- What trended at a moment (UTC): only pages fetched by then count, and expected counts come from pages that are
-- another day older, so that later captures change nothing. A page of unknown fetch time never counts.
WITH days AS (
    SELECT
        CAST(moment AS TIMESTAMP) AS at_moment,
        CAST(CAST(moment AS TIMESTAMP) AS DATE) - unnest(range(CAST(days AS BIGINT)))::INTEGER AS listed_on
),
looks AS (
    SELECT
        listings.listed_on,
        listings.paper_id,
        looked.observed_at AS looked_at,
        looked.upvote_count AS votes,
        epoch(looked.observed_at - listings.listed_on) / 3600 AS look_hours,
        greatest(looked.observed_at, listings.first_seen_at) AS known_at
    FROM core.daily_listings AS listings
    JOIN core.paper_observations AS looked USING (paper_id)
    WHERE looked.upvote_count IS NOT NULL
        AND listings.first_seen_at IS NOT NULL
        AND looked.observed_at >= listings.listed_on
),
paired AS (
    SELECT
        looks.*,
        (looks.look_hours >= 3)::INTEGER + (looks.look_hours >= 6)::INTEGER + (looks.look_hours >= 9)::INTEGER + (looks.look_hours >= 12)::INTEGER + (looks.look_hours >= 18)::INTEGER + (looks.look_hours >= 24)::INTEGER + (looks.look_hours >= 36)::INTEGER + (looks.look_hours >= 48)::INTEGER + (looks.look_hours >= 72)::INTEGER + (looks.look_hours >= 120)::INTEGER + (looks.look_hours >= 168)::INTEGER + (looks.look_hours >= 336)::INTEGER AS stage,
        earlier.looked_at AS earlier_at,
        earlier.votes AS earlier_votes
    FROM looks
    ASOF LEFT JOIN looks AS earlier
        ON earlier.paper_id = looks.paper_id
        AND earlier.listed_on = looks.listed_on
        AND earlier.looked_at <= looks.looked_at - INTERVAL 3 HOURS
),
firsts AS (
    SELECT
        paper_id,
        listed_on,
        stage,
        known_at,
        votes,
        CASE WHEN earlier_at IS NOT NULL THEN greatest(votes - earlier_votes, 0) END AS gained,
        CASE WHEN earlier_at IS NOT NULL THEN epoch(looked_at - earlier_at) / 3600 END AS hours
    FROM paired
    QUALIFY row_number() OVER (PARTITION BY paper_id, listed_on, stage ORDER BY looked_at) = 1
),
of_stage AS (
    SELECT
        stage,
        known_at,
        sum(count(*)) OVER so_far AS papers,
        sum(sum(votes)) OVER so_far AS votes
    FROM firsts
    GROUP BY stage, known_at
    WINDOW so_far AS (PARTITION BY stage ORDER BY known_at)
),
of_all AS (
    SELECT
        TRUE AS is_all,
        known_at,
        sum(count(*)) OVER so_far AS papers,
        sum(sum(votes)) OVER so_far AS votes,
        sum(count(hours)) OVER so_far AS pairs,
        sum(coalesce(sum(gained), 0)) OVER so_far AS gained,
        sum(coalesce(sum(hours), 0)) OVER so_far AS hours
    FROM firsts
    GROUP BY known_at
    WINDOW so_far AS (ORDER BY known_at)
),
seen AS (
    SELECT days.at_moment, days.at_moment - INTERVAL 1 DAY AS past_until, TRUE AS is_all, listed_on, paper_id
    FROM days
    JOIN core.daily_listings USING (listed_on)
    WHERE first_seen_at <= days.at_moment
    QUALIFY row_number() OVER (PARTITION BY days.at_moment, paper_id ORDER BY listed_on DESC) = 1
),
known AS (
    SELECT seen.*, looked_at, votes, look_hours, stage, earlier_at, earlier_votes
    FROM seen
    ASOF JOIN paired
        ON paired.paper_id = seen.paper_id
        AND paired.listed_on = seen.listed_on
        AND paired.looked_at <= seen.at_moment
),
compared AS (
    SELECT
        known.*,
        -- a paper is compared with others: its own first look of that age is none of them
        coalesce(of_stage.papers, 0) - (own.votes IS NOT NULL)::INTEGER AS past_papers,
        coalesce(of_stage.votes, 0) - coalesce(own.votes, 0) AS past_votes,
        coalesce(of_all.votes / of_all.papers, 1) AS mean_votes,
        of_all.gained / nullif(of_all.pairs, 0) AS usual_gain,
        of_all.hours / nullif(of_all.pairs, 0) AS usual_hours
    FROM known
    ASOF LEFT JOIN of_stage ON of_stage.stage = known.stage AND of_stage.known_at <= known.past_until
    ASOF LEFT JOIN of_all ON of_all.is_all = known.is_all AND of_all.known_at <= known.past_until
    LEFT JOIN firsts AS own
        ON own.paper_id = known.paper_id
        AND own.listed_on = known.listed_on
        AND own.stage = known.stage
        AND own.known_at <= known.past_until
),
terms AS (
    SELECT
        *,
        (past_votes + 20 * mean_votes) / (past_papers + 20) AS expected,
        nullif(usual_gain, 0) / usual_hours AS usual_speed,
        CASE WHEN earlier_at IS NOT NULL AND usual_gain > 0 THEN
            (greatest(votes - earlier_votes, 0) + usual_gain) / (epoch(looked_at - earlier_at) / 3600 + usual_hours)
        END AS speed,
        (120 * floor(epoch(at_moment - TIMESTAMP '1970-01-05') / 3600 / 168) + least((epoch(at_moment - TIMESTAMP '1970-01-05') / 3600) % 168, 120)) - (120 * floor(epoch(listed_on - TIMESTAMP '1970-01-05') / 3600 / 168) + least((epoch(listed_on - TIMESTAMP '1970-01-05') / 3600) % 168, 120)) AS age
    FROM compared
),
ranked AS (
    SELECT
        at_moment,
        row_number() OVER (PARTITION BY at_moment ORDER BY score DESC, upvote_count DESC, paper_id)::INTEGER AS rank,
        * EXCLUDE (at_moment)
    FROM (
        SELECT
            at_moment,
            paper_id,
            listed_on,
            votes AS upvote_count,
            looked_at AS observed_at,
            -- to decimals by a whole number: versions of DuckDB round 7.895 to either side
            round(100 * look_hours) / 100 AS observed_hours,
            round(1000 * expected) / 1000 AS expected_count,
            past_papers::INTEGER AS past_count,
            round(1000 * mean_votes) / 1000 AS mean_count,
            round(10000 * ((votes + 1 * mean_votes) / (expected + 1 * mean_votes))) / 10000 AS surprise,
            earlier_votes AS previous_upvote_count,
            earlier_at AS previous_observed_at,
            round(10000 * speed) / 10000 AS velocity,
            round(10000 * usual_speed) / 10000 AS mean_velocity,
            round(100 * age) / 100 AS age_hours,
            round(10000 * (
                ln((votes + 1 * mean_votes) / (expected + 1 * mean_votes))
                    + 0 * coalesce(ln(speed / usual_speed), 0) - age / 48
            )) / 10000 AS score,
            CASE WHEN speed IS NULL THEN 'one look' ELSE 'two looks' END AS basis,
            2::INTEGER AS formula
        FROM terms
    )
)
,
titles AS (
    SELECT paper_id, last("title" ORDER BY mart.source_rank(source), observed_at, mart.source_rank(source), capture_id, position) FILTER (WHERE "title" IS NOT NULL) AS "title"
    FROM core.sightings
    SEMI JOIN ranked USING (paper_id)
    WHERE observed_at <= CAST(moment AS TIMESTAMP)
    GROUP BY paper_id
)
SELECT
    "rank",
    "paper_id",
    "title",
    "listed_on",
    "upvote_count",
    "observed_at",
    "observed_hours",
    "expected_count",
    "past_count",
    "mean_count",
    "surprise",
    "previous_upvote_count",
    "previous_observed_at",
    "velocity",
    "mean_velocity",
    "age_hours",
    "score",
    "basis",
    "formula"
FROM ranked
LEFT JOIN titles USING (paper_id)
ORDER BY rank
;
COMMENT ON MACRO TABLE mart."trending_as_of" IS 'What trended at a moment: papers whose upvotes surprise most for their age, with every term of the score. Only pages fetched by then count, so that no later capture changes the answer. Papers go by the id they have today. Gives: One paper of a daily list of these days that was seen by then with its upvotes. moment: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''. days: how many days of lists, the last one that of the moment.';
CREATE MACRO main."trending_as_of"("moment", "days") AS TABLE FROM mart."trending_as_of"("moment", "days");

CREATE MACRO mart."bibtex"("paper_id") AS
(-- The entry of one paper for BibTeX, as of the work that it is published as, where a registry says so; with a note where
-- arXiv says that the paper is withdrawn, or a registry that it was retracted. Columns are renamed inside, so that the
-- caller's own `paper_id` may stand for the parameter.
SELECT CASE
    WHEN gone = '' THEN whole
    ELSE left(whole, length(whole) - 2) || E',\n  note = {' || gone || E'}\n}'
END
FROM (
    SELECT
        citations.paper_id AS cited,
        CASE
            WHEN works.bibtex_fields IS NULL THEN citations.bibtex
            ELSE '@' || split_part(works.bibtex_fields, E'\n', 1) || replace(
                regexp_replace(
                    substr(citations.bibtex, length('@misc') + 1),
                    CASE WHEN works.published IS NULL THEN E'\n  doi = [^\n]*' ELSE E'\n  (?:doi|year|month) = [^\n]*' END,
                    '',
                    'g'
                ),
                E'\n  eprint = {',
                substr(works.bibtex_fields, strpos(works.bibtex_fields, E'\n')) || E',\n  eprint = {'
            )
        END AS whole,
        concat_ws(
            '. ',
            CASE looks.status
                WHEN 'withdrawn' THEN 'Withdrawn at arXiv, as seen on '
                WHEN 'suspected' THEN 'Perhaps withdrawn at arXiv, as seen on '
                WHEN 'deleted' THEN 'Deleted at arXiv, as seen on '
            END || strftime(looks.observed_at, '%Y-%m-%d'),
            CASE works.status WHEN 'retracted' THEN 'Retracted' WHEN 'concern' THEN 'Doubted, or partly retracted' END
            || coalesce(' on ' || strftime(works.retracted_on, '%Y-%m-%d'), '')
            || ', by ' || CASE works.registry WHEN 'openalex' THEN 'OpenAlex' ELSE 'Crossref' END || ', as seen on ' || strftime(works.known_from, '%Y-%m-%d')
        ) AS gone
    FROM core.paper_citations AS citations
    LEFT JOIN mart.paper_status AS looks ON looks.paper_id = citations.paper_id AND looks.is_newest
    LEFT JOIN mart.paper_publications AS works
        ON works.paper_id = citations.paper_id
        AND works.known_until IS NULL
        AND works.rank = 1
        AND works.status IN ('published', 'retracted', 'concern')
)
WHERE cited = paper_id
);
COMMENT ON MACRO mart."bibtex" IS 'A paper as an entry for BibTeX, in ASCII: `paper_citations.bibtex`, as of the work that it is published as, and with a note where it is withdrawn or retracted. Gives: One text. paper_id: the paper.';
CREATE MACRO main."bibtex"("paper_id") AS mart."bibtex"("paper_id");

CREATE MACRO mart."board_as_of"("name", "ts") AS TABLE
-- What papers claimed on a benchmark, from texts that were first seen by a moment (UTC); without one, all. Whether a
-- number was the best then was told when it was first seen, and a title is that of then, so that nothing here looks
-- ahead. The system that a paper names is read in the texts of today: at a moment it is not told.
SELECT
    "benchmark",
    "split",
    "metric",
    "is_metric_said",
    "scale",
    "polarity",
    "value",
    "value_high",
    "bound",
    "role",
    "is_own",
    "apart_because",
    "is_best",
    "best_before",
    "paper_id",
    CASE
        WHEN ts IS NULL THEN boards.title
        ELSE (
            SELECT arg_max(said.text, said.first_seen_at)
            FROM mart.text_versions AS said
            WHERE said.paper_id = boards.paper_id
                AND said.field = 'title'
                AND said.first_seen_at <= CAST(ts AS TIMESTAMP)
        )
    END AS title,
    CASE WHEN ts IS NULL THEN boards.system END AS system,
    "comparator",
    "sentence",
    "text",
    "version_number",
    "position",
    "first_seen_at",
    CASE WHEN ts IS NULL THEN boards.arxiv_version_on END AS arxiv_version_on,
    "capture_id"
FROM mart.boards AS boards
WHERE benchmark = name AND (ts IS NULL OR first_seen_at <= CAST(ts AS TIMESTAMP))
ORDER BY
    split NULLS FIRST,
    metric NULLS LAST,
    scale,
    apart_because NULLS FIRST,
    CASE WHEN polarity = 'less' THEN -value ELSE value END DESC,
    first_seen_at,
    paper_id,
    version_number,
    position
;
COMMENT ON MACRO TABLE mart."board_as_of" IS 'What papers claimed on a benchmark by a moment, the best of each board first. Nothing looks ahead; what is not dated is left out, but for NULL. Gives: One number that a paper claimed. name: a benchmark, as `benchmarks` names it. ts: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''; NULL for all.';
CREATE MACRO main."board_as_of"("name", "ts") AS TABLE FROM mart."board_as_of"("name", "ts");

CREATE MACRO mart."adoption_as_of"("moment") AS TABLE
-- Who builds on which paper, as known at a moment (UTC): of each paper the last look until then, which itself stands on
-- nothing later.
WITH last_looks AS (
    SELECT *
    FROM mart.adoption
    WHERE observed_at <= CAST(moment AS TIMESTAMP)
    QUALIFY row_number() OVER (PARTITION BY paper_id ORDER BY observed_at DESC) = 1
)
SELECT
    "paper_id",
    "observed_at",
    "model_count",
    "dataset_count",
    "space_count",
    "listed_count",
    "is_whole",
    "download_count",
    "uncounted_count",
    "like_count",
    "github_star_count",
    "score"
FROM last_looks
ORDER BY score DESC NULLS LAST, paper_id
;
COMMENT ON MACRO TABLE mart."adoption_as_of" IS 'Who built on which paper at a moment, the most built upon first. Nothing looks ahead. Gives: One paper that somebody had looked at by then. moment: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."adoption_as_of"("moment") AS TABLE FROM mart."adoption_as_of"("moment");

CREATE MACRO mart."paper_status_as_of"("moment") AS TABLE
-- What became of which paper at arXiv, as known at a moment (UTC): of each paper the last look until then. Columns that
-- say what later looks found are left out.
SELECT
    "paper_id",
    "observed_at",
    "status",
    "is_undone",
    "withdrawn_on",
    "superseded_by",
    "comments",
    "version_count",
    "published_on",
    "last_version_on",
    "categories",
    "journal_ref",
    "doi",
    "license_url",
    "changed_on",
    "capture_id"
FROM mart.paper_status
WHERE observed_at <= CAST(moment AS TIMESTAMP)
QUALIFY row_number() OVER (PARTITION BY paper_id ORDER BY observed_at DESC) = 1
ORDER BY paper_id
;
COMMENT ON MACRO TABLE mart."paper_status_as_of" IS 'What was known at a moment of what became of papers at arXiv. Nothing looks ahead. Gives: One paper whose record was looked at by then. moment: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."paper_status_as_of"("moment") AS TABLE FROM mart."paper_status_as_of"("moment");

CREATE MACRO mart."paper_publications_as_of"("moment") AS TABLE
-- What papers are published as, as known at a moment (UTC).
SELECT
    "paper_id",
    "registry",
    "doi",
    "known_from",
    "rank",
    "status",
    "found_by",
    "is_confirmed",
    "is_same_title",
    "work_type",
    "title",
    "venue",
    "publisher",
    "published",
    "volume",
    "issue",
    "pages",
    "retracted_on",
    "notice_doi",
    "told_by",
    "is_told_by_work",
    "is_told_by_notice",
    "bibtex_fields",
    "capture_id"
FROM mart.paper_publications
WHERE known_from <= CAST(moment AS TIMESTAMP) AND coalesce(known_until > CAST(moment AS TIMESTAMP), TRUE)
ORDER BY paper_id, rank
;
COMMENT ON MACRO TABLE mart."paper_publications_as_of" IS 'What was known at a moment of where papers were published, and whether that was retracted. Nothing looks ahead. Gives: One work that a paper is published as, as known by then. moment: moment in UTC: a timestamp, or text like ''2024-06-03 12:00''.';
CREATE MACRO main."paper_publications_as_of"("moment") AS TABLE FROM mart."paper_publications_as_of"("moment");

CREATE MACRO mart."read_query"("query") AS TABLE
-- What names no field is words. A text of very many words is pasted: words alone, whatever signs it has. A query is
-- taken apart in lists, one row an item: a join for each step would take longer to plan than it takes to read.
WITH typed AS (
    SELECT unnest(items) AS item, generate_subscripts(items, 1) AS place, is_pasted
    FROM (
        SELECT CASE WHEN len(found) > 32 THEN [asked] ELSE found END AS items,
            len(found) > 32 AS is_pasted
        FROM (SELECT asked, regexp_extract_all(asked, '(?:[^ \t\r\n"]|"[^"]*")+|"') AS found FROM (SELECT query::VARCHAR AS asked))
    )
),
named AS (
    SELECT
        place,
        coalesce(part.no = '-' AND regexp_matches(item, '[^-]'), false) AS is_not,
        CASE
            WHEN contains(' title author org keyword has id since until list year sort like words ', ' ' || part.field || ' ') AND (part.quoted <> '' OR part.word <> '') THEN part.field
            WHEN part.field = '' AND regexp_matches(lower(part.quoted[2:-2]), '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$') THEN 'id'
            WHEN part.field = '' AND part.quoted <> '' THEN 'phrase'
        END AS field,
        CASE
            WHEN part IS NULL THEN item
            WHEN field IS NULL THEN regexp_replace(item, '^-', '')
            WHEN part.quoted <> '' THEN part.quoted[2:-2]
            ELSE part.word
        END AS value
    FROM (
        SELECT
            place,
            item,
            CASE WHEN NOT is_pasted THEN regexp_extract(item, '^(?P<no>-?)(?:(?P<field>[a-z]+):)?(?:(?P<quoted>"[^"]*")|(?P<word>[^ \t\r\n"]+))?"?$', ['no', 'field', 'quoted', 'word']) END AS part
        FROM typed
    )
),
checked AS (
    SELECT
        place,
        field,
        CASE
            WHEN field IS NULL OR field = 'phrase' THEN value
            WHEN value = '' THEN error(field || ': has no value; write for example ' || field || ':"…"')
            WHEN field IN ('since', 'until', 'list')
                AND NOT regexp_matches(value, '^(?:19|20)[0-9]{2}$') AND NOT regexp_matches(value, '^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])$')
                AND (NOT regexp_matches(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') OR try_cast(value AS DATE) IS NULL)
            THEN error(
                field || ':' || left(value, 60) || ' is not a day, a month or a year; write for example '
                || field || ':2026-11-20'
            )
            WHEN field = 'year' AND NOT regexp_matches(value, '^(?:19|20)[0-9]{2}$')
            THEN error('year:' || left(value, 60) || ' is not a year; write for example year:2026')
            WHEN field = 'sort' AND (is_not OR NOT list_contains(['relevance', 'date', 'upvotes'], value))
            THEN error('sort:' || left(value, 60) || ' is not known; there are ' || 'sort:relevance, sort:date, sort:upvotes')
            WHEN field = 'has' AND NOT list_contains(['code', 'project', 'models'], value)
            THEN error('has:' || left(value, 60) || ' is not known; there are ' || 'has:code, has:project, has:models')
            ELSE value
        END AS value,
        is_not
    FROM named
),
stems AS (
    SELECT
        *,
        [regexp_replace(token, '[''’]s$', '') for token in regexp_extract_all(CASE WHEN strlen(value) = length(value) THEN lower(value) ELSE replace(replace(replace(replace(translate(lower(strip_accents(value)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ]+(?:[-‐‑''’][0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ]+)*|[぀-ヿ㐀-䶿一-鿿豈-﫿]+')] AS stems
    FROM checked
),
parts AS (
    SELECT
        * EXCLUDE (said),
        -- the index has ideograms by two: a phrase of one is found as its letters are, without any word
        CASE
            WHEN field = 'phrase' THEN [word for word in said if length(word) > 1 OR NOT regexp_matches(word, '[぀-ヿ㐀-䶿一-鿿豈-﫿]+')]
            ELSE said
        END AS said
    FROM (SELECT *, [word for word in flatten([
            CASE
                WHEN regexp_matches(stem, '[぀-ヿ㐀-䶿一-鿿豈-﫿]+')
                THEN [substring(stem, nth, 2) for nth in range(1, greatest(length(stem), 2))]
                ELSE regexp_split_to_array(stem, '[-‐‑''’]')
                    || [
                        regexp_replace(stem, '[-‐‑''’]', '', 'g'),
                        regexp_replace(regexp_replace(stem, '[-‐‑''’]', '', 'g'), '^([a-z]+)2([a-z]+)$', '\1to\2')
                    ]
            END
            for stem in stems
        ]) if length(word) BETWEEN 1 AND 64] AS said FROM stems)
)
SELECT
    place,
    field,
    value,
    is_not,
    -- each word once; of a very long text as often as it is there, as each would be compared with all
    CASE
        WHEN len(said) > 200 THEN said
        ELSE [said[nth] for nth in range(1, len(said) + 1) if list_position(said, said[nth]) = nth]
    END AS words
FROM parts
ORDER BY place
;
COMMENT ON MACRO TABLE mart."read_query" IS 'How a query is read. An error where a field has a value that it cannot have. Gives: One word, phrase or field of the query, in its order. query: what somebody typed, in the language of docs/search.md.';
CREATE MACRO main."read_query"("query") AS TABLE FROM mart."read_query"("query");

CREATE MACRO mart."named_by_words"("text") AS TABLE
-- `named_papers` without what it needs digits for: a query of words alone is planned in less time.
WITH -- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name. Each step is a query of its own: DuckDB works out an alias for each mention of it.
said AS MATERIALIZED (
    SELECT
        *,
        regexp_replace(group_called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS group_letters,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM (
        SELECT
            *,
            whole <> folded AS is_told,
            regexp_replace(called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS letters,
            regexp_replace(called, '^the +| +(?:team|group|lab)$', '', 'g') AS group_called,
            -- of the month that is meant, which number it is of all months
            CASE
                WHEN regexp_matches(called, '^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])$') THEN 12 * left(called, 4)::INTEGER + right(called, 2)::INTEGER
                WHEN regexp_matches(called, '^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?,? +(?:of +)?(?:19|20)[0-9]{2}$')
                THEN 12 * right(called, 4)::INTEGER + list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], left(called, 3))
            END AS nth_month,
            CASE
                WHEN regexp_matches(called, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN called
                WHEN regexp_matches(called, '^(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]? +[0-9]{1,2}(?:st|nd|rd|th)?|[0-9]{1,2}(?:st|nd|rd|th)? +(?:of +)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?),? +(?:19|20)[0-9]{2}$')
                THEN concat_ws(
                    '-',
                    right(called, 4),
                    lpad(list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], regexp_extract(called, '[a-z]{3}'))::VARCHAR, 2, '0'),
                    lpad(regexp_extract(called, '[0-9]+'), 2, '0')
                )
            END AS on_day,
            -- "He, Kaiming" is Kaiming He
            regexp_extract_all(regexp_replace(called, '^([^,]+),([^,]+)$', '\2 \1'), '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS tokens
        FROM (
            SELECT
                *,
                unnest([whole] || parts) AS called,
                unnest(range(len(parts) + 1)) AS part,
                len(parts) AS part_count
            FROM (
                SELECT
                    *,
                    CASE WHEN regexp_matches(whole, ' +(?:and|&) +') THEN regexp_split_to_array(whole, ' +(?:and|&) +') ELSE [] END AS parts
                FROM (
                    SELECT *, regexp_replace(regexp_replace(folded, '^(?:(?:find|show(?: me)?) +)?(?:(?:all|the|new|newest|recent|latest) +)*(?:(?:papers?|works?|publications?|articles?|research|lists?) +)?(?:(?:authored +|written +)?by|from|of|on|at) +(?:the +)?|^authors?:? +', ''), '(?:[''’]s?)?(?: +(?:all|the|new|newest|recent|latest))?(?: +(?:papers?|works?|publications?|articles?))$|,? +et +al[.]?$', '') AS whole
                    FROM (SELECT trim(CASE WHEN strlen(given) = length(given) THEN lower(given) ELSE replace(replace(replace(replace(translate(lower(strip_accents(given)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END) AS folded FROM (SELECT unnest([text::VARCHAR]) AS given) WHERE length(given) <= 400)
                )
            )
        )
    )
),
-- Whether every word of the text is one of some author's name, and whether all of it is an organization's: the names
-- themselves are read only then
known AS MATERIALIZED (
    SELECT
        part,
        count(*) FILTER (field = 'author') AS author_words,
        count(*) FILTER (field = 'org') > 0 AS is_org
    FROM mart.search_names
        JOIN (
            SELECT part, unnest(
                [{'field': 'author', 'word': one} for one in list_distinct(long_tokens)]
                || [
                    {'field': 'org', 'word': one}
                    for one in list_distinct([called, letters, group_called, group_letters]) if length(letters) > 1
                ]
            ) AS asked
            FROM said
        ) ON word_hash = left(md5(asked.word), 8) AND search_names.field = asked.field
    GROUP BY part
),
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side
named AS MATERIALIZED (
    SELECT 'org' AS field, value, paper_id, kind, folded, part, part_count
    FROM core.papers JOIN (
        SELECT DISTINCT
            organization_login,
            coalesce(organization_name, organization_login) AS value,
            CASE
                WHEN lower(organization_login) IN (called, letters) OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters THEN 6
                ELSE 12
            END AS kind,
            folded,
            part,
            part_count
        FROM core.papers JOIN (SELECT said.* FROM said JOIN known USING (part) WHERE is_org)
            ON lower(organization_login) IN (called, letters)
                OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters
                OR (
                    length(group_letters) > 1
                    AND (
                        lower(organization_login) IN (group_called, group_letters)
                        OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = group_letters
                    )
                )
    ) USING (organization_login)
    UNION ALL
    SELECT
        'author',
        name,
        paper_id,
        CASE
            WHEN NOT list_has_all(theirs, long_tokens) THEN NULL
            WHEN theirs = tokens THEN 7
            WHEN list_sort(theirs) = list_sort(tokens) THEN 8
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' '))
            THEN 9
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 10
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 11
        END,
        folded,
        part,
        part_count
    FROM (
        SELECT
            *,
            regexp_extract_all(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS theirs,
            [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
            is_told OR regexp_matches(called, '(?:^|[ .])[a-z][.]|,') AS has_initials
        FROM core.paper_authors
            JOIN (
                SELECT said.* FROM said JOIN known USING (part)
                WHERE author_words = len(list_distinct(long_tokens))
                    AND (len(tokens) BETWEEN 2 AND 6 OR (len(tokens) = 1 AND is_told))
                    AND length(longest) > 1 AND regexp_matches(longest, '[^0-9]')
            ) ON contains(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, longest)
    )
),
-- Only what would be named by the words of a text is compared with titles. The whole text comes before its parts, of
-- which each must name something: then it is the papers of all of them, or else of most
names_in AS (
    SELECT field, value, paper_id
    FROM (
        SELECT
            * EXCLUDE (title_count),
            min(part) OVER () AS first_part,
            count(DISTINCT part) OVER () AS named_count,
            count(DISTINCT part) OVER (PARTITION BY paper_id) AS shared
        FROM (SELECT *, min(kind) OVER (PARTITION BY part) AS first_kind FROM named),
            (
                SELECT count(*) AS title_count
                FROM core.papers
                    JOIN (SELECT DISTINCT folded FROM named WHERE kind > 2) ON CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END = folded
            )
        WHERE kind = first_kind AND (kind < 3 OR title_count = 0)
    )
    QUALIFY part = 0 OR (first_part > 0 AND named_count = part_count AND shared = max(shared) OVER ())
)
SELECT DISTINCT field, value, paper_id FROM names_in
;
COMMENT ON MACRO TABLE mart."named_by_words" IS 'As `named_papers`, of organizations and authors alone: ids and days have digits. Gives: One paper by one name of it. text: a text without digits.';
CREATE MACRO main."named_by_words"("text") AS TABLE FROM mart."named_by_words"("text");

CREATE MACRO mart."named_papers"("text") AS TABLE
-- What a text names, as `find_papers` reads it.
WITH -- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name. Each step is a query of its own: DuckDB works out an alias for each mention of it.
said AS MATERIALIZED (
    SELECT
        *,
        regexp_replace(group_called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS group_letters,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM (
        SELECT
            *,
            whole <> folded AS is_told,
            regexp_replace(called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS letters,
            regexp_replace(called, '^the +| +(?:team|group|lab)$', '', 'g') AS group_called,
            -- of the month that is meant, which number it is of all months
            CASE
                WHEN regexp_matches(called, '^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])$') THEN 12 * left(called, 4)::INTEGER + right(called, 2)::INTEGER
                WHEN regexp_matches(called, '^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?,? +(?:of +)?(?:19|20)[0-9]{2}$')
                THEN 12 * right(called, 4)::INTEGER + list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], left(called, 3))
            END AS nth_month,
            CASE
                WHEN regexp_matches(called, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN called
                WHEN regexp_matches(called, '^(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]? +[0-9]{1,2}(?:st|nd|rd|th)?|[0-9]{1,2}(?:st|nd|rd|th)? +(?:of +)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?),? +(?:19|20)[0-9]{2}$')
                THEN concat_ws(
                    '-',
                    right(called, 4),
                    lpad(list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], regexp_extract(called, '[a-z]{3}'))::VARCHAR, 2, '0'),
                    lpad(regexp_extract(called, '[0-9]+'), 2, '0')
                )
            END AS on_day,
            -- "He, Kaiming" is Kaiming He
            regexp_extract_all(regexp_replace(called, '^([^,]+),([^,]+)$', '\2 \1'), '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS tokens
        FROM (
            SELECT
                *,
                unnest([whole] || parts) AS called,
                unnest(range(len(parts) + 1)) AS part,
                len(parts) AS part_count
            FROM (
                SELECT
                    *,
                    CASE WHEN regexp_matches(whole, ' +(?:and|&) +') THEN regexp_split_to_array(whole, ' +(?:and|&) +') ELSE [] END AS parts
                FROM (
                    SELECT *, regexp_replace(regexp_replace(folded, '^(?:(?:find|show(?: me)?) +)?(?:(?:all|the|new|newest|recent|latest) +)*(?:(?:papers?|works?|publications?|articles?|research|lists?) +)?(?:(?:authored +|written +)?by|from|of|on|at) +(?:the +)?|^authors?:? +', ''), '(?:[''’]s?)?(?: +(?:all|the|new|newest|recent|latest))?(?: +(?:papers?|works?|publications?|articles?))$|,? +et +al[.]?$', '') AS whole
                    FROM (SELECT trim(CASE WHEN strlen(given) = length(given) THEN lower(given) ELSE replace(replace(replace(replace(translate(lower(strip_accents(given)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END) AS folded FROM (SELECT unnest([text::VARCHAR]) AS given) WHERE length(given) <= 400)
                )
            )
        )
    )
),
-- Whether every word of the text is one of some author's name, and whether all of it is an organization's: the names
-- themselves are read only then
known AS MATERIALIZED (
    SELECT
        part,
        count(*) FILTER (field = 'author') AS author_words,
        count(*) FILTER (field = 'org') > 0 AS is_org
    FROM mart.search_names
        JOIN (
            SELECT part, unnest(
                [{'field': 'author', 'word': one} for one in list_distinct(long_tokens)]
                || [
                    {'field': 'org', 'word': one}
                    for one in list_distinct([called, letters, group_called, group_letters]) if length(letters) > 1
                ]
            ) AS asked
            FROM said
        ) ON word_hash = left(md5(asked.word), 8) AND search_names.field = asked.field
    GROUP BY part
),
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side
named AS MATERIALIZED (
    SELECT
        'id' AS field,
        coalesce(paper_id, sought) AS value,
        paper_id,
        CASE WHEN paper_id IS NOT NULL THEN 1 WHEN is_address AND list_contains(ids, sought) THEN 2 END AS kind,
        NULL AS folded,
        0 AS part,
        0 AS part_count
    FROM (
            SELECT
                ids,
                is_address,
                unnest(ids || [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4] if cut_id <> '']) AS sought
            FROM (
                SELECT
                    regexp_matches(folded, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$') AS is_address,
                    regexp_extract_all(folded, '(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1) AS ids,
                    regexp_extract(folded, '^(?:arxiv ?:? ?)?([0-9]{4}[.][0-9]{1,4})(?:v[0-9]+)?$', 1) AS cut_id
                FROM said
            )
        )
        LEFT JOIN core.paper_aliases ON lower(alias) = sought
    UNION ALL
    SELECT 'list' AS field, on_day AS value, paper_id, 3 AS kind, folded, part, part_count
    FROM core.daily_listings JOIN (FROM said WHERE on_day IS NOT NULL) ON listed_on::VARCHAR = on_day
    UNION ALL
    SELECT CASE WHEN nth_month IS NULL THEN 'year' ELSE 'month' END, called, paper_id, 4, folded, part, part_count
    FROM core.papers
        JOIN (FROM said WHERE nth_month IS NOT NULL OR regexp_matches(called, '^(?:19|20)[0-9]{2}$')) ON
            year(coalesce(first_listed_on, published_on, submitted_at::DATE))::VARCHAR = called OR 12 * year(coalesce(first_listed_on, published_on, submitted_at::DATE)) + month(coalesce(first_listed_on, published_on, submitted_at::DATE)) = nth_month
    UNION ALL
    SELECT
        CASE WHEN nth_month IS NULL THEN 'list' ELSE 'month' END,
        coalesce(on_day, called),
        NULL,
        5,
        folded,
        part,
        part_count
    FROM said
    WHERE nth_month IS NOT NULL OR try_cast(on_day AS DATE) IS NOT NULL
    UNION ALL
    SELECT 'org' AS field, value, paper_id, kind, folded, part, part_count
    FROM core.papers JOIN (
        SELECT DISTINCT
            organization_login,
            coalesce(organization_name, organization_login) AS value,
            CASE
                WHEN lower(organization_login) IN (called, letters) OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters THEN 6
                ELSE 12
            END AS kind,
            folded,
            part,
            part_count
        FROM core.papers JOIN (SELECT said.* FROM said JOIN known USING (part) WHERE is_org)
            ON lower(organization_login) IN (called, letters)
                OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters
                OR (
                    length(group_letters) > 1
                    AND (
                        lower(organization_login) IN (group_called, group_letters)
                        OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = group_letters
                    )
                )
    ) USING (organization_login)
    UNION ALL
    SELECT
        'author',
        name,
        paper_id,
        CASE
            WHEN NOT list_has_all(theirs, long_tokens) THEN NULL
            WHEN theirs = tokens THEN 7
            WHEN list_sort(theirs) = list_sort(tokens) THEN 8
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' '))
            THEN 9
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 10
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 11
        END,
        folded,
        part,
        part_count
    FROM (
        SELECT
            *,
            regexp_extract_all(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS theirs,
            [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
            is_told OR regexp_matches(called, '(?:^|[ .])[a-z][.]|,') AS has_initials
        FROM core.paper_authors
            JOIN (
                SELECT said.* FROM said JOIN known USING (part)
                WHERE author_words = len(list_distinct(long_tokens))
                    AND (len(tokens) BETWEEN 2 AND 6 OR (len(tokens) = 1 AND is_told))
                    AND length(longest) > 1 AND regexp_matches(longest, '[^0-9]')
            ) ON contains(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, longest)
    )
),
-- Only what would be named by the words of a text is compared with titles. The whole text comes before its parts, of
-- which each must name something: then it is the papers of all of them, or else of most
names_in AS (
    SELECT field, value, paper_id
    FROM (
        SELECT
            * EXCLUDE (title_count),
            min(part) OVER () AS first_part,
            count(DISTINCT part) OVER () AS named_count,
            count(DISTINCT part) OVER (PARTITION BY paper_id) AS shared
        FROM (SELECT *, min(kind) OVER (PARTITION BY part) AS first_kind FROM named),
            (
                SELECT count(*) AS title_count
                FROM core.papers
                    JOIN (SELECT DISTINCT folded FROM named WHERE kind > 2) ON CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END = folded
            )
        WHERE kind = first_kind AND (kind < 3 OR title_count = 0)
    )
    QUALIFY part = 0 OR (first_part > 0 AND named_count = part_count AND shared = max(shared) OVER ())
)
SELECT DISTINCT field, value, paper_id FROM names_in
;
COMMENT ON MACRO TABLE mart."named_papers" IS 'Papers that a text names: by an arXiv id, DOI or address in it, or as a whole by a list day, a month, a year, an organization or an author, whose names may be turned round and shortened. Of names with `and` between them the papers of all, or else of most. Gives: One paper by one name of it. text: an id, an address, a name, a day, a month or a year; NULL: names nothing.';
CREATE MACRO main."named_papers"("text") AS TABLE FROM mart."named_papers"("text");

CREATE MACRO mart."read_words"("words") AS TABLE
-- An unknown word is read as the nearest known one; of equally near ones the one in most papers, then the first.
WITH read AS MATERIALIZED (
    SELECT
        asked.word,
        place,
        known.word AS known,
        term,
        CASE WHEN length(asked.word) >= 8 THEN 2 ELSE 1 END AS most,
        CASE
            WHEN known.word IS NULL AND asked_count <= 32 AND length(asked.word) >= 5
                AND regexp_matches(asked.word, '^[a-z]+$')
            THEN left(asked.word, 1)
        END AS first_of_unknown
    FROM (
            SELECT word, min(place) AS place, any_value(asked_count) AS asked_count
            FROM (
                SELECT
                    unnest(given) AS word,
                    generate_subscripts(given, 1) AS place,
                    list_unique(given) AS asked_count
                FROM (SELECT words::VARCHAR[] AS given)
            )
            GROUP BY word
        ) AS asked
        LEFT JOIN core.search_words AS known USING (word)
),
-- A join of its own, which has no row where all are known: then not every word of the index is looked at
nearest AS (
    SELECT word, min({'slips': slips, 'papers': -paper_count, 'known': known, 'term': term}) AS meant
    FROM (
        SELECT
            read.word,
            most,
            damerau_levenshtein(read.word, meant.word) AS slips,
            meant.paper_count,
            meant.word AS known,
            meant.term
        FROM (FROM read WHERE first_of_unknown IS NOT NULL) AS read
            JOIN core.search_words AS meant
            ON left(meant.word, 1) = first_of_unknown
                AND length(meant.word) BETWEEN length(read.word) - most AND length(read.word) + most
                AND regexp_matches(meant.word, '^[a-z]+$')
    )
    WHERE slips <= most
    GROUP BY word
)
SELECT word, coalesce(known, meant.known) AS known, coalesce(term, meant.term) AS term
FROM read LEFT JOIN nearest USING (word)
ORDER BY place
;
COMMENT ON MACRO TABLE mart."read_words" IS 'How a search reads words: as the word of the index, or of an unknown one as the word that it misspells. Gives: One word that was given, in this order. words: a list of words in lower case without accents.';
CREATE MACRO main."read_words"("words") AS TABLE FROM mart."read_words"("words");

CREATE MACRO mart."term_forms"("terms") AS TABLE
-- Each acronym stands for its long form, and the other way round where the query has all terms of that; its plural is
-- often another term, as the stem of `llms` is `llms`.
WITH known AS (
    SELECT
        asked,
        long_form,
        acronym,
        string_split(form_terms, ' ') AS parts,
        CASE WHEN plural IS NULL THEN [term] ELSE [term, plural] END AS owns
    FROM mart.acronyms, (SELECT terms::VARCHAR[] AS asked)
),
sides AS (
    SELECT
        asked,
        unnest(
            [{'given': [own], 'term': own, 'found_by': parts, 'says': long_form} for own in owns]
            || flatten([
                [{'given': [own], 'term': own, 'found_by': [other], 'says': NULL} for other in owns if other <> own]
                for own in owns
            ])
            || flatten([
                [{'given': parts, 'term': part, 'found_by': [own], 'says': acronym} for part in parts] for own in owns
            ])
        ) AS side
    FROM known
    WHERE list_has_any(asked, owns || parts)
)
SELECT DISTINCT side.term AS term, side.found_by AS found_by, side.says AS says
FROM sides
WHERE list_has_all(asked, side.given)
UNION ALL
-- What others write in one word: `qwen 3` is qwen3
SELECT unnest([name, number]), [name || number], NULL
FROM (
    SELECT name, unnest([one for one in asked if regexp_full_match(one, '[0-9]+')]) AS number
    FROM (
        SELECT asked, unnest([one for one in asked if regexp_full_match(one, '[a-z]+')]) AS name
        FROM (SELECT terms::VARCHAR[] AS asked)
        WHERE len(asked) <= 32
    )
)
;
COMMENT ON MACRO TABLE mart."term_forms" IS 'What else terms are found by: acronyms by their long forms, long forms that are asked for whole by their acronyms, singulars by plurals, a name and a number by both as one word. Gives: One term, and terms that stand for it together. terms: terms of `search_terms`, as `read_words` gives them.';
CREATE MACRO main."term_forms"("terms") AS TABLE FROM mart."term_forms"("terms");

CREATE MACRO mart."term_points"("terms") AS TABLE
-- A weight is computed from counts and lengths, of integers, so that it need not be kept. A paper without a term may
-- have what stands for it: all terms of that, as often as the one that it has least.
WITH given AS (
    SELECT unnest(list_distinct(terms::VARCHAR[])) AS term
),
asked AS (
    SELECT term, rarity::BIGINT AS rarity, sum(rarity) OVER ()::BIGINT AS whole
    FROM given JOIN core.search_terms USING (term) JOIN core.search_rarities USING (paper_count)
),
forms AS (
    SELECT term, found_by, is_own, row_number() OVER () AS form
    FROM (
        SELECT term, [term] AS found_by, true AS is_own FROM given
        UNION ALL
        SELECT term, found_by, false AS is_own FROM mart.term_forms(terms)
    )
),
parts AS (
    SELECT form, term, is_own, len(found_by) AS part_count, unnest(found_by) AS part FROM forms
),
held AS (
    SELECT any_value(term) AS term, any_value(is_own) AS is_own, cohort, place, min(count) AS count
    FROM (
        SELECT form, parts.term, is_own, part_count, cohort, unnest(places) AS place, unnest(counts)::BIGINT AS count
        FROM core.search_lists AS lists JOIN parts ON lists.term = part
    )
    GROUP BY form, cohort, place
    HAVING count(*) = any_value(part_count)
),
counted AS (
    SELECT term, cohort, place, coalesce(max(count) FILTER (is_own), max(count)) AS count
    FROM held
    GROUP BY term, cohort, place
)
SELECT term, paper_id, rarity, whole, rarity * ((6460000 * count + (17000 * count + 9 * (680 + 6 * length))) // (2 * (17000 * count + 9 * (680 + 6 * length)))) AS points
FROM counted JOIN asked USING (term) JOIN core.search_vectors USING (cohort, place)
;
COMMENT ON MACRO TABLE mart."term_points" IS 'The papers that have terms, or what stands for them (`term_forms`), with what each counts: the BM25 of a query is the sum. Gives: One term of one paper. terms: terms of `search_terms`, as `read_words` gives them.';
CREATE MACRO main."term_points"("terms") AS TABLE FROM mart."term_points"("terms");

CREATE MACRO mart."rank_papers"("terms", "is_sentence", "letters", "among", "embedding") AS TABLE
-- Sums of integers are exact, the floats that vectors are multiplied in hold them exactly, and roots and quotients are
-- IEEE's: no engine can round differently.
WITH wanted AS (
    SELECT terms::VARCHAR[] AS terms
),
points AS MATERIALIZED (
    FROM mart.term_points(terms) -- no column of this name: DuckDB 1.4 takes the two for one
),
kept AS (
    SELECT
        unnest(coalesce(among::VARCHAR[], (SELECT list(paper_id) FROM core.search_vectors))) AS paper_id,
        is_sentence AS is_sentence,
        letters::VARCHAR AS letters,
        len(terms::VARCHAR[]) AS term_total
),
-- Of the papers in `kept` those that have a term in `points`, or all where nothing is wanted for by words, with what
-- their score is made of. Each has what was asked for, but no list: windows and joins would copy it each time.
by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        any_value(whole) AS whole,
        count(*) AS term_count
    FROM points
    GROUP BY paper_id
),
weighed AS (
    SELECT paper_id, term_count, points, points * (whole + rarity) AS of_words, max(points) OVER () AS most,
        max(points * (whole + rarity)) OVER () AS most_of_words
    FROM by_paper
),
chosen AS MATERIALIZED (
    SELECT
        kept.*,
        term_count,
        coalesce(CASE WHEN is_sentence THEN points / most ELSE of_words / most_of_words END, 0) AS matching,
        row_number() OVER (
            ORDER BY CASE WHEN is_sentence THEN points ELSE of_words END DESC NULLS LAST, paper_id
        ) AS candidate
    FROM kept LEFT JOIN weighed USING (paper_id)
    WHERE points IS NOT NULL OR term_total IS NULL
),
meant AS (
    SELECT list(sign(value) * ((2 * abs(value) * 127 + most) // (2 * most)) ORDER BY place)::FLOAT[] AS by_terms
    FROM (
        SELECT
            place,
            sum(scale * value)::BIGINT AS value,
            greatest(max(abs(sum(scale * value)::BIGINT)) OVER (), 1) AS most
        FROM (
            SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
            FROM core.search_basis JOIN (SELECT unnest(terms) AS term FROM wanted) USING (term)
        )
        GROUP BY place
    )
),
-- No window has the vectors that were wanted for: it would copy them for each paper
near AS (
    SELECT
        paper_id,
        model_nearness / nullif(max(model_nearness) OVER (), 0) AS model_share,
        term_nearness / nullif(max(term_nearness) OVER (), 0) AS term_share
    FROM (
        SELECT
            paper_id,
            greatest(list_dot_product(embedded.vector::FLOAT[], embedding::FLOAT[]), 0)::DOUBLE
                / sqrt(greatest(embedded.square, 1)::DOUBLE) AS model_nearness,
            greatest(coalesce(list_dot_product(vectors.vector::FLOAT[], by_terms), 0), 0)::DOUBLE
                / sqrt(greatest(vectors.square, 1)::DOUBLE) AS term_nearness
        FROM (
                SELECT paper_id FROM chosen
                WHERE candidate <= 1000 AND (term_count IS NOT NULL OR embedding IS NOT NULL)
            )
            JOIN core.search_vectors AS vectors USING (paper_id)
            LEFT JOIN core.search_embeddings AS embedded USING (paper_id),
            meant
    )
),
scored AS (
    SELECT
        chosen.*,
        matching >= 0.5::DOUBLE AND candidate <= 1000 AS may_be_named,
        CASE
            WHEN embedding IS NOT NULL
            THEN 0.3::DOUBLE * coalesce(term_share, 0) + 0.6::DOUBLE * coalesce(model_share, 0)
            WHEN is_sentence THEN 0.6::DOUBLE * coalesce(term_share, 0)
            ELSE 0.2::DOUBLE * coalesce(term_share, 0)
        END AS meaning
    FROM chosen LEFT JOIN near USING (paper_id)
),
titled AS (
    SELECT
        scored.*,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN may_be_named
            THEN [
                CASE
                    WHEN title_letters = letters THEN 1::DOUBLE
                    WHEN length(letters) >= 8 AND contains(title_letters, letters)
                    THEN 0.3::DOUBLE
                    ELSE 0::DOUBLE
                END
                for title_letters in [regexp_replace(CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g')]
            ][1]
            ELSE 0::DOUBLE
        END AS naming,
        coalesce(first_listed_on, published_on, submitted_at::DATE) AS day,
        upvote_count
    FROM scored JOIN core.papers USING (paper_id)
)
SELECT
    paper_id,
    matching + meaning + naming AS score,
    matching,
    meaning,
    coalesce(found.terms, []) AS terms,
    coalesce(found.points, []) AS points
FROM titled LEFT JOIN (
    SELECT paper_id, list(term ORDER BY points DESC, term) AS terms, list(points ORDER BY points DESC, term) AS points
    FROM points GROUP BY paper_id
) AS found USING (paper_id)
;
COMMENT ON MACRO TABLE mart."rank_papers" IS 'What a paper scores for a query that was read already, and what of it is for words and for meaning: what `search_papers` and `paperlake search` rank by. Gives: One paper that has one of the terms. terms: terms of `search_terms`, as `read_words` gives them; NULL: every paper, each with a score of 0. is_sentence: whether it has a function word: then meaning counts more, and having all terms does not. letters: letters and digits of the query, to find a title by; NULL: of no title. among: the ids of the papers to look among; NULL: all. embedding: what a language model makes of the query, as 384 integers; NULL: rank without one.';
CREATE MACRO main."rank_papers"("terms", "is_sentence", "letters", "among", "embedding") AS TABLE FROM mart."rank_papers"("terms", "is_sentence", "letters", "among", "embedding");

CREATE MACRO mart."like_papers"("liked", "unlike") AS TABLE
-- The cosine of a paper with the sum of the liked papers' vectors, less half that of the unliked ones': in integers, twice
-- the one less the other, and in doubles, which hold such products exactly. The words likewise: the mean over the papers
-- that are liked. So one paper alone has the scores of `similar_papers`.
WITH asked AS MATERIALIZED (
    SELECT
        unnest(liked::VARCHAR[] || unlike::VARCHAR[]) AS paper_id,
        unnest([2 for one in liked::VARCHAR[]] || [-1 for one in unlike::VARCHAR[]]) AS times,
        len(liked::VARCHAR[]) AS liked_count
),
spaces AS (
    SELECT 1 AS space, paper_id, square, vector FROM core.search_vectors
    UNION ALL
    SELECT 2 AS space, paper_id, square, vector FROM core.search_embeddings
),
meant AS (
    SELECT space, list(value ORDER BY place)::DOUBLE[] AS sums, sum(value * value)::BIGINT AS squares
    FROM (
        SELECT space, place, sum(times * value)::BIGINT AS value
        FROM (
            SELECT space, times, unnest(vector)::BIGINT AS value, generate_subscripts(vector, 1) AS place
            FROM asked JOIN spaces USING (paper_id)
        )
        GROUP BY space, place
    )
    GROUP BY space
),
cosines AS (
    SELECT paper_id, sum(cosine)::BIGINT // count(*) AS cosine
    FROM (
        SELECT
            paper_id,
            floor(
                list_dot_product(vector::DOUBLE[], sums) * 10000
                    / sqrt(greatest(square::BIGINT * squares, 1)::DOUBLE)
            )::BIGINT AS cosine
        FROM spaces JOIN meant USING (space)
    )
    GROUP BY paper_id
),
rare AS (
    SELECT paper_id, sum(times)::BIGINT AS times, any_value(liked_count) AS liked_count, term
    FROM asked
        JOIN core.search_vectors AS vectors USING (paper_id)
        JOIN core.search_lists AS lists ON lists.cohort = vectors.cohort AND list_contains(places, place)
    WHERE term NOT IN (SELECT term FROM core.search_basis WHERE is_common)
    GROUP BY paper_id, term
),
by_words AS (
    SELECT
        cohort,
        place,
        sum(times * (10000 * shared // (shared + 6)))::BIGINT // (2 * any_value(liked_count)) AS worded
    FROM (
        SELECT
            paper_id,
            any_value(times) AS times,
            any_value(liked_count) AS liked_count,
            cohort,
            place,
            count(*) AS shared
        FROM (
            SELECT rare.paper_id, times, liked_count, cohort, unnest(places) AS place
            FROM rare JOIN core.search_lists USING (term)
        )
        GROUP BY paper_id, cohort, place
    )
    GROUP BY cohort, place
),
scored AS (
    SELECT
        paper_id,
        (7 * cosine + 3 * greatest(coalesce(worded, 0), 0)) // 10 AS score
    FROM cosines JOIN core.search_vectors USING (paper_id) LEFT JOIN by_words USING (cohort, place)
)
SELECT
    paper_id,
    CASE WHEN score >= 3600 THEN score ELSE 0 END::INTEGER AS score,
    CASE WHEN score >= 3600 THEN score / max(score) OVER () ELSE 0 END AS likeness
FROM scored
;
COMMENT ON MACRO TABLE mart."like_papers" IS 'How much papers are like one, or like several together, by their vectors and rare words. Those that were given are among them. Gives: One paper. liked: ids of papers. unlike: ids of papers that count half as much, to be less like.';
CREATE MACRO main."like_papers"("liked", "unlike") AS TABLE FROM mart."like_papers"("liked", "unlike");

CREATE MACRO mart."find_any"("query", "embedding") AS TABLE
-- What words name is kept as a condition is; what ranks is only what is neither. Before 1.4 DuckDB works out a named
-- query anew for each mention of it, if it is not told otherwise. Half the time of a query goes by in planning it: each
-- join and union here is one that cannot be spared.
WITH items AS MATERIALIZED (
    SELECT
        *,
        field IS NULL OR field = 'phrase' OR field = 'words' AS is_words,
        contains(' title author org keyword has id since until list year phrase ', ' ' || field || ' ') AS is_condition,
        CASE WHEN field = 'like' THEN [
            coalesce(nullif(regexp_extract(one, '(?i)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1), ''), one)
            for one in string_split(value, ',') if one <> ''
        ] END AS ids
    FROM mart.read_query(query)
),
-- One row, also where nothing is asked for
typed AS MATERIALIZED (
    SELECT
        coalesce(max_by(value, place) FILTER (field = 'sort'), 'relevance') AS sorted_by,
        bool_or(coalesce(nullif(field, 'words') <> 'sort', len(words) > 0))
            OR bool_and(coalesce(field = 'sort', false)) AS is_asked,
        coalesce(bool_or(NOT is_not AND is_words AND len(words) > 0), false) AS has_words,
        flatten(list(words) FILTER (NOT is_not AND is_words)) AS all_words,
        flatten(list(words) FILTER (is_not AND field IS NULL)) AS other_words,
        count(*) FILTER (is_condition AND NOT is_not) AS condition_count,
        coalesce(flatten(list(ids) FILTER (NOT is_not)), []) AS liked,
        coalesce(flatten(list(ids) FILTER (is_not)), []) AS unlike,
        -- Words, if nothing tells that they are words
        CASE
            WHEN bool_and(field IS NOT NULL OR NOT is_not)
                AND NOT bool_or(coalesce(field = 'phrase' OR field = 'words' OR field = 'like', false))
            THEN trim(string_agg(value, ' ' ORDER BY place) FILTER (field IS NULL))
        END AS name,
        CASE
            WHEN bool_and(NOT is_not AND NOT coalesce(field <> 'phrase' AND (is_condition OR field = 'like'), false))
            THEN string_agg(regexp_replace(CASE WHEN strlen(value) = length(value) THEN lower(value) ELSE replace(replace(replace(replace(translate(lower(strip_accents(value)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g'), '' ORDER BY place) FILTER (field IS DISTINCT FROM 'sort')
        END AS letters
    FROM items
),
-- Of the kinds, the first that names something is what is meant: an id that stands in the text before what the text is
-- as a whole. A title is no name. Each step is a query of its own: DuckDB works out an alias for each mention of it.
said AS MATERIALIZED (
    SELECT
        *,
        regexp_replace(group_called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS group_letters,
        [token for token in tokens if length(token) > 1] AS long_tokens,
        [token for token in tokens if length(token) = list_max([length(token) for token in tokens])][1] AS longest
    FROM (
        SELECT
            *,
            whole <> folded AS is_told,
            regexp_replace(called, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS letters,
            regexp_replace(called, '^the +| +(?:team|group|lab)$', '', 'g') AS group_called,
            -- of the month that is meant, which number it is of all months
            CASE
                WHEN regexp_matches(called, '^(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])$') THEN 12 * left(called, 4)::INTEGER + right(called, 2)::INTEGER
                WHEN regexp_matches(called, '^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?,? +(?:of +)?(?:19|20)[0-9]{2}$')
                THEN 12 * right(called, 4)::INTEGER + list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], left(called, 3))
            END AS nth_month,
            CASE
                WHEN regexp_matches(called, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN called
                WHEN regexp_matches(called, '^(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]? +[0-9]{1,2}(?:st|nd|rd|th)?|[0-9]{1,2}(?:st|nd|rd|th)? +(?:of +)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?),? +(?:19|20)[0-9]{2}$')
                THEN concat_ws(
                    '-',
                    right(called, 4),
                    lpad(list_position(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], regexp_extract(called, '[a-z]{3}'))::VARCHAR, 2, '0'),
                    lpad(regexp_extract(called, '[0-9]+'), 2, '0')
                )
            END AS on_day,
            -- "He, Kaiming" is Kaiming He
            regexp_extract_all(regexp_replace(called, '^([^,]+),([^,]+)$', '\2 \1'), '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS tokens
        FROM (
            SELECT
                *,
                unnest([whole] || parts) AS called,
                unnest(range(len(parts) + 1)) AS part,
                len(parts) AS part_count
            FROM (
                SELECT
                    *,
                    CASE WHEN regexp_matches(whole, ' +(?:and|&) +') THEN regexp_split_to_array(whole, ' +(?:and|&) +') ELSE [] END AS parts
                FROM (
                    SELECT *, regexp_replace(regexp_replace(folded, '^(?:(?:find|show(?: me)?) +)?(?:(?:all|the|new|newest|recent|latest) +)*(?:(?:papers?|works?|publications?|articles?|research|lists?) +)?(?:(?:authored +|written +)?by|from|of|on|at) +(?:the +)?|^authors?:? +', ''), '(?:[''’]s?)?(?: +(?:all|the|new|newest|recent|latest))?(?: +(?:papers?|works?|publications?|articles?))$|,? +et +al[.]?$', '') AS whole
                    FROM (SELECT trim(CASE WHEN strlen(given) = length(given) THEN lower(given) ELSE replace(replace(replace(replace(translate(lower(strip_accents(given)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END) AS folded FROM (SELECT name AS given FROM typed) WHERE length(given) <= 400)
                )
            )
        )
    )
),
-- Whether every word of the text is one of some author's name, and whether all of it is an organization's: the names
-- themselves are read only then
known AS MATERIALIZED (
    SELECT
        part,
        count(*) FILTER (field = 'author') AS author_words,
        count(*) FILTER (field = 'org') > 0 AS is_org
    FROM mart.search_names
        JOIN (
            SELECT part, unnest(
                [{'field': 'author', 'word': one} for one in list_distinct(long_tokens)]
                || [
                    {'field': 'org', 'word': one}
                    for one in list_distinct([called, letters, group_called, group_letters]) if length(letters) > 1
                ]
            ) AS asked
            FROM said
        ) ON word_hash = left(md5(asked.word), 8) AND search_names.field = asked.field
    GROUP BY part
),
-- A table in which the text has nothing to look for is not read, as nothing is joined to an empty side
named AS MATERIALIZED (
    SELECT
        'id' AS field,
        coalesce(paper_id, sought) AS value,
        paper_id,
        CASE WHEN paper_id IS NOT NULL THEN 1 WHEN is_address AND list_contains(ids, sought) THEN 2 END AS kind,
        NULL AS folded,
        0 AS part,
        0 AS part_count
    FROM (
            SELECT
                ids,
                is_address,
                unnest(ids || [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4] if cut_id <> '']) AS sought
            FROM (
                SELECT
                    regexp_matches(folded, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$') AS is_address,
                    regexp_extract_all(folded, '(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1) AS ids,
                    regexp_extract(folded, '^(?:arxiv ?:? ?)?([0-9]{4}[.][0-9]{1,4})(?:v[0-9]+)?$', 1) AS cut_id
                FROM said
            )
        )
        LEFT JOIN core.paper_aliases ON lower(alias) = sought
    UNION ALL
    SELECT 'list' AS field, on_day AS value, paper_id, 3 AS kind, folded, part, part_count
    FROM core.daily_listings JOIN (FROM said WHERE on_day IS NOT NULL) ON listed_on::VARCHAR = on_day
    UNION ALL
    SELECT CASE WHEN nth_month IS NULL THEN 'year' ELSE 'month' END, called, paper_id, 4, folded, part, part_count
    FROM core.papers
        JOIN (FROM said WHERE nth_month IS NOT NULL OR regexp_matches(called, '^(?:19|20)[0-9]{2}$')) ON
            year(coalesce(first_listed_on, published_on, submitted_at::DATE))::VARCHAR = called OR 12 * year(coalesce(first_listed_on, published_on, submitted_at::DATE)) + month(coalesce(first_listed_on, published_on, submitted_at::DATE)) = nth_month
    UNION ALL
    SELECT
        CASE WHEN nth_month IS NULL THEN 'list' ELSE 'month' END,
        coalesce(on_day, called),
        NULL,
        5,
        folded,
        part,
        part_count
    FROM said
    WHERE nth_month IS NOT NULL OR try_cast(on_day AS DATE) IS NOT NULL
    UNION ALL
    SELECT 'org' AS field, value, paper_id, kind, folded, part, part_count
    FROM core.papers JOIN (
        SELECT DISTINCT
            organization_login,
            coalesce(organization_name, organization_login) AS value,
            CASE
                WHEN lower(organization_login) IN (called, letters) OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters THEN 6
                ELSE 12
            END AS kind,
            folded,
            part,
            part_count
        FROM core.papers JOIN (SELECT said.* FROM said JOIN known USING (part) WHERE is_org)
            ON lower(organization_login) IN (called, letters)
                OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = letters
                OR (
                    length(group_letters) > 1
                    AND (
                        lower(organization_login) IN (group_called, group_letters)
                        OR regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') = group_letters
                    )
                )
    ) USING (organization_login)
    UNION ALL
    SELECT
        'author',
        name,
        paper_id,
        CASE
            WHEN NOT list_has_all(theirs, long_tokens) THEN NULL
            WHEN theirs = tokens THEN 7
            WHEN list_sort(theirs) = list_sort(tokens) THEN 8
            WHEN has_initials AND regexp_full_match(array_to_string(theirs, ' '), array_to_string(shortened, ' '))
            THEN 9
            WHEN has_initials AND list_sort([left(token, 1) for token in theirs])
                = list_sort([left(token, 1) for token in tokens]) THEN 10
            WHEN len(long_tokens) > 1 AND list_has_all(tokens, [theirs[1], theirs[-1]])
                AND list_has_all(theirs, tokens) THEN 11
        END,
        folded,
        part,
        part_count
    FROM (
        SELECT
            *,
            regexp_extract_all(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+') AS theirs,
            [CASE WHEN length(token) = 1 THEN token || '[^ ]*' ELSE token END for token in tokens] AS shortened,
            is_told OR regexp_matches(called, '(?:^|[ .])[a-z][.]|,') AS has_initials
        FROM core.paper_authors
            JOIN (
                SELECT said.* FROM said JOIN known USING (part)
                WHERE author_words = len(list_distinct(long_tokens))
                    AND (len(tokens) BETWEEN 2 AND 6 OR (len(tokens) = 1 AND is_told))
                    AND length(longest) > 1 AND regexp_matches(longest, '[^0-9]')
            ) ON contains(CASE WHEN strlen(name) = length(name) THEN lower(name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, longest)
    )
),
-- Only what would be named by the words of a text is compared with titles. The whole text comes before its parts, of
-- which each must name something: then it is the papers of all of them, or else of most
names_in AS (
    SELECT field, value, paper_id
    FROM (
        SELECT
            * EXCLUDE (title_count),
            min(part) OVER () AS first_part,
            count(DISTINCT part) OVER () AS named_count,
            count(DISTINCT part) OVER (PARTITION BY paper_id) AS shared
        FROM (SELECT *, min(kind) OVER (PARTITION BY part) AS first_kind FROM named),
            (
                SELECT count(*) AS title_count
                FROM core.papers
                    JOIN (SELECT DISTINCT folded FROM named WHERE kind > 2) ON CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END = folded
            )
        WHERE kind = first_kind AND (kind < 3 OR title_count = 0)
    )
    QUALIFY part = 0 OR (first_part > 0 AND named_count = part_count AND shared = max(shared) OVER ())
),
by_name AS MATERIALIZED (
    SELECT DISTINCT paper_id FROM names_in
),
wanted AS MATERIALIZED (
    SELECT
        * EXCLUDE (terms),
        CASE WHEN NOT are_named AND word_count > 0 THEN coalesce(terms, []) END AS terms,
        CASE
            WHEN unknown IS NOT NULL THEN error('no paper of the latest release has the id ' || unknown)
            WHEN len(liked) = 0 AND len(unlike) > 0 AND NOT has_words
            THEN error('-like: only leaves papers out; give words or like: too')
            ELSE len(liked) + len(unlike) > 0
        END AS are_liked
    FROM typed,
        (SELECT count(*) > 0 AS are_named FROM by_name),
        (
            SELECT
                count(*) AS word_count,
                list(DISTINCT term) FILTER (term IS NOT NULL) AS terms,
                coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
            FROM mart.read_words((SELECT all_words FROM typed))
            WHERE NOT (length(query::VARCHAR) <= 400
                AND NOT regexp_matches(query::VARCHAR, '"|words:| -')
                AND regexp_matches(CASE WHEN strlen(query::VARCHAR) = length(query::VARCHAR) THEN lower(query::VARCHAR) ELSE replace(replace(replace(replace(translate(lower(strip_accents(query::VARCHAR)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$'))
        ),
        (
            SELECT min(named_id) AS unknown
            FROM (SELECT unnest(liked || unlike) AS named_id FROM typed)
                LEFT JOIN (SELECT paper_id FROM core.search_vectors) ON paper_id = named_id
            WHERE paper_id IS NULL AND contains(query::VARCHAR, 'like:')
        )
),
conditions AS MATERIALIZED (
    SELECT
        *,
        lower(value) AS lower_value,
        [word for word in words_in if length(word) = list_max([length(one) for one in words_in])][1] AS longest
    FROM (
        SELECT place, field, value, is_not, spoken, regexp_extract_all(spoken, '[^ ]+') AS words_in
        FROM (SELECT *, regexp_replace(regexp_replace(' ' || trim(regexp_replace(CASE WHEN strlen(value) = length(value) THEN lower(value) ELSE replace(replace(replace(replace(translate(lower(strip_accents(value)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', '^ ([぀-ヿ㐀-䶿一-鿿豈-﫿]+)', '\1'), '([぀-ヿ㐀-䶿一-鿿豈-﫿]+) $', '\1') AS spoken FROM items WHERE is_condition)
    )
),
phrases AS (
    SELECT place, is_not, spoken, longest FROM conditions WHERE field = 'phrase'
),
-- A part that the text of a query rules out is none for DuckDB, which knows that text when it plans
held AS (
    SELECT place, is_not, paper_id FROM core.papers JOIN conditions ON CASE field
        WHEN 'title' THEN contains(' ' || trim(regexp_replace(CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken)
        WHEN 'phrase' THEN contains(' ' || trim(regexp_replace(CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken)
        WHEN 'org' THEN lower(organization_login) = lower_value OR contains(' ' || trim(regexp_replace(CASE WHEN strlen(organization_name) = length(organization_name) THEN lower(organization_name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(organization_name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken)
        WHEN 'year' THEN year(coalesce(first_listed_on, published_on, submitted_at::DATE)) = try_cast(value AS INTEGER)
    END
    WHERE regexp_matches(query::VARCHAR, '"|title:|org:|year:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_texts JOIN phrases
        ON CASE WHEN contains(CASE WHEN strlen(abstract) = length(abstract) THEN lower(abstract) ELSE replace(replace(replace(replace(translate(lower(strip_accents(abstract)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, longest) THEN contains(' ' || trim(regexp_replace(CASE WHEN strlen(abstract) = length(abstract) THEN lower(abstract) ELSE replace(replace(replace(replace(translate(lower(strip_accents(abstract)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken) END
    WHERE contains(query::VARCHAR, '"')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_authors AS authors JOIN conditions
        ON contains(' ' || trim(regexp_replace(CASE WHEN strlen(authors.name) = length(authors.name) THEN lower(authors.name) ELSE replace(replace(replace(replace(translate(lower(strip_accents(authors.name)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken) OR lower(login) = lower_value
    WHERE field = 'author' AND contains(query::VARCHAR, 'author:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_keywords JOIN conditions ON contains(' ' || trim(regexp_replace(CASE WHEN strlen(keyword) = length(keyword) THEN lower(keyword) ELSE replace(replace(replace(replace(translate(lower(strip_accents(keyword)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]+', ' ', 'g')) || ' ', spoken)
    WHERE field = 'keyword' AND contains(query::VARCHAR, 'keyword:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_links JOIN conditions
        ON kind = CASE value WHEN 'code' THEN 'github' ELSE value END
    WHERE field = 'has' AND contains(query::VARCHAR, 'has:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_observations JOIN conditions ON value = 'models' AND model_count > 0
    WHERE field = 'has' AND contains(query::VARCHAR, 'has:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.paper_aliases JOIN conditions
        ON alias IN (
            value, regexp_extract(value, '(?i)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1), regexp_extract(lower_value, '(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1)
        )
    WHERE field = 'id' AND regexp_matches(query::VARCHAR, '"|id:')
    UNION ALL
    SELECT place, is_not, paper_id FROM core.daily_listings JOIN conditions
        ON CASE field
            WHEN 'since' THEN left(listed_on::VARCHAR, length(value)) >= value
            WHEN 'until' THEN left(listed_on::VARCHAR, length(value)) <= value
            WHEN 'list' THEN left(listed_on::VARCHAR, length(value)) = value
        END
    WHERE regexp_matches(query::VARCHAR, 'since:|until:|list:')
    UNION ALL
    SELECT 0, true, paper_id
    FROM (
            SELECT cohort, unnest(places) AS place
            FROM (SELECT unnest(other_words) AS word FROM typed)
                JOIN core.search_words USING (word)
                JOIN core.search_lists USING (term)
        )
        JOIN core.search_vectors USING (cohort, place)
    WHERE contains(query::VARCHAR, '-')
    UNION ALL
    SELECT -1, false, paper_id FROM by_name
),
kept AS (
    SELECT paper_id, is_sentence, letters, len(terms) AS term_total, sorted_by, is_asked, has_words, are_liked
    FROM core.search_vectors
        LEFT JOIN (
            SELECT
                paper_id,
                count(DISTINCT place) FILTER (NOT is_not) AS held_count,
                bool_or(is_not) AS is_excluded
            FROM held GROUP BY paper_id
        ) USING (paper_id),
        wanted
    WHERE coalesce(held_count, 0) = condition_count + are_named::INTEGER AND NOT coalesce(is_excluded, false)
),
points AS MATERIALIZED (
    FROM mart.term_points((SELECT terms FROM wanted)) WHERE NOT (length(query::VARCHAR) <= 400
                AND NOT regexp_matches(query::VARCHAR, '"|words:| -')
                AND regexp_matches(CASE WHEN strlen(query::VARCHAR) = length(query::VARCHAR) THEN lower(query::VARCHAR) ELSE replace(replace(replace(replace(translate(lower(strip_accents(query::VARCHAR)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$'))
),
-- Of the papers in `kept` those that have a term in `points`, or all where nothing is wanted for by words, with what
-- their score is made of. Each has what was asked for, but no list: windows and joins would copy it each time.
by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        any_value(whole) AS whole,
        count(*) AS term_count
    FROM points
    GROUP BY paper_id
),
weighed AS (
    SELECT paper_id, term_count, points, points * (whole + rarity) AS of_words, max(points) OVER () AS most,
        max(points * (whole + rarity)) OVER () AS most_of_words
    FROM by_paper
),
chosen AS MATERIALIZED (
    SELECT
        kept.*,
        term_count,
        coalesce(CASE WHEN is_sentence THEN points / most ELSE of_words / most_of_words END, 0) AS matching,
        row_number() OVER (
            ORDER BY CASE WHEN is_sentence THEN points ELSE of_words END DESC NULLS LAST, paper_id
        ) AS candidate
    FROM kept LEFT JOIN weighed USING (paper_id)
    WHERE points IS NOT NULL OR term_total IS NULL
),
meant AS (
    SELECT list(sign(value) * ((2 * abs(value) * 127 + most) // (2 * most)) ORDER BY place)::FLOAT[] AS by_terms
    FROM (
        SELECT
            place,
            sum(scale * value)::BIGINT AS value,
            greatest(max(abs(sum(scale * value)::BIGINT)) OVER (), 1) AS most
        FROM (
            SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
            FROM core.search_basis JOIN (SELECT unnest(terms) AS term FROM wanted) USING (term)
        )
        GROUP BY place
    )
),
-- No window has the vectors that were wanted for: it would copy them for each paper
near AS (
    SELECT
        paper_id,
        model_nearness / nullif(max(model_nearness) OVER (), 0) AS model_share,
        term_nearness / nullif(max(term_nearness) OVER (), 0) AS term_share
    FROM (
        SELECT
            paper_id,
            greatest(list_dot_product(embedded.vector::FLOAT[], embedding::FLOAT[]), 0)::DOUBLE
                / sqrt(greatest(embedded.square, 1)::DOUBLE) AS model_nearness,
            greatest(coalesce(list_dot_product(vectors.vector::FLOAT[], by_terms), 0), 0)::DOUBLE
                / sqrt(greatest(vectors.square, 1)::DOUBLE) AS term_nearness
        FROM (
                SELECT paper_id FROM chosen
                WHERE candidate <= 1000 AND (term_count IS NOT NULL OR embedding IS NOT NULL)
            )
            JOIN core.search_vectors AS vectors USING (paper_id)
            LEFT JOIN core.search_embeddings AS embedded USING (paper_id),
            meant
    )
),
scored AS (
    SELECT
        chosen.*,
        matching >= 0.5::DOUBLE AND candidate <= 1000 AS may_be_named,
        CASE
            WHEN embedding IS NOT NULL
            THEN 0.3::DOUBLE * coalesce(term_share, 0) + 0.6::DOUBLE * coalesce(model_share, 0)
            WHEN is_sentence THEN 0.6::DOUBLE * coalesce(term_share, 0)
            ELSE 0.2::DOUBLE * coalesce(term_share, 0)
        END AS meaning
    FROM chosen LEFT JOIN near USING (paper_id)
),
titled AS (
    SELECT
        scored.*,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN may_be_named
            THEN [
                CASE
                    WHEN title_letters = letters THEN 1::DOUBLE
                    WHEN length(letters) >= 8 AND contains(title_letters, letters)
                    THEN 0.3::DOUBLE
                    ELSE 0::DOUBLE
                END
                for title_letters in [regexp_replace(CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g')]
            ][1]
            ELSE 0::DOUBLE
        END AS naming,
        coalesce(first_listed_on, published_on, submitted_at::DATE) AS day,
        upvote_count
    FROM scored JOIN core.papers USING (paper_id)
),
weighed_up AS (
    SELECT *, max(score) OVER () AS best
    FROM (
        SELECT
            titled.* EXCLUDE (letters),
            CASE
                WHEN are_liked THEN meaning + CASE WHEN len(liked) > 0 THEN 1 ELSE -0.5 END * likeness
                ELSE meaning
            END AS meant,
            CASE WHEN are_liked THEN matching + meant ELSE matching + meaning + naming END AS score
        FROM titled
            LEFT JOIN (
                FROM mart.like_papers(
                    (SELECT CASE WHEN len(liked) > 0 THEN liked ELSE unlike END FROM typed),
                    (SELECT CASE WHEN len(liked) > 0 THEN unlike ELSE [] END FROM typed)
                )
                WHERE contains(query::VARCHAR, 'like:')
            ) USING (paper_id),
            (SELECT liked, unlike FROM typed)
        WHERE is_asked
            AND (
                NOT are_liked
                OR (NOT list_contains(liked || unlike, paper_id) AND (likeness > 0 OR len(liked) = 0 OR has_words))
            )
    )
),
placed AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, day DESC NULLS LAST, paper_id) AS place
    FROM weighed_up
    WHERE term_total IS NULL OR score >= 0.4::DOUBLE * best
),
hits AS (
    SELECT
        *,
        row_number() OVER (
            ORDER BY
                CASE sorted_by WHEN 'date' THEN day END DESC NULLS LAST,
                CASE sorted_by WHEN 'upvotes' THEN upvote_count END DESC NULLS LAST,
                place
        )::INTEGER AS rank
    FROM placed
    WHERE term_total IS NULL
        OR sorted_by = 'relevance'
        OR place <= 10
        OR (is_sentence AND score >= 0.8::DOUBLE * best)
        OR (NOT is_sentence AND score >= 0.7::DOUBLE * best AND term_count = term_total)
)
SELECT
    rank,
    any_value(paper_id) AS paper_id,
    any_value(score) AS score,
    any_value(matching) AS matching,
    any_value(meant) AS meaning,
    coalesce(list(term ORDER BY points DESC, term) FILTER (term IS NOT NULL), []) AS terms,
    coalesce(list(points ORDER BY points DESC, term) FILTER (term IS NOT NULL), []) AS points
FROM hits LEFT JOIN points USING (paper_id)
GROUP BY rank
;
COMMENT ON MACRO TABLE mart."find_any" IS 'What `find_papers` finds, whatever is asked: also for each of many queries, given by a column. Gives: One paper that matches. query: what somebody typed, in the language of docs/search.md. embedding: what a language model makes of the query, as 384 integers; NULL: rank without one.';
CREATE MACRO main."find_any"("query", "embedding") AS TABLE FROM mart."find_any"("query", "embedding");

CREATE MACRO mart."find_id"("query") AS TABLE
-- A text that is nothing but an id or an address: no word of it is looked up, and few tables are read.
WITH named AS (
    SELECT
        'id' AS field,
        coalesce(paper_id, sought) AS value,
        paper_id,
        CASE WHEN paper_id IS NOT NULL THEN 1 WHEN is_address AND list_contains(ids, sought) THEN 2 END AS kind,
        NULL AS folded,
        0 AS part,
        0 AS part_count
    FROM (
            SELECT
                ids,
                is_address,
                unnest(ids || [cut_id || repeat('0', zeros) for zeros in [1, 2, 3, 4] if cut_id <> '']) AS sought
            FROM (
                SELECT
                    regexp_matches(folded, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$') AS is_address,
                    regexp_extract_all(folded, '(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})', 1) AS ids,
                    regexp_extract(folded, '^(?:arxiv ?:? ?)?([0-9]{4}[.][0-9]{1,4})(?:v[0-9]+)?$', 1) AS cut_id
                FROM (SELECT trim(CASE WHEN strlen(trim(regexp_replace(asked, '[ \t\r\n]+', ' ', 'g'))) = length(trim(regexp_replace(asked, '[ \t\r\n]+', ' ', 'g'))) THEN lower(trim(regexp_replace(asked, '[ \t\r\n]+', ' ', 'g'))) ELSE replace(replace(replace(replace(translate(lower(strip_accents(trim(regexp_replace(asked, '[ \t\r\n]+', ' ', 'g')))), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END) AS folded FROM (SELECT unnest([query::VARCHAR]) AS asked))
            )
        )
        LEFT JOIN core.paper_aliases ON lower(alias) = sought
)
SELECT
    row_number() OVER (ORDER BY coalesce(first_listed_on, published_on, submitted_at::DATE) DESC NULLS LAST, paper_id)::INTEGER AS rank,
    paper_id,
    0::DOUBLE AS score,
    0::DOUBLE AS matching,
    0::DOUBLE AS meaning,
    []::VARCHAR[] AS terms,
    []::BIGINT[] AS points
FROM core.papers SEMI JOIN core.search_vectors USING (paper_id) SEMI JOIN (FROM named WHERE kind = 1) USING (paper_id)

;
COMMENT ON MACRO TABLE mart."find_id" IS 'What `find_papers` finds for an id. Gives: One paper that matches. query: an id of arXiv or an address with one, and nothing else.';
CREATE MACRO main."find_id"("query") AS TABLE FROM mart."find_id"("query");

CREATE MACRO mart."find_words"("query") AS TABLE
-- A text that is nothing but words: the papers that it names as a whole, or else those that have them. It is `find_any`
-- without what only fields, quotes, signs and a language model ask for.
WITH typed AS MATERIALIZED (
    SELECT name, letters, [word for word in flatten([
            CASE
                WHEN regexp_matches(stem, '[぀-ヿ㐀-䶿一-鿿豈-﫿]+')
                THEN [substring(stem, nth, 2) for nth in range(1, greatest(length(stem), 2))]
                ELSE regexp_split_to_array(stem, '[-‐‑''’]')
                    || [
                        regexp_replace(stem, '[-‐‑''’]', '', 'g'),
                        regexp_replace(regexp_replace(stem, '[-‐‑''’]', '', 'g'), '^([a-z]+)2([a-z]+)$', '\1to\2')
                    ]
            END
            for stem in stems
        ]) if length(word) BETWEEN 1 AND 64] AS words
    FROM (SELECT trim(regexp_replace(asked, '[ \t\r\n]+', ' ', 'g')) AS name, regexp_replace(CASE WHEN strlen(asked) = length(asked) THEN lower(asked) ELSE replace(replace(replace(replace(translate(lower(strip_accents(asked)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g') AS letters, [regexp_replace(token, '[''’]s$', '') for token in regexp_extract_all(CASE WHEN strlen(asked) = length(asked) THEN lower(asked) ELSE replace(replace(replace(replace(translate(lower(strip_accents(asked)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ]+(?:[-‐‑''’][0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ]+)*|[぀-ヿ㐀-䶿一-鿿豈-﫿]+')] AS stems FROM (SELECT unnest([query::VARCHAR]) AS asked))
),
by_name AS MATERIALIZED (
    SELECT DISTINCT paper_id
    FROM query(
        'FROM mart.' || CASE WHEN regexp_matches(query::VARCHAR, '[0-9]') THEN 'named_papers' ELSE 'named_by_words' END
            || '(''' || replace(trim(regexp_replace(coalesce(query::VARCHAR, ''), '[ \t\r\n]+', ' ', 'g')), '''', '''''') || ''')'
    )
),
wanted AS MATERIALIZED (
    SELECT
        CASE WHEN are_named THEN [] ELSE coalesce(terms, []) END AS terms,
        is_sentence,
        letters
    FROM typed,
        (SELECT count(*) > 0 AS are_named FROM by_name),
        (
            SELECT
                list(DISTINCT term) FILTER (term IS NOT NULL) AS terms,
                coalesce(bool_or(known IS NOT NULL AND term IS NULL), false) AS is_sentence
            FROM mart.read_words((SELECT words FROM typed))
        )
),
points AS MATERIALIZED (
    FROM mart.term_points((SELECT terms FROM wanted))
),
-- Of the papers in `kept` those that have a term in `points`, or all where nothing is wanted for by words, with what
-- their score is made of. Each has what was asked for, but no list: windows and joins would copy it each time.
by_paper AS (
    SELECT
        paper_id,
        sum(points)::BIGINT AS points,
        sum(rarity)::BIGINT AS rarity,
        any_value(whole) AS whole,
        count(*) AS term_count
    FROM points
    GROUP BY paper_id
),
weighed AS (
    SELECT paper_id, term_count, points, points * (whole + rarity) AS of_words, max(points) OVER () AS most,
        max(points * (whole + rarity)) OVER () AS most_of_words
    FROM by_paper
),
chosen AS MATERIALIZED (
    SELECT
        paper_id, is_sentence, letters,
        term_count,
        coalesce(CASE WHEN is_sentence THEN points / most ELSE of_words / most_of_words END, 0) AS matching,
        row_number() OVER (
            ORDER BY CASE WHEN is_sentence THEN points ELSE of_words END DESC NULLS LAST, paper_id
        ) AS candidate
    FROM weighed, (SELECT is_sentence, letters FROM wanted)
),
meant AS (
    SELECT list(sign(value) * ((2 * abs(value) * 127 + most) // (2 * most)) ORDER BY place)::FLOAT[] AS by_terms
    FROM (
        SELECT
            place,
            sum(scale * value)::BIGINT AS value,
            greatest(max(abs(sum(scale * value)::BIGINT)) OVER (), 1) AS most
        FROM (
            SELECT scale::BIGINT AS scale, unnest(vector) AS value, generate_subscripts(vector, 1) AS place
            FROM core.search_basis JOIN (SELECT unnest(terms) AS term FROM wanted) USING (term)
        )
        GROUP BY place
    )
),
-- No window has the vectors that were wanted for: it would copy them for each paper
near AS (
    SELECT
        paper_id,
        
        term_nearness / nullif(max(term_nearness) OVER (), 0) AS term_share
    FROM (
        SELECT
            paper_id,
            
            greatest(coalesce(list_dot_product(vectors.vector::FLOAT[], by_terms), 0), 0)::DOUBLE
                / sqrt(greatest(vectors.square, 1)::DOUBLE) AS term_nearness
        FROM (
                SELECT paper_id FROM chosen
                WHERE candidate <= 1000 AND (term_count IS NOT NULL OR false)
            )
            JOIN core.search_vectors AS vectors USING (paper_id)
            ,
            meant
    )
),
scored AS (
    SELECT
        chosen.*,
        matching >= 0.5::DOUBLE AND candidate <= 1000 AS may_be_named,
        CASE
            WHEN false
            THEN 0.3::DOUBLE * coalesce(term_share, 0) + 0.6::DOUBLE * coalesce(0, 0)
            WHEN is_sentence THEN 0.6::DOUBLE * coalesce(term_share, 0)
            ELSE 0.2::DOUBLE * coalesce(term_share, 0)
        END AS meaning
    FROM chosen LEFT JOIN near USING (paper_id)
),
titled AS (
    SELECT
        scored.*,
        -- in a CASE, so that no engine reads the letters of all titles
        CASE
            WHEN may_be_named
            THEN [
                CASE
                    WHEN title_letters = letters THEN 1::DOUBLE
                    WHEN length(letters) >= 8 AND contains(title_letters, letters)
                    THEN 0.3::DOUBLE
                    ELSE 0::DOUBLE
                END
                for title_letters in [regexp_replace(CASE WHEN strlen(title) = length(title) THEN lower(title) ELSE replace(replace(replace(replace(translate(lower(strip_accents(title)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '[^0-9a-zß-öø-ʯͰ-῿Ⰰ-ⷿ㄀-㏿䷀-䷿ꀀ-퟿ﬀ-﷿ﹰ-ﻼｦ-ￜ぀-ヿ㐀-䶿一-鿿豈-﫿]', '', 'g')]
            ][1]
            ELSE 0::DOUBLE
        END AS naming,
        coalesce(first_listed_on, published_on, submitted_at::DATE) AS day,
        upvote_count
    FROM scored JOIN core.papers USING (paper_id)
),
weighed_up AS (
    SELECT paper_id, matching, meaning, matching + meaning + naming AS score, day, max(score) OVER () AS best FROM titled
),
hits AS (
    SELECT *, row_number() OVER (ORDER BY score DESC, day DESC NULLS LAST, paper_id)::INTEGER AS rank
    FROM weighed_up
    WHERE score >= 0.4::DOUBLE * best
)
SELECT
    rank,
    any_value(paper_id) AS paper_id,
    any_value(score) AS score,
    any_value(matching) AS matching,
    any_value(meaning) AS meaning,
    list(term ORDER BY points DESC, term) AS terms,
    list(points ORDER BY points DESC, term) AS points
FROM hits JOIN points USING (paper_id)
GROUP BY rank
UNION ALL
SELECT
    row_number() OVER (ORDER BY coalesce(first_listed_on, published_on, submitted_at::DATE) DESC NULLS LAST, paper_id)::INTEGER AS rank,
    paper_id,
    0::DOUBLE AS score,
    0::DOUBLE AS matching,
    0::DOUBLE AS meaning,
    []::VARCHAR[] AS terms,
    []::BIGINT[] AS points
FROM core.papers SEMI JOIN core.search_vectors USING (paper_id) SEMI JOIN by_name USING (paper_id)

;
COMMENT ON MACRO TABLE mart."find_words" IS 'What `find_papers` finds for words. Gives: One paper that matches. query: words, without any field, quotation mark or sign of the language.';
CREATE MACRO main."find_words"("query") AS TABLE FROM mart."find_words"("query");

CREATE MACRO mart."find_papers"("query", "embedding") AS TABLE
-- A query is planned for what its text asks for, which takes half of the time: `query` plans the macro that it is given.
FROM query(
    'FROM mart.'
        || CASE
            WHEN embedding IS NOT NULL OR regexp_matches(coalesce(query::VARCHAR, ''), '"|(?:^|[ \t\r\n])(?:-+[^- \t\r\n]|-?(?:title|author|org|keyword|has|id|since|until|list|year|sort|like|words):)') THEN 'find_any('
            WHEN length(query::VARCHAR) <= 400
                AND NOT regexp_matches(query::VARCHAR, '"|words:| -')
                AND regexp_matches(CASE WHEN strlen(query::VARCHAR) = length(query::VARCHAR) THEN lower(query::VARCHAR) ELSE replace(replace(replace(replace(translate(lower(strip_accents(query::VARCHAR)), 'ςłøđðħıŧ', 'σloddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') END, '^(?:[^ ]*|arxiv ?:? ?)(?:^|[^0-9a-z.]|arxiv[.])([0-9]{4}[.][0-9]{4,}|[a-z-]+(?:[.][a-z]{2})?/[0-9]{7,})[^ ]*(?: \[[^ ]*\])?$') THEN 'find_id('
            ELSE 'find_words('
        END
        || '''' || replace(coalesce(query::VARCHAR, ''), '''', '''''') || ''''
        || CASE
            WHEN embedding IS NOT NULL THEN ', ' || embedding::VARCHAR || ')'
            WHEN regexp_matches(coalesce(query::VARCHAR, ''), '"|(?:^|[ \t\r\n])(?:-+[^- \t\r\n]|-?(?:title|author|org|keyword|has|id|since|until|list|year|sort|like|words):)') THEN ', NULL)'
            ELSE ')'
        END
)
;
COMMENT ON MACRO TABLE mart."find_papers" IS 'Papers that match a query, in its order: what `search_papers` and `paperlake search` show. The query is a value or a parameter of the statement; for one that a column gives there is `find_any`. Gives: One paper that matches. query: what somebody typed, in the language of docs/search.md. embedding: what a language model makes of the query, as 384 integers; NULL: rank without one.';
CREATE MACRO main."find_papers"("query", "embedding") AS TABLE FROM mart."find_papers"("query", "embedding");

CREATE MACRO mart."search_papers"("query") AS TABLE
-- As `find_papers`, without what only a ranking asks for, and with what became of the paper.
SELECT rank, paper_id, title, score, array_to_string(terms, ' ') AS terms, status
FROM mart.find_papers(query, NULL)
JOIN core.papers USING (paper_id)
LEFT JOIN mart.paper_outcomes USING (paper_id)
WHERE rank <= 100
ORDER BY rank
;
COMMENT ON MACRO TABLE mart."search_papers" IS 'Papers that match a query, the best first: by words of title and abstract, and in part by meaning. Typing errors, British spelling, hyphens and endings of words do not matter. Gives: One paper that matches, of at most 100. query: words, fields and names, in the language of docs/search.md; a pasted abstract too.';
CREATE MACRO main."search_papers"("query") AS TABLE FROM mart."search_papers"("query");

CREATE MACRO mart."similar_to"("of_paper") AS TABLE
-- The papers most similar to one, with what they share; of keywords only those that few papers have. Reasons explain,
-- they do not rank.
WITH alike AS (
    SELECT rank, other_paper_id, score FROM core.similar_papers AS pairs WHERE pairs.paper_id = of_paper
),
keywords AS (
    SELECT other_paper_id, string_agg(keyword, ', ' ORDER BY paper_count, keyword) AS shared
    FROM alike
    JOIN core.paper_keywords AS theirs ON theirs.paper_id = other_paper_id
    JOIN (SELECT keyword AS ours FROM core.paper_keywords AS keywords WHERE keywords.paper_id = of_paper)
        ON keyword = ours
    JOIN (SELECT keyword, count(*) AS paper_count FROM core.paper_keywords GROUP BY keyword) USING (keyword)
    WHERE paper_count <= 200
    GROUP BY other_paper_id
),
authors AS (
    SELECT other_paper_id, string_agg(DISTINCT name, ', ' ORDER BY name) AS shared
    FROM alike
    JOIN core.paper_authors AS theirs ON theirs.paper_id = other_paper_id
    WHERE name IN (SELECT name FROM core.paper_authors AS authors WHERE authors.paper_id = of_paper)
    GROUP BY other_paper_id
),
repositories AS (
    SELECT other_paper_id, string_agg(DISTINCT repository, ', ' ORDER BY repository) AS shared
    FROM alike
    JOIN core.paper_links AS theirs ON theirs.paper_id = other_paper_id
    WHERE repository IN (SELECT repository FROM core.paper_links AS links WHERE links.paper_id = of_paper)
    GROUP BY other_paper_id
)
SELECT
    rank,
    papers.paper_id,
    papers.title,
    score,
    nullif(
        concat_ws(
            '; ',
            'keywords: ' || keywords.shared,
            'authors: ' || authors.shared,
            'organization: ' || asked.organization_name,
            'repository: ' || repositories.shared
        ),
        ''
    ) AS reasons
FROM alike
JOIN core.papers AS papers ON papers.paper_id = other_paper_id
LEFT JOIN core.papers AS asked
    ON asked.paper_id = of_paper AND asked.organization_login = papers.organization_login
LEFT JOIN keywords USING (other_paper_id)
LEFT JOIN authors USING (other_paper_id)
LEFT JOIN repositories USING (other_paper_id)
ORDER BY rank
;
COMMENT ON MACRO TABLE mart."similar_to" IS 'The papers most like one, by their vectors and rare words, with what else they share. Gives: One paper; never the one that was asked for. of_paper: the paper''s id.';
CREATE MACRO main."similar_to"("of_paper") AS TABLE FROM mart."similar_to"("of_paper");
