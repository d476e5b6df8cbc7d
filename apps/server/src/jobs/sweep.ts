import { CompiledQuery } from 'kysely'
import type { Services } from '../context.ts'

/** Rows deleted by one statement; keeps transactions short. */
const batch = 500
/** Batches of one table in one sweep; the next sweep continues. */
const batches = 40

/** The rows to delete, and how many days after expiry or last use (docs/operations.md). */
const rules = {
  sessions: { days: 0, where: 'expires_at < $1' },
  // A week, to answer support requests about expired links.
  mailed_tokens: { days: 7, where: 'expires_at < $1' },
  impersonations: { days: 1, where: 'expires_at < $1' },
  // Single sign-on under way, and assertions once their age alone refuses them.
  saml_requests: { days: 0, where: 'expires_at < $1' },
  saml_sign_in_tokens: { days: 0, where: 'expires_at < $1' },
  saml_assertions: { days: 0, where: 'keep_until < $1' },
  challenges: { days: 1, where: 'expires_at < $1' },
  passkey_challenges: { days: 0, where: 'expires_at < $1' },
  social_flows: { days: 0, where: 'expires_at < $1' },
  social_sign_in_tokens: { days: 0, where: 'expires_at < $1' },
  // A month: an invite that has run out is still in the list, to be sent again.
  invites: { days: 30, where: 'expires_at < $1' },
  // Clients repeat a call within minutes.
  idempotency_keys: { days: 1, where: 'created_at < $1' },
  sign_in_links: { days: 0, where: 'expires_at < $1' },
  sign_in_warnings: { days: 2, where: 'sent_at < $1' },
  login_throttle: { days: 0, where: 'expires_at < $1' },
  // The lifetime of the browser's cookie.
  devices: { days: 400, where: 'last_used_at < $1' },
  rate_limits: { days: 0, where: 'expire < extract(epoch from $1::timestamptz) * 1000' },
  // The provider repeats a webhook for three days.
  payment_webhooks: { days: 30, where: 'handled_at < $1' },
  // The lifetime of the link that undoes the change.
  email_changes: { days: 0, where: 'expires_at < $1' },
  // Long after the provider's last webhook, to answer support requests.
  account_closures: { days: 90, where: 'settled_at < $1' },
  feedback: { days: 800, where: 'created_at < $1' },
  // A year and a month, to compare with the year before.
  events: { days: 400, where: 'created_at < $1' },
  usage_events: { days: 400, where: 'created_at < $1' },
  usage_months: { days: 400, where: "month < to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM')" },
  // Revoked keys stay in the list, to explain why a program stopped.
  api_keys: { days: 400, where: 'revoked_at < $1' },
  // Verification links are valid for a day.
  users: { days: 30, where: 'verified_at is null and created_at < $1' },
} as const
type Table = keyof typeof rules

const statementOf = (table: Table) =>
  table === 'users'
    ? unproven
    : `delete from ${table} where ctid = any (array(select ctid from ${table} where ${rules[table].where} limit ${batch}))`

/** Unverified users are deleted with the accounts that only they are in. Users under verification are locked, and skipped. */
const unproven = `
  with gone as materialized (
    select id from users where ${rules.users.where} order by created_at limit ${batch} for update skip locked
  ), lone as (
    delete from accounts a using memberships m where m.account_id = a.id and m.user_id in (select id from gone)
      and not exists (select from memberships o where o.account_id = a.id and o.user_id not in (select id from gone))
  )
  delete from users where id in (select id from gone)`

/** Deletes expired rows, each batch in its own transaction. */
export async function sweep(services: Services) {
  for (const table of Object.keys(rules) as Table[]) {
    // as: keys of the table above
    const before = new Date(services.now().getTime() - rules[table].days * 86_400_000)
    for (let n = 0; n < batches; n++) {
      const { numAffectedRows = 0n } = await services.asSystem('upkeep', tx =>
        tx.executeQuery(CompiledQuery.raw(statementOf(table), [before])),
      )
      if (numAffectedRows < batch) break
    }
  }
  // The embedded database never analyses its tables: without this, plans made for small tables would stay.
  await services.asSystem('upkeep', tx => tx.executeQuery(CompiledQuery.raw('discard plans')))
}
