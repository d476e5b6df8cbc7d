import type { Services, Tx } from '../context.ts'
import { hashToken, newToken } from '../lib/crypto.ts'
import { newId } from '../lib/ids.ts'
import { insertMailedToken, removeMailedTokens } from './mailed-token-store.ts'
import { findVerifiedUser } from './user-store.ts'

const linkHours = 24

type Unverified = { id: string; email: string; first_name: string; locale: string; account_name: string }

/**
 * Creates a verification link, voids the older ones and enqueues the mail, in the caller's transaction. An address that
 * has a verified user gets another text; the API's reply is the same.
 * @param createdBy the admin who created this user
 */
export async function sendVerification(services: Services, tx: Tx, user: Unverified, createdBy?: string) {
  const now = services.now()
  const token = newToken()
  const expires_at = new Date(now.getTime() + linkHours * 3_600_000)
  await removeMailedTokens(tx, user.id, 'verify_email')
  await insertMailedToken(tx, {
    id: newId(now.getTime()),
    token_hash: hashToken(token),
    purpose: 'verify_email',
    user_id: user.id,
    email: user.email,
    created_at: now,
    expires_at,
  })
  const known = await findVerifiedUser(tx, user.email)
  const data = {
    name: user.first_name,
    url: `${services.config.publicUrl}/signup/verify?token=${token}`,
    hours: linkHours,
  }
  await services.enqueueMail(
    tx,
    known
      ? {
          kind: 'sign_up_taken',
          to: user.email,
          locale: known.locale,
          data: { ...data, account_name: user.account_name },
        }
      : createdBy === undefined
        ? { kind: 'verify_email', to: user.email, locale: user.locale, data }
        : {
            kind: 'user_created',
            to: user.email,
            locale: user.locale,
            data: { ...data, by: createdBy, account_name: user.account_name },
          },
    { expiresAt: expires_at },
  )
}
