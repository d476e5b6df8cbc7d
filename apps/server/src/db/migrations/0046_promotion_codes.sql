-- A code that takes something off, as part of an attempt to pay: what is repeated after a crash, or after the bank has
-- been asked, costs the same as the first time.
alter table billing_attempts
  -- As it was typed.
  add column promotion_code text check (promotion_code <> '' and length(promotion_code) <= 500),
  -- What the provider calls it, once it has said that the code is good; written down before anything is charged.
  add column promotion_id text check (length(promotion_id) <= 255),
  add constraint billing_attempts_promotion check (
    (promotion_id is null or promotion_code is not null) and (promotion_code is null or kind <> 'card'));

grant update (promotion_id) on billing_attempts to plinth_app;
