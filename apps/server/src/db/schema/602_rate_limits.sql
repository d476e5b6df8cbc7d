-- The table of rate-limiter-flexible.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

grant select, insert, update, delete on rate_limits to plinth_system;
grant select, insert, update, delete on rate_limits to plinth_app;
