-- 1: the log
create table session (
  id integer primary key,
  begun text not null
) strict;

create table event (
  session integer not null references session (id),
  seq integer not null,
  kind text not null,
  at text not null,
  data text not null check (json_valid(data)),
  primary key (session, seq)
) strict, without rowid;

-- 2: what is due, worked out from the log and thrown away at will
create table due (
  unit text primary key,
  at text not null
) strict, without rowid;

-- 3: a checksum of each event
alter table event add column crc integer not null default 0;

-- 4: which sessions go on, and every mark: worked out from the log and thrown away at will
create table going (
  session integer primary key,
  exam integer not null,
  crc integer not null
) strict;

create table mark (
  session integer not null,
  seq integer not null,
  place integer not null,
  data text not null,
  crc integer not null,
  primary key (session, seq)
) strict, without rowid;

-- 5: what the learner has chosen, such as a goal a day
create table choice (
  name text primary key,
  value text not null
) strict, without rowid;
