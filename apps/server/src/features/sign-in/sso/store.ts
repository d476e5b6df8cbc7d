import type { Json } from '../../../db/schema.generated.ts'
import type { Tx } from '../../../db/transaction.ts'

export type ConnectionRow = Awaited<ReturnType<typeof findConnection>>

export async function findConnection(tx: Tx, accountId: string) {
  const row = await tx
    .selectFrom('sso_connections')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ? { ...row, certificates: textsOf(row.certificates) } : null
}

/** Locks the connection, after the members and the account. */
export async function lockConnection(tx: Tx, accountId: string) {
  const row = await tx
    .selectFrom('sso_connections')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { ...row, certificates: textsOf(row.certificates) } : null
}

export const textsOf = (value: Json): string[] => (Array.isArray(value) ? value.map(String) : [])

export type Provider = {
  idp_entity_id: string
  sso_url: string
  certificates: string[]
  certificate_expires_at: Date
  metadata_url: string | null
  sealed_key: string | null
  key_certificate: string | null
}

export async function insertConnection(
  tx: Tx,
  row: Provider & {
    id: string
    account_id: string
    default_role: string
    created_by: string
    created_at: Date
  },
) {
  const certificates = JSON.stringify(row.certificates)
  await tx
    .insertInto('sso_connections')
    .values({ ...row, certificates })
    .execute()
}

export async function updateProvider(tx: Tx, accountId: string, provider: Provider) {
  const certificates = JSON.stringify(provider.certificates)
  await tx
    .updateTable('sso_connections')
    .set({ ...provider, certificates, warned_days: null, test_result: null })
    .where('account_id', '=', accountId)
    .execute()
}

export async function updateConnection(
  tx: Tx,
  accountId: string,
  change: { enabled_at?: Date | null; enforced_at?: Date | null; default_role?: string },
) {
  await tx.updateTable('sso_connections').set(change).where('account_id', '=', accountId).execute()
}

export async function removeConnection(tx: Tx, accountId: string) {
  await tx.deleteFrom('sso_break_glass').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('sso_connections').where('account_id', '=', accountId).execute()
}

/** Enabled connections whose last certificate expires in a period. */
export function listExpiring(tx: Tx, { after, before }: { after: Date; before: Date }) {
  return tx
    .selectFrom('sso_connections')
    .innerJoin('accounts', 'accounts.id', 'sso_connections.account_id')
    .select([
      'sso_connections.id',
      'sso_connections.account_id',
      'sso_connections.certificate_expires_at',
      'accounts.name as account_name',
    ])
    .where('sso_connections.enabled_at', 'is not', null)
    .where('sso_connections.certificate_expires_at', '>', after)
    .where('sso_connections.certificate_expires_at', '<=', before)
    .execute()
}

/** Takes one reminder; of parallel workers one gets true. */
export async function markWarned(tx: Tx, id: string, days: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sso_connections')
    .set({ warned_days: days })
    .where('id', '=', id)
    .where(eb => eb.or([eb('warned_days', 'is', null), eb('warned_days', '>', days)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function listDomains(tx: Tx, accountId: string) {
  return tx
    .selectFrom('sso_domains')
    .select(['id', 'domain', 'proof', 'proven_at'])
    .where('account_id', '=', accountId)
    .orderBy('domain')
    .execute()
}

/** An existing one stays unchanged. */
export async function insertDomain(
  tx: Tx,
  row: { id: string; account_id: string; domain: string; proof: string; created_at: Date },
) {
  await tx
    .insertInto('sso_domains')
    .values(row)
    .onConflict(conflict => conflict.columns(['account_id', 'domain']).doNothing())
    .execute()
}

export function findDomain(tx: Tx, accountId: string, id: string) {
  return tx
    .selectFrom('sso_domains')
    .select(['id', 'domain', 'proof', 'proven_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Of two accounts that prove a domain at once one gets it.
 * @returns false when the domain is proven for another account
 */
export async function markDomainVerified(
  tx: Tx,
  row: { id: string; domain: string; now: Date },
): Promise<boolean> {
  await tx
    .selectFrom('sso_domains')
    .select('id')
    .where('domain', '=', row.domain)
    .orderBy('id')
    .forUpdate()
    .execute()
  const taken = await tx
    .selectFrom('sso_domains')
    .select('id')
    .where('domain', '=', row.domain)
    .where('proven_at', 'is not', null)
    .where('id', '!=', row.id)
    .executeTakeFirst()
  if (taken) return false
  await tx.updateTable('sso_domains').set({ proven_at: row.now }).where('id', '=', row.id).execute()
  return true
}

export function removeDomain(tx: Tx, accountId: string, id: string) {
  return tx
    .deleteFrom('sso_domains')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['domain', 'proven_at'])
    .executeTakeFirst()
}

export function listOwners(tx: Tx, accountId: string) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('sso_break_glass', createSsoMember =>
      createSsoMember
        .onRef('sso_break_glass.account_id', '=', 'memberships.account_id')
        .onRef('sso_break_glass.user_id', '=', 'memberships.user_id'),
    )
    .select(eb => [
      'users.id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.locale',
      eb('users.password_hash', 'is not', null).as('has_password'),
      eb('sso_break_glass.user_id', 'is not', null).as('break_glass'),
    ])
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .orderBy('memberships.created_at')
    .execute()
}

export async function setBreakGlass(tx: Tx, accountId: string, userIds: string[]) {
  await tx.deleteFrom('sso_break_glass').where('account_id', '=', accountId).execute()
  if (userIds.length === 0) return
  const rows = userIds.map(user_id => ({ account_id: accountId, user_id }))
  await tx.insertInto('sso_break_glass').values(rows).execute()
}

/** Locks every member in order, so that no session starts. */
export async function lockMembers(tx: Tx, accountId: string) {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', eb =>
      eb.selectFrom('memberships').select('user_id').where('account_id', '=', accountId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Removes its sign-ins in progress: sign-in tokens and second steps. */
export async function removePendingSignIns(tx: Tx, accountId: string) {
  await tx
    .deleteFrom('saml_sign_in_tokens')
    .where('connection_id', 'in', eb =>
      eb.selectFrom('sso_connections').select('id').where('account_id', '=', accountId),
    )
    .execute()
  await tx.deleteFrom('challenges').where('account_id', '=', accountId).where('method', '=', 'saml').execute()
}

/** Ends the account's sessions of some methods, except one session and those of some users. */
export async function removeSessions(
  tx: Tx,
  accountId: string,
  which: { bySso: boolean; exceptSession: string; exceptUsers?: string[] },
) {
  const { bySso, exceptSession, exceptUsers = [] } = which
  let gone = tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('impersonator_id', 'is', null)
    .where('method', bySso ? '=' : '!=', 'saml')
    .where('id', '!=', exceptSession)
  if (exceptUsers.length) gone = gone.where('user_id', 'not in', exceptUsers)
  await gone.execute()
}
