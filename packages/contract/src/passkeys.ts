import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { id, name, nothing, proof, signedIn, time } from './fields.ts'

/** Bytes as the browser's credentials spell them: base64url without padding. */
const bytes = (max: number) =>
  z
    .string({ error: 'form.required' })
    .min(1, { error: 'form.required' })
    .max(max, { error: 'form.max_length' })
    .regex(/^[\w-]+$/, { error: 'form.invalid' })

/** What browsers add to a credential over the years is dropped, not refused: hence no strict objects in here. */
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key', { error: 'form.invalid' }),
}
/** What `navigator.credentials.create` answers, as its `toJSON` writes it. */
const created = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/, { error: 'form.invalid' }))
      .max(10)
      .optional(),
  }),
})
/** What `navigator.credentials.get` answers. */
const shown = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    userHandle: bytes(100),
  }),
})
/** The same from somebody who is known already: which keys may answer was said, and some then leave the handle out. */
const proving = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
  }),
})
export type ProvingCredential = z.output<typeof proving>
export type CreatedCredential = z.output<typeof created>
export type ShownCredential = z.output<typeof shown>

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})
const creationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' })
const requestOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequestOptions' })
const proofOptions = requestOptions.extend({ allowCredentials: z.array(descriptor) })
export type ProofOptions = z.output<typeof proofOptions>
export type CreationOptions = z.output<typeof creationOptions>
export type RequestOptions = z.output<typeof requestOptions>

const passkey = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Windows Hello'] }),
    synced: z.boolean().meta({ description: 'It is on other devices of the same person, too.' }),
    created_at: time,
    last_used_at: time.nullable(),
  })
  .meta({ id: 'Passkey' })

export const passkeys = endpoints({
  list: {
    method: 'GET',
    path: '/api/user/passkeys',
    summary: 'The passkeys of the signed-in user.',
    needs: 'user',
    stage: 'verified',
    support: false,
    reply: z.array(passkey),
  },
  begin: {
    method: 'POST',
    path: '/api/user/passkeys/options',
    summary:
      'Begins to add a passkey: what to hand to navigator.credentials.create within five minutes. Asks for proof unless the sign-in is fresh.',
    needs: 'user',
    stage: 'verified',
    limit: 'write',
    refuses: ['passkeys_full', 'proof_required', 'password_wrong', 'code_wrong'],
    body: z.strictObject(proof),
    reply: creationOptions,
  },
  add: {
    method: 'POST',
    path: '/api/user/passkeys',
    summary: 'Adds the passkey that the browser has made. Without a name it is called after what keeps it.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unverified', 'passkey_taken', 'passkeys_full'],
    body: z.strictObject({ credential: created, name: name.optional() }),
    reply: passkey,
  },
  rename: {
    method: 'PATCH',
    path: '/api/user/passkeys/:id',
    summary: 'Gives a passkey another name.',
    needs: 'user',
    stage: 'verified',
    limit: 'write',
    refuses: ['not_found'],
    params: z.object({ id }),
    body: z.strictObject({ name }),
    reply: passkey,
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/passkeys/:id',
    summary:
      'Removes a passkey, unless there is no other way in, and ends the user’s other sessions. Asks for proof unless the sign-in is fresh.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['not_found', 'last_way_in', 'proof_required', 'password_wrong', 'code_wrong'],
    params: z.object({ id }),
    body: z.strictObject(proof).optional(),
    reply: nothing,
  },
  beginProof: {
    method: 'POST',
    path: '/api/user/passkeys/proof/options',
    summary:
      'Begins to prove oneself with a passkey: what to hand to navigator.credentials.get within five minutes, in this session.',
    needs: 'user',
    stage: 'verified',
    enrols: true,
    limit: 'write',
    refuses: ['passkey_unknown', 'proof_required'],
    body: nothing.optional(),
    reply: proofOptions,
  },
  prove: {
    method: 'POST',
    path: '/api/user/passkeys/proof',
    summary:
      'Proves oneself with a passkey, once: for ten minutes the calls that ask for proof take the session for fresh, as after a sign-in.',
    needs: 'user',
    stage: 'verified',
    enrols: true,
    limit: 'write',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unknown', 'passkey_unverified'],
    body: z.strictObject({ credential: proving }),
    reply: nothing,
  },
  beginSignIn: {
    method: 'POST',
    path: '/api/auth/passkey/options',
    summary:
      'Begins a sign-in with a passkey: what to hand to navigator.credentials.get within five minutes. Names nobody: the browser offers the passkeys that it has.',
    needs: 'public',
    limit: 'passkey',
    body: nothing.optional(),
    reply: requestOptions,
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/passkey',
    summary: 'Signs in with a passkey, in the browser that began it, once. It counts as both factors.',
    needs: 'public',
    limit: 'sign_in',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unknown', 'passkey_unverified', 'sso_required'],
    body: z.strictObject({ credential: shown }),
    reply: signedIn,
  },
})
