-- Links by mail that sign in, or that set a new password.

alter table mailed_tokens drop constraint mailed_tokens_purpose_check;
alter table mailed_tokens
  add constraint mailed_tokens_purpose_check check (purpose in ('verify_email', 'magic', 'reset'));
