-- Addresses and domains are stored in the one spelling that normalEmail() and normalDomain() of the contract make:
-- ASCII with small letters. lower() would depend on the database's locale.
create function is_domain(p_text text) returns boolean language sql immutable strict parallel safe
  as $$ select length(p_text) <= 253 and p_text collate "C" ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$' $$;
create function is_email(p_text text) returns boolean language sql immutable strict parallel safe
  as $$ select length(p_text) <= 254 and p_text collate "C" ~ '^[!-?\[-~]+@[a-z0-9-]+([.][a-z0-9-]+)+$' $$;

alter table users drop constraint users_email_check, add constraint users_email_check check (is_email(email));
alter table invites drop constraint invites_email_check, add constraint invites_email_check check (is_email(email));
alter table email_changes
  drop constraint email_changes_old_email_check,
  drop constraint email_changes_new_email_check,
  add constraint email_changes_old_email_check check (is_email(old_email)),
  add constraint email_changes_new_email_check check (is_email(new_email));
alter table mailed_tokens add constraint mailed_tokens_email_check check (is_email(email));
alter table identities drop constraint identities_email_check, add constraint identities_email_check check (is_email(email));
alter table sso_domains drop constraint sso_domains_domain_check, add constraint sso_domains_domain_check check (is_domain(domain));
