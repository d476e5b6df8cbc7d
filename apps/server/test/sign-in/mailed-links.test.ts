import { expect, test } from 'vitest'
import { teamHelpers } from '../factories/team.ts'
import { freshEmail, makeTestApp, password } from '../harness.ts'
import { type HeldToken, makeTokenKinds } from '../secrets/token-kinds.ts'

/** Opens every mailed link in each state, and checks the replies to its screen and its button. */
const made = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { call, people } = made
const { ownerOn, created } = teamHelpers(made)
const { kinds } = await makeTokenKinds(made)
const [another, unverified] = [await people.owner(), await people.signUp()]

/** A link of a kind and who is signed in with it as its owner. */
const held = (kind: string): HeldToken => kinds[kind] ?? { token: '' }
const signUp = async () => {
  const user = await people.signUp()
  return { token: await people.linkToken(user.email), session: user.token }
}
const signUpTaken = async () => {
  const { email } = await people.verified()
  const { id } = await people.mailTo(email)
  const user = await people.signUp(email)
  return { token: await people.linkToken(email, id), session: user.token }
}
const userCreated = async () => {
  const { email } = await created(await ownerOn())
  const { data } = await call('POST', '/api/auth', { body: { email, password: 'given-password-1' } })
  return { token: await people.linkToken(email), session: data.token as string } // as: a session's token
}

type Who = 'nobody' | 'owner' | 'another' | 'unverified'
const own = 'a-password-of-my-own-3'
const post = (path: string, body: (secret: string) => object) => (secret: string, token?: string) =>
  call('POST', path, { ...(token ? { token } : {}), body: body(secret) })
const verify = post('/api/user/verify', token => ({ token }))
const acts = {
  verify,
  'verify with a password': post('/api/user/verify', token => ({ token, password: own })),
  'look at it as a magic link': post('/api/auth/link', token => ({ token, purpose: 'magic' })),
  'sign in': post('/api/auth/magic/verify', token => ({ token })),
  'look at it as a reset link': post('/api/auth/link', token => ({ token, purpose: 'reset' })),
  'set a password': post('/api/auth/password/reset', jwt => ({ jwt, password: own })),
  'look at the invite': post('/api/invite/look', invite_id => ({ invite_id })),
  join: post('/api/invite/accept', invite_id => ({ invite_id })),
  undo: post('/api/auth/email/undo', token => ({ token })),
  'end sign-ins': post('/api/auth/session/end', token => ({ token })),
}
type Act = keyof typeof acts
/** Who does what, with the link as mailed or damaged; a code, or what the reply has when it works. */
type Step = [who: Who, act: Act, answer: string | object, damaged?: 'damaged']

