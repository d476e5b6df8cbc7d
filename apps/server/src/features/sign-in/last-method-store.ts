import type { Tx } from '../../db/transaction.ts'

/** How many sign-in methods a user has beside a password: social providers, passkeys and single sign-on. */
export async function countMethods(tx: Tx, userId: string) {
  const count = (table: 'identities' | 'passkeys' | 'sso_identities') =>
    tx
      .selectFrom(table)
      .select(e => e.fn.countAll<string>().as('n'))
      .where('user_id', '=', userId)
  const { identities, passkeys, sso } = await tx
    .selectNoFrom([
      count('identities').as('identities'),
      count('passkeys').as('passkeys'),
      count('sso_identities').as('sso'),
    ])
    .executeTakeFirstOrThrow()
  return { identities: Number(identities), others: Number(passkeys) + Number(sso) }
}
