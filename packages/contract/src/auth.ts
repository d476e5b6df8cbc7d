import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { email, id, nothing, sessionUser, signedIn, token, typedPassword } from './fields.ts'

export const auth = endpoints({
  check: {
    method: 'GET',
    path: '/api/auth',
    summary: 'Who is signed in. Answers 200 with authenticated false for a dead or missing token.',
    needs: 'public',
    // One flat shape, not a union: this is the busiest call, and a union's serialiser tries each arm.
    reply: sessionUser.partial().extend({ authenticated: z.boolean() }),
  },
  signIn: {
    method: 'POST',
    path: '/api/auth',
    summary: 'Signs in with email and password.',
    needs: 'public',
    limit: 'sign_in',
    refuses: ['credentials_wrong'],
    body: z.strictObject({ email, password: typedPassword }),
    reply: signedIn,
  },
  signOut: {
    method: 'DELETE',
    path: '/api/auth',
    summary: 'Ends this session.',
    needs: 'user',
    stage: 'session',
    reply: nothing,
  },
  switchAccount: {
    method: 'POST',
    path: '/api/auth/switch',
    summary: 'Opens another account of the signed-in user with a new session; the old one ends.',
    needs: 'user',
    stage: 'session',
    refuses: ['account_unknown'],
    body: z.strictObject({ account: id }),
    reply: signedIn,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/user/verify',
    summary: 'Proves the address with the mailed link.',
    needs: 'user',
    stage: 'session',
    limit: 'token',
    refuses: ['link_expired', 'sign_in_again'],
    body: z.strictObject({ token }),
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
})
