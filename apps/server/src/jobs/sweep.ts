import { CompiledQuery } from 'kysely'
import type { Services } from '../context.ts'

/** Rows that one statement takes: short transactions, which nobody waits for long. */
const batch = 500
/** Batches of one rule in one sweep; the next sweep goes on from there. */
const batches = 40

/** What is thrown away, how long after it has run out or was last needed, and why then (docs/operations.md). */
const rules = {
  // Run out: nothing reads them any more.
  sessions: { days: 0, where: 'expires_at < $1' },
  // A week, in which somebody may ask why a link no longer works.
  mailed_tokens: { days: 7, where: 'expires_at < $1' },
  impersonations: { days: 1, where: 'expires_at < $1' },
  // Single sign-on under way, and assertions once their age alone refuses them.
  saml_requests: { days: 0, where: 'expires_at < $1' },
  saml_handovers: { days: 0, where: 'expires_at < $1' },
  saml_assertions: { days: 0, where: 'keep_until < $1' },
  challenges: { days: 1, where: 'expires_at < $1' },
  passkey_challenges: { days: 0, where: 'expires_at < $1' },
  social_flows: { days: 0, where: 'expires_at < $1' },
  social_handovers: { days: 0, where: 'expires_at < $1' },
  // A month: an invite that has run out is still in the list, to be sent again.
  invites: { days: 30, where: 'expires_at < $1' },
  // Clients repeat a call within minutes.
  idempotency_keys: { days: 1, where: 'created_at < $1' },
  sign_in_links: { days: 0, where: 'expires_at < $1' },
  sign_in_warnings: { days: 2, where: 'sent_at < $1' },
  login_throttle: { days: 0, where: 'expires_at < $1' },
  // As long as a browser keeps the cookie that it is known by.
  devices: { days: 400, where: 'last_used_at < $1' },
  rate_limits: { days: 0, where: 'expire < extract(epoch from $1::timestamptz) * 1000' },
  // Longer than the provider sends a message again, which is three days.
  notices: { days: 30, where: 'handled_at < $1' },
  // As long as the link to the old address undoes.
  email_changes: { days: 0, where: 'expires_at < $1' },
  // Long after the provider's last message, so that somebody may ask what became of it.
  closings: { days: 90, where: 'settled_at < $1' },
  // Long enough to see whether what was said has changed.
  feedback: { days: 800, where: 'created_at < $1' },
  // A year and a month: one year can be compared with the one before.
  events: { days: 400, where: 'created_at < $1' },
  usage_events: { days: 400, where: 'created_at < $1' },
  usage_months: { days: 400, where: "month < to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM')" },
  // What is revoked stays in the list for as long, so that a program that stopped can be explained.
  api_keys: { days: 400, where: 'revoked_at < $1' },
  // A link lives a day; who has not proven the address in a month was not its holder, or has given up.
  users: { days: 30, where: 'verified_at is null and created_at < $1' },
} as const
type Table = keyof typeof rules

const statementOf = (table: Table) =>
  table === 'users'
    ? unproven
    : `delete from ${table} where ctid = any (array(select ctid from ${table} where ${rules[table].where} limit ${batch}))`

/** An unproven person goes with the accounts that only such people are in. The lock is lost to a proof under way. */
const unproven = `
  with gone as materialized (
    select id from users where ${rules.users.where} order by created_at limit ${batch} for update skip locked
  ), lone as (
    delete from accounts a using memberships m where m.account_id = a.id and m.user_id in (select id from gone)
      and not exists (select from memberships o where o.account_id = a.id and o.user_id not in (select id from gone))
  )
  delete from users where id in (select id from gone)`

/** Throws away what has run out. Each batch in its own transaction: none waits for another's locks. */
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
  // The embedded database never counts its rows: what it planned for a small table would stay so as long as it runs.
  await services.asSystem('upkeep', tx => tx.executeQuery(CompiledQuery.raw('discard plans')))
}
