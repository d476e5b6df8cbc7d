create table sso_domains (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  domain text not null check (is_domain(domain)),
  -- The text that the TXT record must have. It is public.
  proof text not null,
  proven_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, domain)
);
-- A verified domain belongs to one account.
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;

alter table sso_domains enable row level security, force row level security;
create policy everything on sso_domains to plinth_system using (true) with check (true);
create policy own_account on sso_domains to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_domains to plinth_system;
grant select on sso_domains to plinth_app;
