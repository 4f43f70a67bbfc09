-- 1: marks, only ever added to
create table mark (
  id integer primary key,
  code text not null,
  label text not null,
  kind text not null check (kind in ('graded', 'regraded', 'discount', 'override')),
  raw text not null,
  verdict text not null,
  credit text not null,
  points integer not null,
  misconceptions text not null check (json_valid(misconceptions)),
  item text not null,
  key text not null,
  engine text not null,
  policy text not null check (json_valid(policy)),
  at text not null,
  why text not null
) strict;

create index mark_place on mark (code, label, id);
