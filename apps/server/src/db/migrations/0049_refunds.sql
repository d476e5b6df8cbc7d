-- A payment that brought no plan is given back, and its owners are told of it, once.
alter table billing_told drop constraint billing_told_kind_check;
alter table billing_told add constraint billing_told_kind_check
  check (kind in ('payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded'));

-- First choices that had come to nothing, or to nothing yet, when an account was closed: what they are charged goes back.
alter table closings add column attempts jsonb not null default '[]';
