-- Sessions, what happened in them, what is remembered of them, and the work still to be done.
-- Within SQLite 3.39. Times are Unix milliseconds.

create table projects (
  id integer primary key,
  key text not null unique,
  name text not null,
  created_at integer not null
);

create table sessions (
  id integer primary key,
  host text not null,
  session_id text not null,
  project_id integer references projects (id),
  root text,
  worktree text,
  transcript_path text,
  host_pid integer,
  started_at integer not null,
  last_event_at integer not null,
  -- The newest start or prompt: only these begin a session again that had ended, not a late tool call.
  opened_at integer not null default 0,
  ended_at integer,
  end_reason text,
  unique (host, session_id)
);
create index sessions_by_project on sessions (project_id, last_event_at desc);

create table prompts (
  id integer primary key,
  session_row integer not null references sessions (id) on delete cascade,
  number integer not null,
  key text not null unique,
  prompt_id text,
  text text not null,
  private integer not null default 0,
  created_at integer not null,
  unique (session_row, number)
);
create index prompts_by_host_id on prompts (session_row, prompt_id);

create table events (
  id integer primary key,
  session_row integer not null references sessions (id) on delete cascade,
  prompt_number integer not null,
  prompt_id text,
  key text not null unique,
  kind text not null,
  tool text,
  agent_id text,
  agent_type text,
  cwd text,
  via text not null,
  -- JSON text; deflated (then a blob) where that is shorter.
  body blob not null,
  created_at integer not null
);
create index events_by_turn on events (session_row, prompt_number, id);

create table observations (
  id integer primary key,
  session_row integer references sessions (id) on delete cascade,
  project_id integer references projects (id),
  prompt_number integer,
  unit text not null,
  type text not null,
  title text not null,
  subtitle text not null default '',
  narrative text not null default '',
  facts text not null default '[]',
  concepts text not null default '[]',
  files_read text not null default '[]',
  files_modified text not null default '[]',
  agent_id text,
  agent_type text,
  source text not null,
  origin text not null,
  model text,
  pinned integer not null default 0,
  superseded_by integer references observations (id) on delete set null,
  created_at integer not null,
  unique (session_row, prompt_number, source, unit)
);
create index observations_by_project on observations (project_id, created_at desc);
-- The few that are always told, found without reading the many.
create index observations_kept on observations (project_id, pinned desc, created_at desc)
  where pinned = 1 or source = 'manual';

create table observation_events (
  observation_id integer not null references observations (id) on delete cascade,
  event_id integer not null references events (id) on delete cascade,
  primary key (observation_id, event_id)
) without rowid;
create index observation_events_by_event on observation_events (event_id);

create table summaries (
  id integer primary key,
  session_row integer not null references sessions (id) on delete cascade,
  project_id integer references projects (id),
  prompt_number integer,
  request text not null,
  investigated text not null default '',
  learned text not null default '',
  completed text not null default '',
  next_steps text not null default '',
  notes text not null default '',
  files_read text not null default '[]',
  files_edited text not null default '[]',
  source text not null,
  model text,
  created_at integer not null,
  unique (session_row, prompt_number, source)
);
create index summaries_by_project on summaries (project_id, created_at desc);

-- One row a piece of work. Its state follows from the times: failed_at, finished_at, lease_until, run_at.
create table jobs (
  id integer primary key,
  kind text not null,
  session_row integer not null references sessions (id) on delete cascade,
  prompt_number integer not null,
  -- Raised by every wish for the work, so that finishing an older wish does not hide a newer one.
  generation integer not null default 1,
  run_at integer not null,
  lease_owner text,
  lease_until integer,
  attempts integer not null default 0,
  error text,
  finished_at integer,
  failed_at integer,
  created_at integer not null,
  unique (kind, session_row, prompt_number)
);
create index jobs_due on jobs (run_at) where finished_at is null and failed_at is null;
