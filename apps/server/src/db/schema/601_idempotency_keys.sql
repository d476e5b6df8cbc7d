-- First replies to calls with an Idempotency-Key. The body is encrypted because it may contain a session
-- token.
create table idempotency_keys (
  scope text not null,
  key text not null,
  params_hash bytea not null,
  status integer,
  sealed_body text,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

alter table idempotency_keys enable row level security, force row level security;
create policy everything on idempotency_keys to plinth_system using (true) with check (true);
grant select, insert, update, delete on idempotency_keys to plinth_system;