const needsOwner: Step[] = [
  ['owner', 'verify', 'link_expired', 'damaged'],
  ['nobody', 'verify', 'session_required'],
  ['another', 'verify', 'link_expired'],
  ['unverified', 'verify', 'link_expired'],
]
const links: Record<string, { make: () => HeldToken | Promise<HeldToken>; steps: Step[] }> = {
  'verification of a sign-up': {
    make: signUp,
    steps: [...needsOwner, ['owner', 'verify', { verified: true }], ['owner', 'verify', 'session_required']],
  },
  'sign-up with an address that has a user': {
    make: signUpTaken,
    steps: [...needsOwner, ['owner', 'verify', 'sign_in_again'], ['owner', 'verify', 'session_required']],
  },
  'user created by an administrator': {
    make: userCreated,
    steps: [
      ['nobody', 'verify', 'session_required'],
      ['another', 'verify', 'link_expired'],
      ['owner', 'verify', 'password_given'],
      ['owner', 'verify with a password', { verified: true }],
      ['owner', 'verify with a password', 'session_required'],
    ],
  },
  'confirmation of a new address': {
    make: () => held('verify'),
    steps: [...needsOwner, ['owner', 'verify', { verified: true }], ['owner', 'verify', 'session_required']],
  },
  'magic link': {
    make: () => held('magic'),
    steps: [
      ['nobody', 'look at it as a magic link', 'link_expired', 'damaged'],
      ['nobody', 'look at it as a magic link', { other_user: false }],
      ['owner', 'look at it as a magic link', { other_user: false }],
      ['another', 'look at it as a magic link', { other_user: true }],
      ['unverified', 'look at it as a magic link', { other_user: true }],
      ['nobody', 'sign in', 'link_expired', 'damaged'],
      ['nobody', 'sign in', { '2fa_required': true }],
      ['nobody', 'sign in', 'link_expired'],
      ['nobody', 'look at it as a magic link', 'link_expired'],
    ],
  },
  'reset link': {
    make: () => held('reset'),
    steps: [
      ['nobody', 'look at it as a reset link', 'link_expired', 'damaged'],
      ['nobody', 'look at it as a reset link', { other_user: false }],
      ['owner', 'look at it as a reset link', { other_user: false }],
      ['another', 'look at it as a reset link', { other_user: true }],
      ['unverified', 'look at it as a reset link', { other_user: true }],
      ['nobody', 'set a password', 'link_expired', 'damaged'],
      ['nobody', 'set a password', { verified: true }],
      ['nobody', 'set a password', 'link_expired'],
      ['nobody', 'look at it as a reset link', 'link_expired'],
    ],
  },
  'invite to a new person': {
    make: () => held('invite'),
    steps: [
      ['nobody', 'look at the invite', 'invite_expired', 'damaged'],
      ['nobody', 'look at the invite', { has_user: false, signed_in: 'no' }],
      ['another', 'look at the invite', { has_user: false, signed_in: 'as_other' }],
      ['unverified', 'look at the invite', { has_user: false, signed_in: 'as_other' }],
      ['nobody', 'join', 'session_required'],
      ['another', 'join', 'invite_other_address'],
      ['unverified', 'join', 'invite_other_address'],
    ],
  },
  'invite to a user': {
    make: () => held('invite_known'),
    steps: [
      ['nobody', 'look at the invite', { has_user: true, signed_in: 'no' }],
      ['owner', 'look at the invite', { has_user: true, signed_in: 'as_invited' }],
      ['another', 'look at the invite', { has_user: true, signed_in: 'as_other' }],
      ['owner', 'join', 'invite_expired', 'damaged'],
      ['another', 'join', 'invite_other_address'],
      ['owner', 'join', { permission: 'user' }],
      ['nobody', 'look at the invite', 'invite_expired'],
      ['another', 'look at the invite', 'invite_expired'],
    ],
  },
  'end of every sign-in': {
    make: () => held('session_end'),
    steps: [
      ['nobody', 'end sign-ins', 'link_expired', 'damaged'],
      ['another', 'end sign-ins', {}],
      ['nobody', 'end sign-ins', 'link_expired'],
    ],
  },
}

/** The link back to the old address is used after the new one was confirmed. */
const undo = {
  make: () => held('undo'),
  steps: [
    ['nobody', 'undo', 'link_expired', 'damaged'],
    ['another', 'undo', {}],
    ['nobody', 'undo', 'link_expired'],
  ] satisfies Step[],
}

test.each(Object.entries({ ...links, 'undo of a new address': undo }))('%s', async (_, { make, steps }) => {
  const { token: secret, session } = await make()
  const sessions = { nobody: undefined, owner: session, another: another.token, unverified: unverified.token }
  for (const [who, act, answer, damaged] of steps) {
    const shown = damaged ? `${secret.slice(0, -2)}-_` : secret
    const { body, data } = await acts[act](shown, sessions[who])
    const seen = typeof answer === 'string' ? body.code : data
    const step = `${who}: ${act}${damaged ? ', damaged' : ''}`
    if (typeof answer === 'string') expect([step, seen]).toEqual([step, answer])
    else expect({ step, ...seen }).toMatchObject({ step, ...answer })
  }
  // Opening the link did not sign anyone out.
  expect((await call('GET', '/api/auth', { token: another.token })).data.authenticated).toBe(true)
})

test('a link opened on another device works there once its user has signed in', async () => {
  const email = freshEmail('device')
  await people.signUp(email)
  const { data } = await call('POST', '/api/auth', { body: { email, password } })
  expect((await verify(await people.linkToken(email), data.token)).data.verified).toBe(true)
})
