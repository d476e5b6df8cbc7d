import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import {
  email,
  mismatch,
  name,
  newPassword,
  newSession,
  proof,
  sameTwice,
  signedIn,
  token,
  typedPassword,
} from './fields.ts'

/** What is left for who has closed: nothing, or another of their accounts under a new token. */
const closed = z
  .object({
    signout: z.boolean(),
    session: newSession.optional(),
  })
  .meta({ id: 'Closed' })

export const accounts = endpoints({
  signUp: {
    method: 'POST',
    path: '/api/account',
    summary: 'Makes an unverified user with an account and sends the verification mail.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    opens: true,
    refuses: ['password_common', 'password_personal', 'sign_in_again'],
    body: z
      .strictObject({
        first_name: name,
        last_name: name,
        email,
        password: newPassword,
        confirm_password: typedPassword.optional(),
      })
      .refine(sameTwice, mismatch),
    reply: signedIn,
  },
  acceptInvite: {
    method: 'POST',
    path: '/api/user',
    summary: 'Accepts an invite as a new person; invite_id is the secret of the mailed link.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    opens: true,
    refuses: [
      'sign_in_again',
      'invite_expired',
      'invite_other_address',
      'invite_sign_in',
      'account_full',
      'password_common',
      'password_personal',
    ],
    body: z
      .strictObject({
        first_name: name,
        last_name: name,
        email,
        password: newPassword,
        confirm_password: typedPassword.optional(),
        invite_id: token.meta({ description: 'The secret of the mailed link, its query parameter id.' }),
      })
      .refine(sameTwice, mismatch),
    reply: signedIn,
  },
  closeUser: {
    method: 'DELETE',
    path: '/api/user',
    summary:
      'Takes the signed-in user out of the open account, at once; was it their only one, the user is gone with all personal data.',
    needs: 'user',
    sensitive: true,
    stage: 'session',
    limit: 'write',
    refuses: ['password_wrong', 'proof_required', 'code_wrong', 'last_owner'],
    body: z.strictObject(proof),
    reply: closed,
  },
  close: {
    method: 'DELETE',
    path: '/api/account',
    summary:
      'Closes the whole account at once, by one of its owners: sessions, keys, invites and members who are in no other account. The subscription is canceled.',
    needs: 'owner',
    sensitive: true,
    stage: 'session',
    limit: 'write',
    refuses: ['password_wrong', 'proof_required', 'code_wrong'],
    body: z.strictObject(proof),
    reply: closed,
  },
})
