import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import {
  email,
  emptyObject,
  enteredPassword,
  id,
  newPassword,
  passwordMismatch,
  passwordsMatch,
  sessionUser,
  signInReply,
  token,
} from '../fields.ts'
import { limits } from '../patterns.ts'

export const auth = endpoints({
  check: {
    method: 'GET',
    path: '/api/auth',
    summary: 'Returns the signed-in user, or 200 with authenticated false for an invalid or missing token.',
    needs: 'public',
    // One flat object instead of a union: this is the most frequent call, and a union's serializer tries each member.
    reply: sessionUser.partial().extend({ authenticated: z.boolean() }).meta({ id: 'SessionCheck' }),
  },
  signIn: {
    method: 'POST',
    path: '/api/auth',
    summary: 'Signs in with email and password, or with the token from a social provider’s callback.',
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
    body: z.union([z.strictObject({ email, password: enteredPassword }), z.strictObject({ token })]),
    reply: signInReply,
  },
  signOut: {
    method: 'DELETE',
    path: '/api/auth',
    summary: 'Ends this session.',
    needs: 'user',
    stage: 'session',
    allowedBeforeSecondFactor: true,
    support: true,
    reply: emptyObject,
  },
  switchAccount: {
    method: 'POST',
    path: '/api/auth/switch',
    summary: 'Switches to another account of the signed-in user with a new session; the old one ends.',
    needs: 'user',
    stage: 'session',
    refuses: ['account_unknown', 'sso_required', 'sso_alone', 'sign_in_again'],
    body: z.strictObject({ account: id }),
    reply: signInReply,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/user/verify',
    summary: 'Verifies the address with the mailed link.',
    needs: 'user',
    sensitive: true,
    stage: 'session',
    limit: 'token',
    refuses: ['link_expired', 'sign_in_again', 'password_given', 'password_common', 'password_personal'],
    body: z
      .strictObject({
        token,
        password: newPassword.optional().meta({
          description: 'A new password; needed when an administrator chose the present one.',
        }),
        confirm_password: enteredPassword.optional(),
      })
      .refine(
        ({ password, confirm_password }) => confirm_password === undefined || confirm_password === password,
        passwordMismatch,
      ),
    reply: signInReply,
  },
  requestVerification: {
    method: 'POST',
    path: '/api/user/verify/request',
    summary: 'Sends the verification mail again; older links stop working.',
    needs: 'user',
    stage: 'session',
    limit: 'mail',
    body: emptyObject.optional(),
    reply: emptyObject,
  },
  requestMagicLink: {
    method: 'POST',
    path: '/api/auth/magic',
    summary: 'Mails a sign-in link if the address has a user. The reply does not reveal whether it has.',
    needs: 'public',
    limit: 'mail',
    // The form also sends its password field; the server ignores it.
    body: z.strictObject({ email, password: z.string().max(limits.password_max).optional() }),
    reply: emptyObject,
  },
  verifyMagicLink: {
    method: 'POST',
    path: '/api/auth/magic/verify',
    summary: 'Signs in with the secret of a mailed magic link, once.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired', 'sso_required'],
    body: z.strictObject({ token }),
    reply: signInReply,
  },
  requestReset: {
    method: 'POST',
    path: '/api/auth/password/reset/request',
    summary:
      'Mails a link for a new password if the address has a user. The reply does not reveal whether it has.',
    needs: 'public',
    limit: 'mail',
    body: z.strictObject({ email }),
    reply: emptyObject,
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
        confirm_password: enteredPassword.optional(),
      })
      .refine(passwordsMatch, passwordMismatch),
    reply: signInReply,
  },
  lookAtLink: {
    method: 'POST',
    path: '/api/auth/link',
    summary: 'Returns the address that a mailed link belongs to. The link stays valid.',
    needs: 'public',
    limit: 'token',
    refuses: ['link_expired'],
    body: z.strictObject({ token, purpose: z.enum(['magic', 'reset'], { error: 'form.invalid' }) }),
    reply: z.object({
      email: z.string(),
      other_user: z.boolean().meta({ description: 'The caller is signed in as another user.' }),
    }),
  },
})
