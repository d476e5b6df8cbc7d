-- The look-ups of every call keep their plans. Made while a table was still small, such a plan reads all of it, and goes
-- on to while the table grows, until statistics are taken again: a minute's worth of sign-ins made each call of everybody
-- up to twice as long.
alter function find_sessions(bytea[], timestamptz) set enable_seqscan = off;
alter function find_sessions(bytea[], timestamptz) set enable_hashjoin = off;
alter function find_sessions(bytea[], timestamptz) set enable_bitmapscan = off;
alter function find_api_key(bytea, timestamptz) set enable_seqscan = off;
alter function find_api_key(bytea, timestamptz) set enable_hashjoin = off;
alter function find_api_key(bytea, timestamptz) set enable_bitmapscan = off;
