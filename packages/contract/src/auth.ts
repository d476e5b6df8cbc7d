import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import {
  email,
  id,
  mismatch,
  newPassword,
  nothing,
  sameTwice,
  sessionUser,
  signedIn,
  token,
  typedPassword,
} from './fields.ts'
import { limits } from './patterns.ts'

export const auth = endpoints({
  check: {
    method: 'GET',
    path: '/api/auth',
    summary: 'Who is signed in. Answers 200 with authenticated false for a dead or missing token.',
    needs: 'public',
    // One flat shape, not a union: this is the busiest call, and a union's serialiser tries each arm.
    reply: sessionUser.partial().extend({ authenticated: z.boolean() }).meta({ id: 'SessionCheck' }),
  },
  signIn: {
    method: 'POST',
    path: '/api/auth',
    summary:
      'Signs in with email and password, or with the token that a social provider’s callback handed over.',
    needs: 'public',
    sensitive: true,
    limit: 'password',
    refuses: [
      'credentials_wrong',
      'sso_required',
      'link_expired',
      'social_email_missing',
      'social_email_unverified',
      'social_connect_first',
    ],
    body: z.union([z.strictObject({ email, password: typedPassword }), z.strictObject({ token })]),
    reply: signedIn,
  },
  signOut: {
    method: 'DELETE',
    path: '/api/auth',
    summary: 'Ends this session.',
    needs: 'user',
    stage: 'session',
    enrols: true,
    support: true,
    reply: nothing,
  },
  switchAccount: {
    method: 'POST',
    path: '/api/auth/switch',
    summary: 'Opens another account of the signed-in user with a new session; the old one ends.',
    needs: 'user',
    stage: 'session',
    refuses: ['account_unknown', 'sso_required', 'sso_alone', 'sign_in_again'],
    body: z.strictObject({ account: id }),
    reply: signedIn,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/user/verify',
    summary: 'Proves the address with the mailed link.',
    needs: 'user',
    sensitive: true,
    stage: 'session',
    limit: 'token',
    refuses: ['link_expired', 'sign_in_again', 'password_given', 'password_common', 'password_personal'],
    body: z
      .strictObject({
        token,
        password: newPassword.optional().meta({
          description: 'Needed where somebody else has chosen the password: one’s own.',
        }),
        confirm_password: typedPassword.optional(),
      })
      .refine(
        ({ password, confirm_password }) => confirm_password === undefined || confirm_password === password,
        mismatch,
      ),
    reply: signedIn,
  },
  requestVerification: {
    method: 'POST',
    path: '/api/user/verify/request',
    summary: 'Sends the verification mail again; older links stop working.',
    needs: 'user',
    stage: 'session',
    limit: 'mail',
    body: nothing.optional(),
    reply: nothing,
  },
  requestMagicLink: {
    method: 'POST',
    path: '/api/auth/magic',
    summary: 'Mails a link that signs in, if the address has a user; the answer never tells.',
    needs: 'public',
    limit: 'mail',
    // The form sends its password field along; it is not read.
    body: z.strictObject({ email, password: z.string().max(limits.password_max).optional() }),
    reply: nothing,
  },
  verifyMagicLink: {
    method: 'POST',
    path: '/api/auth/magic/verify',
    summary: 'Signs in with the secret of a mailed magic link, once.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired', 'sso_required'],
    body: z.strictObject({ token }),
    reply: signedIn,
  },
  requestReset: {
    method: 'POST',
    path: '/api/auth/password/reset/request',
    summary: 'Mails a link for a new password, if the address has a user; the answer never tells.',
    needs: 'public',
    limit: 'mail',
    body: z.strictObject({ email }),
    reply: nothing,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/auth/password/reset',
    summary: 'Sets a new password with the secret of a mailed link, ends every session and signs in.',
    needs: 'public',
    sensitive: true,
    limit: 'token',
    refuses: ['link_expired', 'link_other_address', 'password_common', 'password_personal', 'sso_required'],
    body: z
      .strictObject({
        jwt: token.meta({ description: 'The secret of the mailed link, its query parameter token.' }),
        email: email.optional(),
        password: newPassword,
        confirm_password: typedPassword.optional(),
      })
      .refine(sameTwice, mismatch),
    reply: signedIn,
  },
  lookAtLink: {
    method: 'POST',
    path: '/api/auth/link',
    summary: 'Whom a mailed link is for, for who holds its secret. The link stays as good as it was.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token, purpose: z.enum(['magic', 'reset'], { error: 'form.invalid' }) }),
    reply: z.object({
      email: z.string(),
      other_user: z.boolean().meta({ description: 'The call came with the session of somebody else.' }),
    }),
  },
})
