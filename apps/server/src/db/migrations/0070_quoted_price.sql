-- The price that the person agreed to. It is compared with the provider's own preview right before anything is charged.
alter table billing_attempts
  add column quoted_amount integer,
  add column quoted_currency text check (length(quoted_currency) = 3),
  add column quoted_state text check (length(quoted_state) <= 64),
  add constraint billing_attempts_quoted check (
    (quoted_amount is null) = (quoted_state is null) and (quoted_currency is null) = (quoted_state is null));
