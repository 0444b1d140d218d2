-- Which observations speak of a file, kept in step with them.
create table observation_files (
  path text not null,
  project_id integer,
  observation_id integer not null references observations (id) on delete cascade,
  modified integer not null,
  primary key (path, observation_id)
) without rowid;
create index observation_files_by_row on observation_files (observation_id);

create trigger observations_files_in after insert on observations begin
  insert into observation_files (path, project_id, observation_id, modified)
    select value, new.project_id, new.id, 1 from json_each(new.files_modified) where true on conflict do nothing;
  insert into observation_files (path, project_id, observation_id, modified)
    select value, new.project_id, new.id, 0 from json_each(new.files_read) where true on conflict do nothing;
end;
create trigger observations_files_change after update of files_modified, files_read, project_id on observations
when new.files_modified is not old.files_modified or new.files_read is not old.files_read
  or new.project_id is not old.project_id
begin
  delete from observation_files where observation_id = new.id;
  insert into observation_files (path, project_id, observation_id, modified)
    select value, new.project_id, new.id, 1 from json_each(new.files_modified) where true on conflict do nothing;
  insert into observation_files (path, project_id, observation_id, modified)
    select value, new.project_id, new.id, 0 from json_each(new.files_read) where true on conflict do nothing;
end;

insert into observation_files (path, project_id, observation_id, modified)
  select f.value, o.project_id, o.id, 1 from observations o, json_each(o.files_modified) f where true on conflict do nothing;
insert into observation_files (path, project_id, observation_id, modified)
  select f.value, o.project_id, o.id, 0 from observations o, json_each(o.files_read) f where true on conflict do nothing;

-- What lies around a moment.
create index prompts_by_time on prompts (created_at);
