-- What is carried out at the payment provider, beside the first choice of a plan: a change of a running one, and
-- another card. All share the rule of one open attempt an account, so none overtakes another.
alter table billing_attempts
  add column kind text not null default 'first' check (kind in ('first', 'change', 'card')),
  -- The plan that a change leaves.
  add column from_plan text check (from_plan in ('startup', 'startup_yearly', 'scale')),
  -- To the second at which the provider divides a period, as it was previewed; null for its own now.
  add column proration_date timestamptz,
  -- The card that was in use before, to go back to where a change with a new one is not paid.
  add column old_card_id text,
  -- When the new card came into use.
  add column replaced_at timestamptz,
  alter column plan drop not null,
  alter column card_token drop not null,
  drop constraint billing_attempts_plan_check,
  add constraint billing_attempts_plan_check check (plan in ('free', 'startup', 'startup_yearly', 'scale')),
  add constraint billing_attempts_whole check (case kind
    when 'first' then plan is not null and plan <> 'free' and card_token is not null
    when 'change' then plan is not null and provider_sub_id is not null
    else plan is null and card_token is not null end);

grant update (old_card_id, replaced_at) on billing_attempts to plinth_app;
