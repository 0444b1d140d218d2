-- Everything that can be searched, one row a thing, whatever it is: observations, summaries, prompts.

create table search_docs (
  -- project * 2^32 + item * 4 + kind: one project's rows lie together, so that its searches read no other's, and
  -- within it the newest come last.
  id integer primary key,
  -- 0 observation, 1 summary, 2 prompt
  kind integer not null,
  item integer not null,
  project_id integer not null,
  session_row integer,
  at integer not null,
  type text not null default '',
  origin text not null default '',
  pinned integer not null default 0,
  superseded integer not null default 0,
  -- "\n" before and after each, so that one is found whole.
  files text not null default '',
  concepts text not null default '',
  title text not null default '',
  body text not null default '',
  names text not null default '',
  -- Words that the tokenizer does not see: the parts of identifiers, their joined form, names made of signs.
  parts text not null default '',
  -- One and two characters each, of scripts that put no space between words.
  grams text not null default '',
  words integer not null default 0
);
create unique index search_docs_by_item on search_docs (kind, item);
create index search_docs_in_session on search_docs (session_row, at, id);
create index search_docs_by_time on search_docs (project_id, at, id);

create virtual table fulltext using fts5 (
  title, body, names, parts, grams,
  content = 'search_docs', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

create table search_counts (
  project_id integer primary key,
  docs integer not null,
  words integer not null
);

create trigger search_docs_added after insert on search_docs begin
  insert into fulltext (rowid, title, body, names, parts, grams)
    values (new.id, new.title, new.body, new.names, new.parts, new.grams);
  insert into search_counts (project_id, docs, words) values (new.project_id, 1, new.words)
    on conflict (project_id) do update set docs = docs + 1, words = words + excluded.words;
end;
create trigger search_docs_removed after delete on search_docs begin
  insert into fulltext (fulltext, rowid, title, body, names, parts, grams)
    values ('delete', old.id, old.title, old.body, old.names, old.parts, old.grams);
  update search_counts set docs = docs - 1, words = words - old.words where project_id = old.project_id;
end;

-- What has changed and is not yet in the index as it is now: whoever writes need not know of the index. (Triggers say
-- "on conflict do nothing": "or ignore" would give way to the conflict clause of the statement that fires them.)
create table search_pending (
  kind integer not null,
  item integer not null,
  primary key (kind, item)
) without rowid;

create trigger observations_to_index after insert on observations begin
  insert into search_pending values (0, new.id) on conflict do nothing;
end;
create trigger observations_to_index_again after update on observations begin
  insert into search_pending values (0, new.id) on conflict do nothing;
end;
create trigger observations_out_of_index after delete on observations begin
  delete from search_docs where kind = 0 and item = old.id;
  delete from search_pending where kind = 0 and item = old.id;
end;

create trigger summaries_to_index after insert on summaries begin
  insert into search_pending values (1, new.id) on conflict do nothing;
end;
create trigger summaries_to_index_again after update on summaries begin
  insert into search_pending values (1, new.id) on conflict do nothing;
end;
create trigger summaries_out_of_index after delete on summaries begin
  delete from search_docs where kind = 1 and item = old.id;
  delete from search_pending where kind = 1 and item = old.id;
end;

create trigger prompts_to_index after insert on prompts begin
  insert into search_pending values (2, new.id) on conflict do nothing;
end;
create trigger prompts_to_index_again after update of text, private, created_at on prompts begin
  insert into search_pending values (2, new.id) on conflict do nothing;
end;
create trigger prompts_out_of_index after delete on prompts begin
  delete from search_docs where kind = 2 and item = old.id;
  delete from search_pending where kind = 2 and item = old.id;
end;
create trigger sessions_to_index_again after update of project_id on sessions
when new.project_id is not old.project_id
begin
  insert into search_pending select 2, id from prompts where session_row = new.id on conflict do nothing;
end;

-- What was stored before there was an index.
insert into search_pending select 0, id from observations;
insert into search_pending select 1, id from summaries;
insert into search_pending select 2, id from prompts;
