-- Pictures of people are files under a random key; their address is the only thing that is kept of them here.
alter table users add constraint users_avatar
  check (avatar ~ '^/api/avatar/[A-Za-z0-9_-]{43}\.(png|jpg)$');

-- Files that belong to nobody: not yet, while one is being uploaded, or no more. Whatever is here is removed from the
-- storage once its time has come, so no crash and no way of losing a user leaves one behind (T-70, T-89).
create table loose_files (
  key text primary key,
  remove_after timestamptz not null
);
create index loose_files_remove on loose_files (remove_after);
alter table loose_files enable row level security;
alter table loose_files force row level security;
create policy everything on loose_files to plinth_system using (true) with check (true);
grant select, insert, update, delete on loose_files to plinth_system;

create function lose_avatar() returns trigger language plpgsql as $$
begin
  if old.avatar is not null and (tg_op = 'DELETE' or new.avatar is distinct from old.avatar) then
    insert into loose_files (key, remove_after) values (substr(old.avatar, length('/api/avatar/') + 1), now())
      on conflict (key) do nothing;
  end if;
  return null;
end $$;
create trigger lose_avatar after delete or update of avatar on users for each row execute function lose_avatar();

-- What people say of the product. The rating outlives the person and the account; the words are theirs and go (T-89).
create table feedback (
  id uuid primary key,
  account_id uuid references accounts on delete set null,
  user_id uuid references users on delete set null,
  rating text not null check (rating in ('positive', 'neutral', 'negative')),
  comment text not null default '' check (length(comment) <= 2000),
  created_at timestamptz not null
);
create index feedback_created on feedback (created_at);
create index feedback_account on feedback (account_id, created_at);
create index feedback_user on feedback (user_id, created_at);
alter table feedback enable row level security;
alter table feedback force row level security;
create policy own_account on feedback to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on feedback to plinth_system using (true) with check (true);
grant select, insert, update, delete on feedback to plinth_system;
grant insert on feedback to plinth_app;

create function forget_words() returns trigger language plpgsql as $$
begin
  if new.user_id is null and old.user_id is not null then
    new.comment := '';
  end if;
  return new;
end $$;
create trigger forget_words before update on feedback for each row execute function forget_words();
