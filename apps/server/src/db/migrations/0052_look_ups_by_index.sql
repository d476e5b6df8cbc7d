-- The look-ups of every call keep their plans. Made while a table was still small, such a plan reads all of it, and goes
-- on to while the table grows, until statistics are taken again: a minute's worth of sign-ins made each call of everybody
-- up to twice as long. Without the other two settings it would build a hash, or a map of rows, over as many of them.
-- (Made while a table had a single row, a plan may still walk along an index; the next statistics end that too.)
alter function find_sessions(bytea[], timestamptz) set enable_seqscan = off;
alter function find_sessions(bytea[], timestamptz) set enable_hashjoin = off;
alter function find_sessions(bytea[], timestamptz) set enable_bitmapscan = off;
alter function find_api_key(bytea, timestamptz) set enable_seqscan = off;
alter function find_api_key(bytea, timestamptz) set enable_hashjoin = off;
alter function find_api_key(bytea, timestamptz) set enable_bitmapscan = off;
