import type { Tx } from '../../db/open.ts'

export type NewUser = {
  id: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  locale: string
  created_at: Date
  /** Set where the way in has proven the address. */
  verified_at?: Date
}

export async function insertUser(tx: Tx, user: NewUser) {
  await tx.insertInto('users').values(user).execute()
}

export async function insertAccount(tx: Tx, account: { id: string; name: string; created_at: Date }) {
  await tx.insertInto('accounts').values(account).execute()
}

export async function insertMembership(
  tx: Tx,
  row: { account_id: string; user_id: string; role: string; created_at: Date },
) {
  await tx.insertInto('memberships').values(row).execute()
}
