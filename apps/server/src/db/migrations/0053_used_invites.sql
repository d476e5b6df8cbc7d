-- Who used an invite, for as long as its link would have worked: opened again by them, it says so.
alter table mailed_tokens drop constraint mailed_tokens_purpose_check;
alter table mailed_tokens
  add constraint mailed_tokens_purpose_check check (purpose in ('verify_email', 'magic', 'reset', 'invite'));
