import { randomBytes, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { DB } from '../../src/db/schema.generated.ts'
import type { makeTestApp } from '../harness.ts'
import type { InsertedUser } from './accounts.ts'

type Row<T extends keyof DB> = Insertable<DB[T]>
type Rows = { [T in keyof DB]?: Row<T> }

/**
 * Inserts a row into every table that references an account or a user. All private texts contain `mark`, so that a leak
 * can be detected.
 */
export function everyTableFactory({ services, clock }: Awaited<ReturnType<typeof makeTestApp>>) {
  return async (owner: InsertedUser, master: Pick<InsertedUser, 'id'>, mark: string) => {
    const { id: user_id, account_id } = owner
    const created_at = clock.now()
    // Late enough that no reminder is sent.
    const later = new Date(created_at.getTime() + 400 * 86_400_000)
    const lived = { created_at, last_used_at: created_at }
    const passing = { created_at, expires_at: later }
    const secret = () => randomBytes(32)
    const both = { account_id, user_id }
    const [connection_id, key_id] = [randomUUID(), randomUUID()]

    const ofThePerson = {
      passkey_handles: { user_id, handle: secret() },
      passkeys: {
        ...{ id: randomUUID(), user_id, credential_id: secret(), public_key: secret(), counter: 0 },
        ...{ transports: 'internal', synced: false, name: mark, ...lived },
      },
      passkey_challenges: {
        ...{ challenge_hash: secret(), browser: secret(), user_id, purpose: 'register', ...passing },
      },
      identities: {
        ...{ id: randomUUID(), user_id, provider: 'google', issuer: mark, subject: mark, ...lived },
        email: `${mark}@provider.example`,
      },
      disconnected_identities: { user_id, issuer: 'https://github.example', subject: mark },
      two_factors: { user_id, sealed_secret: mark, enabled_at: created_at, backup_hash: secret() },
      challenges: { id: randomUUID(), token_hash: secret(), ...both, method: 'password', ...passing },
      devices: {
        user_id,
        browser_hash: secret(),
        network: mark,
        first_used_at: created_at,
        last_used_at: later,
      },
      email_changes: {
        ...{
          id: randomUUID(),
          user_id,
          old_email: owner.email,
          new_email: `${mark}@new.example`,
          ...passing,
        },
        ...{ confirm_hash: secret(), confirm_expires_at: later, undo_hash: secret() },
      },
      mailed_tokens: {
        ...{
          id: randomUUID(),
          token_hash: secret(),
          purpose: 'magic',
          user_id,
          email: owner.email,
          ...passing,
        },
      },
      sign_in_links: { token_hash: secret(), sign_in_id: randomUUID(), user_id, ...passing },
      sign_in_warnings: { user_id, sent_at: created_at },
      social_flows: {
        ...{ id: randomUUID(), state_hash: secret(), browser: secret(), provider: 'google', issuer: mark },
        ...{ user_id, session_id: owner.session_id, sealed: mark, ...passing },
      },
      notification_settings: { ...both, name: 'new_signin', active: true, updated_at: created_at },
      feedback: { id: randomUUID(), ...both, rating: 'neutral', comment: mark, created_at },
      events: { id: randomUUID(), ...both, name: 'opened', metadata: JSON.stringify({ mark }), created_at },
      impersonations: { id: randomUUID(), token_hash: secret(), master_id: master.id, ...both, ...passing },
    } satisfies Rows

    const ofTheAccount = {
      api_keys: {
        ...{ id: key_id, account_id, created_by: user_id, name: mark, masked: mark, scope: 'usage.create' },
        ...{ key_hash: secret(), sealed_key: mark, search_text: mark, created_at },
      },
      audit_log: {
        ...{ id: randomUUID(), ...both, action: 'invite.sent', target: mark, network: mark, created_at },
        metadata: JSON.stringify({ email: `${mark}@invited.example` }),
      },
      billing_attempts: {
        ...{ id: randomUUID(), ...both, plan: 'startup', seats: 1, trial_days: 0, card_token: mark },
        ...{ state: 'done', created_at, updated_at: created_at },
      },
      invites: {
        ...{ id: randomUUID(), account_id, email: `${mark}@invited.example`, role: 'user' },
        ...{ secret_hash: secret(), invited_by: user_id, sent_at: created_at, expires_at: later },
        ...{ first_name: mark, last_name: mark },
      },
      usage_events: {
        ...{ id: randomUUID(), account_id, api_key_id: key_id, identifier: mark, quantity: 1 },
        ...{ occurred_at: created_at, created_at, sent_at: created_at },
      },
      former_customers: { customer_id: mark, account_id, removed_at: created_at },
      billing_notifications_sent: {
        account_id,
        kind: 'payment_failed',
        object_id: mark,
        sent_at: created_at,
      },
      usage_months: { account_id, month: created_at.toISOString().slice(0, 7), total: 7 },
      seat_changes: { account_id },
      trial_cards: { fingerprint_hash: secret(), account_id, created_at },
      sso_domains: {
        ...{ id: randomUUID(), account_id, domain: `${mark}.example`, proof: mark, proven_at: created_at },
        created_at,
      },
      sso_connections: {
        ...{ id: connection_id, account_id, idp_entity_id: mark, sso_url: `https://${mark}.example/sso` },
        ...{ certificates: '[]', certificate_expires_at: later, created_by: user_id, created_at },
        ...{ tested_at: created_at, enabled_at: created_at, enforced_at: created_at },
      },
      sso_break_glass: both,
      sso_identities: { id: randomUUID(), ...both, connection_id, name_id: mark, ...lived },
      saml_assertions: { connection_id, assertion_id: mark, keep_until: later },
      saml_sign_in_tokens: {
        ...{ id: randomUUID(), token_hash: secret(), connection_id, browser_hash: secret() },
        ...{ sealed_person: mark, ...passing },
      },
      saml_requests: {
        ...{ id: `${mark}-request`, relay_hash: secret(), connection_id, purpose: 'sign_in' },
        ...{ browser_hash: secret(), ...passing },
      },
    } satisfies Rows

    const rows = { ...ofThePerson, ...ofTheAccount }
    await services.asSystem('test', async tx => {
      for (const [table, row] of Object.entries(rows))
        await tx
          .insertInto(table as keyof DB)
          .values(row as Row<keyof DB>) // as: the table's own row, which a loop can't show
          .execute()
      const avatar = `/api/avatar/${randomBytes(32).toString('base64url')}.png`
      await tx.updateTable('users').set({ avatar }).where('id', '=', user_id).execute()
    })
    return rows
  }
}
