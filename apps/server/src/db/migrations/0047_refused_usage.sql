-- When the payment provider said no to a report of usage: it is set aside for a day, and the ones behind it go on.
alter table usage_events add column refused_at timestamptz;
