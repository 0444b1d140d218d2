-- What the user had deleted stays deleted when its turn is compressed again.
create table forgotten (
  session_row integer not null references sessions (id) on delete cascade,
  prompt_number integer not null,
  unit text not null,
  primary key (session_row, prompt_number, unit)
) without rowid;
