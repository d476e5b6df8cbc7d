-- Each paid invoice is mailed as one receipt.
alter table billing_told drop constraint billing_told_kind_check;
alter table billing_told add constraint billing_told_kind_check
  check (kind in (
    'payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded',
    'refund', 'credit_note', 'dispute', 'dispute_closed', 'second_subscription', 'receipt'
  ));
