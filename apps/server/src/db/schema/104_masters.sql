-- Support staff of the product (masters). Written by a command line tool, never by an API call.
create table masters (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz not null default now()
);

alter table masters enable row level security, force row level security;
create policy everything on masters to plinth_system using (true) with check (true);
grant select, insert, update, delete on masters to plinth_system;

create trigger apply_master_lifetimes after insert on masters for each row execute function apply_master_lifetimes();
create trigger expire_invites after delete on masters for each row execute function expire_invites_of_master();
