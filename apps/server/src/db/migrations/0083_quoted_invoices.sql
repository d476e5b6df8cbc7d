-- The open invoices that the quote of a new card named; it pays these and no others. Null where no quote was sent.
alter table billing_attempts add column quoted_invoices text[];
grant update (quoted_invoices) on billing_attempts to plinth_app;
