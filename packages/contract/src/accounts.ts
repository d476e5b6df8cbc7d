import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { email, name, newPassword, signedIn, token, typedPassword } from './fields.ts'

const matches = { error: 'form.password.mismatch', path: ['confirm_password'] }
const same = (body: { password: string; confirm_password?: string }) =>
  body.confirm_password === undefined || body.confirm_password === body.password

export const accounts = endpoints({
  signUp: {
    method: 'POST',
    path: '/api/account',
    summary: 'Makes an unverified user with an account and sends the verification mail.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    body: z
      .strictObject({
        first_name: name,
        last_name: name,
        email,
        password: newPassword,
        confirm_password: typedPassword.optional(),
      })
      .refine(same, matches),
    reply: signedIn,
  },
  acceptInvite: {
    method: 'POST',
    path: '/api/user',
    summary: 'Accepts an invite as a new person; invite_id is the secret of the mailed link.',
    needs: 'public',
    limit: 'sign_up',
    idempotent: true,
    refuses: ['invite_expired', 'invite_other_address', 'invite_sign_in', 'account_full'],
    body: z
      .strictObject({
        first_name: name,
        last_name: name,
        email,
        password: newPassword,
        confirm_password: typedPassword.optional(),
        invite_id: token.meta({ description: 'The secret of the mailed link, its query parameter id.' }),
      })
      .refine(same, matches),
    reply: signedIn,
  },
})
