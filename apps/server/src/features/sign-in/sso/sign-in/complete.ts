import type { SignInReply } from '@plinth/contract'
import { isRole } from '@plinth/contract/roles'
import type { Context, Tx } from '../../../../context.ts'
import { countMembers, lockAccount } from '../../../../identity/account-store.ts'
import { createMember } from '../../../../identity/add-member.ts'
import { recordAudit } from '../../../../identity/audit.ts'
import { createSession } from '../../../../identity/create-session.ts'
import { lockEmail, removeUnverifiedUsers } from '../../../../identity/email-claim-store.ts'
import { mailRecipients } from '../../../../identity/mail-preferences.ts'
import { shareLockUser } from '../../../../identity/user-store.ts'
import { hashToken } from '../../../../lib/crypto.ts'
import { isLocale, translate } from '../../../../lib/i18n.ts'
import { newId } from '../../../../lib/ids.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import { hasRoom } from '../../../team/rules.ts'
import { domainOf, nameFor } from '../rules.ts'
import { type Person, samlSignInTokenBinding } from './callback.ts'
import * as store from './store.ts'

type Connection = NonNullable<Awaited<ReturnType<typeof store.findConnectionById>>>
type Known = Person & { email: string }

/**
 * Signs in with the token of a verified response, once, in the browser that started. A connection speaks for its own
 * account and its proven domains only:
 * - a known (connection, NameID) signs in its user;
 * - a member of the account with that verified address is linked;
 * - an unknown address becomes a member, if a seat is free;
 * - any other user is refused.
 *
 * Locks: the address, the user's row (for a new user the account's), then the connection, which must be unchanged.
 * Changes of the connection lock in the same order and end the session of this sign-in. The session opens this
 * account only and requires the second factor.
 */
export async function completeSsoSignIn(ctx: Context, { token }: { token: string }): Promise<SignInReply> {
  const browser_hash = ctx.flow.known()
  if (!browser_hash) throw new Refusal('sso_failed')
  return ctx.asSystem('single sign-on', async tx => {
    const handed = { token_hash: hashToken(token), browser_hash, now: ctx.now() }
    const waiting = await store.findSignInToken(tx, handed)
    if (!waiting) throw new Refusal('sso_failed')
    const person: Person = JSON.parse(
      ctx.encrypter.decrypt(waiting.sealed_person, samlSignInTokenBinding(waiting.id)),
    )
    const { email, session_until } = person
    if (email === null) throw new Refusal('sso_email_missing')
    const owner = await lockEmail(tx, email)
    await lockUserOrAccount(tx, waiting, { ...person, email }, owner?.id)
    const connection = await store.lockConnection(tx, waiting.connection_id)
    if (!connection?.enabled_at || !(await store.consumeSignInToken(tx, handed)))
      throw new Refusal('sso_failed')
    if (!(await store.isDomainVerified(tx, connection.account_id, domainOf(email))))
      throw new Refusal('sso_domain_unproven')
    const user = await findOrCreateUser(ctx, tx, connection, { ...person, email }, owner)
    return createSession(ctx, tx, user, 'saml', {
      wanted: connection.account_id,
      until: session_until ? new Date(session_until) : null,
    })
  })
}

type Waiting = { connection_id: string; account_id: string }

/** Locks the rows that come before the connection. */
async function lockUserOrAccount(
  tx: Tx,
  { connection_id, account_id }: Waiting,
  person: Known,
  owner?: string,
) {
  const known = await store.findIdentity(tx, { connection_id, name_id: person.name_id })
  const user = known ?? owner
  if (user) return shareLockUser(tx, user)
  // Unverified users of the address are removed with their accounts.
  await removeUnverifiedUsers(tx, person.email)
  await lockAccount(tx, account_id)
}

async function findOrCreateUser(
  ctx: Context,
  tx: Tx,
  connection: Connection,
  person: Known,
  owner: Awaited<ReturnType<typeof lockEmail>>,
): Promise<{ id: string }> {
  const { id: connection_id, account_id } = connection
  const known = await store.touchIdentity(tx, { connection_id, name_id: person.name_id, now: ctx.now() })
  if (known) return { id: known }
  if (!owner) return createSsoMember(ctx, tx, connection, person)
  if (!(await store.isMember(tx, account_id, owner.id))) throw new Refusal('sso_not_member')
  await saveIdentity(ctx, tx, connection, person, owner.id)
  await ctx.enqueueMail(tx, {
    kind: 'sso_linked',
    to: person.email,
    locale: owner.locale,
    data: {
      name: owner.first_name,
      account_name: await store.nameOfAccount(tx, account_id),
      url: `${ctx.config.publicUrl}/account`,
    },
  })
  await record(ctx, tx, connection, { id: owner.id, email: person.email }, 'sso.linked')
  return owner
}

/** Creates a member, if a seat is free. */
async function createSsoMember(
  ctx: Context,
  tx: Tx,
  connection: Connection,
  person: Known,
): Promise<{ id: string }> {
  const { account_id, default_role: role } = connection
  const account = await lockAccount(tx, account_id)
  const user = await createMember(ctx, tx, { email: person.email, ...nameFor(person) }, { account_id, role })
  if (!account || !hasRoom(account.plan, await countMembers(tx, account_id)))
    throw new Refusal('account_full', { text: 'sso.account_full' })
  await store.removeInviteTo(tx, account_id, person.email)
  await saveIdentity(ctx, tx, connection, person, user.id)
  await record(ctx, tx, connection, user, 'sso.joined')
  await notifyTeam(ctx, tx, connection, user)
  return user
}

/** Mails the admins, because a removed member can join again this way. */
async function notifyTeam(
  ctx: Context,
  tx: Tx,
  { account_id, default_role }: Connection,
  user: { first_name: string; last_name: string; email: string },
) {
  const account_name = await store.nameOfAccount(tx, account_id)
  for (const reader of await mailRecipients(tx, account_id, 'invite_accepted')) {
    const locale = isLocale(reader.locale) ? reader.locale : 'en'
    await ctx.enqueueMail(tx, {
      kind: 'sso_joined',
      to: reader.email,
      locale,
      data: {
        name: reader.first_name,
        person: `${user.first_name} ${user.last_name}`.trim(),
        email: user.email,
        account_name,
        role: isRole(default_role) ? translate(locale, `roles.${default_role}`) : default_role,
        url: `${ctx.config.publicUrl}/account/users`,
      },
    })
  }
}

async function saveIdentity(ctx: Context, tx: Tx, connection: Connection, person: Known, user_id: string) {
  const created_at = ctx.now()
  const kept = await store.insertIdentity(tx, {
    id: newId(created_at.getTime()),
    account_id: connection.account_id,
    connection_id: connection.id,
    name_id: person.name_id,
    user_id,
    created_at,
  })
  // A parallel sign-in has linked the NameID to another address.
  if (!kept) throw new Refusal('sso_failed')
}

const record = (
  ctx: Context,
  tx: Tx,
  connection: Connection,
  user: { id: string; email: string },
  action: 'sso.linked' | 'sso.joined',
) =>
  recordAudit(ctx, tx, {
    account_id: connection.account_id,
    user_id: user.id,
    action,
    target: connection.id,
    metadata: { email: user.email, role: connection.default_role },
    network: ctx.request.network,
  })
