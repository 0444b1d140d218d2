-- What the host's own transcripts confirm, what is repeated, settled or corrected later, and sessions told as one.

alter table sessions add column branch text;
-- Prompts and tool calls that the session's transcripts show, each counted once.
alter table sessions add column expected integer not null default 0;

alter table prompts add column in_transcript integer not null default 0;
alter table prompts add column via text not null default 'hook';
-- The id of the transcript's record; copies of a session (forks) repeat it.
alter table prompts add column record_id text;
create index prompts_by_record on prompts (record_id) where record_id is not null;

-- Beside the events, whose rows are long: the events that a transcript shows too.
create table confirmed_events (
  event_id integer primary key references events (id) on delete cascade,
  session_row integer not null
);
create index confirmed_by_session on confirmed_events (session_row);

-- A call whose result had not come when its session seemed over: the result takes its place.
alter table events add column unanswered integer not null default 0;
alter table events add column tool_use_id text;
update events set tool_use_id =
  (select substr(events.key, length(s.host) + length(s.session_id) + 8) from sessions s where s.id = events.session_row)
where kind in ('tool', 'tool_failure') and key like '%:tool:%';
create index events_by_tool_use on events (tool_use_id) where tool_use_id is not null;

-- One row a file. It is also the list of reading still to be done: `wanted_at` says when.
create table transcripts (
  path text primary key,
  host text not null,
  session_id text not null,
  agent_id text,
  agent_type text,
  -- The file as it was where the reading stopped: one that was replaced, rewritten or cut is read from its start.
  mark text,
  size integer not null default 0,
  offset integer not null default 0,
  -- Places in the file and ids, never content.
  state text,
  -- Lines that could not be read: broken, or too long.
  unreadable integer not null default 0,
  wanted_at integer,
  attempts integer not null default 0,
  error text,
  read_at integer
) without rowid;
create index transcripts_wanted on transcripts (wanted_at) where wanted_at is not null;
create index transcripts_by_session on transcripts (host, session_id);

alter table observations add column superseded_how text;
alter table observations add column hypothesis integer not null default 0;
-- With how, so that repetitions are counted from the index alone.
create index observations_superseded on observations (superseded_by, superseded_how) where superseded_by is not null;
-- Whatever removes the note that stood for another: what is no longer superseded was superseded in no way.
create trigger observations_freed after update of superseded_by on observations
when new.superseded_by is null and new.superseded_how is not null
begin
  update observations set superseded_how = null where id = new.id;
end;

-- What a note is about, as hashes: how later notes on the same thing find it.
create table observation_subjects (
  project_id integer not null,
  subject integer not null,
  at integer not null,
  observation_id integer not null references observations (id) on delete cascade,
  primary key (project_id, subject, at, observation_id)
) without rowid;
create index observation_subjects_by_row on observation_subjects (observation_id);

-- From a note to the next one that stands for it; observations.superseded_by follows these to their end.
create table observation_links (
  older integer primary key references observations (id) on delete cascade,
  newer integer not null references observations (id) on delete cascade,
  how text not null
);
create index observation_links_by_newer on observation_links (newer);

create unique index summaries_of_session on summaries (session_row, source) where prompt_number is null;

-- What is remembered already is linked and summed up when its turn is compressed: once more, then.
insert into jobs (kind, session_row, prompt_number, run_at, created_at)
select 'compress', session_row, number, 0, 0 from prompts where true
on conflict (kind, session_row, prompt_number) do update set
  generation = generation + 1, attempts = 0, error = null, finished_at = null, failed_at = null;
