import type { PersonalData } from '@plinth/contract/endpoints/export'
import type { AuthedContext, Tx } from '../../../context.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { isVouchedFor } from '../../../identity/step-up.ts'
import { listOwnEntries } from '../../audit/list.ts'
import * as store from './store.ts'

/** The most events, and the most audit entries of each account, in one reply. */
const most = 10_000

/** Exports all data about the user as of one moment, and records that in the audit log. */
export async function exportOwnData(ctx: AuthedContext): Promise<PersonalData> {
  const { account_id, user_id } = ctx.actor
  return ctx.asSystem('export own data', async tx => {
    const data = await collectData(ctx, tx)
    await recordAudit(ctx, tx, {
      account_id,
      user_id,
      action: 'export.own_data',
      target: user_id,
      network: ctx.request.network,
    })
    return data
  })
}

async function collectData({ actor, now }: AuthedContext, tx: Tx): Promise<PersonalData> {
  const { user_id } = actor
  // The administrator of the SSO connection could call this: data of other accounts stays out.
  const vouched = isVouchedFor(actor)
  const within = (id: string | null) => !vouched || id === actor.account_id
  const user = await store.findUser(tx, user_id)
  const memberships = (await store.listMemberships(tx, user_id)).filter(one => within(one.account_id))
  const whose = { user_id, accounts: memberships.map(one => one.account_id) }
  const events = await store.listEvents(tx, whose, most + 1)
  const log = await auditEntriesOf(tx, whose)
  return {
    exported_at: now().toISOString(),
    user: userOf(user),
    memberships: memberships.map(({ account_id, name, role, created_at }) => ({
      account_id,
      account_name: name,
      permission: role,
      joined_at: created_at.toISOString(),
    })),
    sessions: (await store.listSessions(tx, whose)).map(one => ({
      ...one,
      ...seen(one),
      expires_at: one.expires_at.toISOString(),
    })),
    known_browsers: vouched
      ? []
      : (await store.listBrowsers(tx, user_id)).map(({ network, first_used_at, last_used_at }) => ({
          network,
          first_used_at: first_used_at.toISOString(),
          last_used_at: last_used_at.toISOString(),
        })),
    // The SSO connection of one account must not see data outside of it.
    identities: (vouched ? [] : await store.listIdentities(tx, user_id)).map(one => ({
      ...one,
      ...seen(one),
    })),
    sso_identities: (await store.listSsoIdentities(tx, whose)).map(one => ({ ...one, ...seen(one) })),
    passkeys: (vouched ? [] : await store.listPasskeys(tx, user_id)).map(
      ({ name, created_at, last_used_at }) => ({
        name,
        created_at: created_at.toISOString(),
        last_used_at: timeOf(last_used_at),
      }),
    ),
    notifications: await store.listNotifications(tx, whose),
    feedback: (await store.listFeedback(tx, user_id))
      .filter(one => within(one.account_id))
      .map(({ rating, comment, created_at }) => ({ rating, comment, created_at: created_at.toISOString() })),
    events: events.slice(0, most).map(({ account_id, name, metadata, created_at }) => ({
      account_id,
      name,
      metadata: JSON.stringify(metadata),
      created_at: created_at.toISOString(),
    })),
    audit_log: log.entries,
    complete: events.length <= most && log.complete,
  }
}

async function auditEntriesOf(tx: Tx, { user_id, accounts }: store.Whose) {
  const entries: PersonalData['audit_log'] = []
  let complete = true
  for (const account_id of accounts) {
    const found = await listOwnEntries(tx, { account_id, user_id }, most + 1)
    complete &&= found.length <= most
    entries.push(...found.slice(0, most).map(entry => ({ account_id, ...entry })))
  }
  return { entries, complete }
}

function userOf(user: Awaited<ReturnType<typeof store.findUser>>): PersonalData['user'] {
  const { id, email, pending_email, first_name, last_name, avatar, locale, dark_mode } = user
  return {
    id,
    email,
    pending_email,
    first_name,
    last_name,
    avatar,
    locale,
    dark_mode,
    has_password: Boolean(user.has_password),
    '2fa_enabled': Boolean(user.has_second_factor),
    support_enabled: user.support_enabled,
    default_account: user.default_account_id,
    created_at: user.created_at.toISOString(),
    verified_at: timeOf(user.verified_at),
    onboarded_at: timeOf(user.onboarded_at),
  }
}

const timeOf = (at: Date | null) => at?.toISOString() ?? null

const seen = ({ created_at, last_used_at }: { created_at: Date; last_used_at: Date }) => ({
  created_at: created_at.toISOString(),
  last_used_at: last_used_at.toISOString(),
})
