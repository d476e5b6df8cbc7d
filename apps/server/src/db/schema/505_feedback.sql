-- Feedback of users. The rating outlives the user and the account, the comment does not.
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

alter table feedback enable row level security, force row level security;
create policy own_account on feedback to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on feedback to plinth_system using (true) with check (true);
grant select, insert, update, delete on feedback to plinth_system;
grant insert on feedback to plinth_app;

create trigger clear_feedback_comment before update on feedback for each row execute function clear_feedback_comment();
