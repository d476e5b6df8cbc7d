import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import {
  email,
  enteredPassword,
  name,
  newPassword,
  newSession,
  passwordMismatch,
  passwordsMatch,
  proofFields,
  signInReply,
  token,
} from '../fields.ts'

/** Another account of the user with a new session, or a sign-out when there is none. */
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
    summary: 'Creates an unverified user with an account and sends the verification mail.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    opensSession: true,
    refuses: ['password_common', 'password_personal', 'sign_in_again'],
    body: z
      .strictObject({
        first_name: name,
        last_name: name,
        email,
        password: newPassword,
        confirm_password: enteredPassword.optional(),
      })
      .refine(passwordsMatch, passwordMismatch),
    reply: signInReply,
  },
  acceptInvite: {
    method: 'POST',
    path: '/api/user',
    summary: 'Accepts an invite as a new user; invite_id is the secret of the mailed link.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    opensSession: true,
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
        confirm_password: enteredPassword.optional(),
        invite_id: token.meta({ description: 'The secret of the mailed link, its query parameter id.' }),
      })
      .refine(passwordsMatch, passwordMismatch),
    reply: signInReply,
  },
  closeUser: {
    method: 'DELETE',
    path: '/api/user',
    summary:
      'Removes the signed-in user from the open account at once. If it is their only account, the user and all personal data are deleted.',
    needs: 'user',
    sensitive: true,
    stage: 'session',
    limit: 'write',
    refuses: ['password_wrong', 'proof_required', 'code_wrong', 'last_owner'],
    body: z.strictObject(proofFields),
    reply: closed,
  },
  close: {
    method: 'DELETE',
    path: '/api/account',
    summary:
      'Closes the account at once: deletes its sessions, keys, invites and members without another account, and cancels the subscription. Owners only.',
    needs: 'owner',
    sensitive: true,
    stage: 'session',
    limit: 'write',
    refuses: ['password_wrong', 'proof_required', 'code_wrong'],
    body: z.strictObject(proofFields),
    reply: closed,
  },
})
