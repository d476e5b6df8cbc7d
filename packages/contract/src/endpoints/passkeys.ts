import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { emptyObject, id, name, proofFields, signInReply, time } from '../fields.ts'

/** Bytes as browsers encode them in credentials: base64url without padding. */
const bytes = (max: number) =>
  z
    .string({ error: 'form.required' })
    .min(1, { error: 'form.required' })
    .max(max, { error: 'form.max_length' })
    .regex(/^[\w-]+$/, { error: 'form.invalid' })

// Not strict objects: browsers add fields to credentials over time, and those are ignored.
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key', { error: 'form.invalid' }),
}
/** Result of `navigator.credentials.create`, as `toJSON` writes it. */
const createdCredential = z.object({
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
/** Result of `navigator.credentials.get` at sign-in. */
const signInCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
    userHandle: bytes(100),
  }),
})
/** Result of `navigator.credentials.get` in a session: with a list of allowed passkeys some browsers omit the handle. */
const proofCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(8192),
  }),
})
export type ProofCredential = z.output<typeof proofCredential>
export type CreatedCredential = z.output<typeof createdCredential>
export type SignInCredential = z.output<typeof signInCredential>

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
export type ProofRequestOptions = z.output<typeof proofOptions>
export type CreationOptions = z.output<typeof creationOptions>
export type RequestOptions = z.output<typeof requestOptions>

const passkey = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Windows Hello'] }),
    synced: z.boolean().meta({ description: 'The passkey is also on the user’s other devices.' }),
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
      'Starts adding a passkey. Returns the options for navigator.credentials.create, valid for five minutes. Needs proof unless the sign-in is recent.',
    needs: 'user',
    stage: 'verified',
    limit: 'write',
    refuses: ['passkeys_full', 'proof_required', 'password_wrong', 'code_wrong'],
    body: z.strictObject(proofFields),
    reply: creationOptions,
  },
  add: {
    method: 'POST',
    path: '/api/user/passkeys',
    summary: 'Adds the passkey that the browser created. The default name is that of the passkey provider.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unverified', 'passkey_taken', 'passkeys_full'],
    body: z.strictObject({ credential: createdCredential, name: name.optional() }),
    reply: passkey,
  },
  rename: {
    method: 'PATCH',
    path: '/api/user/passkeys/:id',
    summary: 'Renames a passkey.',
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
      'Removes a passkey and ends the user’s other sessions. Refused for the only sign-in method. Needs proof unless the sign-in is recent.',
    needs: 'user',
    sensitive: true,
    stage: 'verified',
    limit: 'write',
    refuses: ['not_found', 'last_way_in', 'proof_required', 'password_wrong', 'code_wrong'],
    params: z.object({ id }),
    body: z.strictObject(proofFields).optional(),
    reply: emptyObject,
  },
  beginProof: {
    method: 'POST',
    path: '/api/user/passkeys/proof/options',
    summary:
      'Starts a step-up with a passkey. Returns the options for navigator.credentials.get, valid for five minutes in this session.',
    needs: 'user',
    stage: 'verified',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    refuses: ['passkey_unknown', 'proof_required'],
    body: emptyObject.optional(),
    reply: proofOptions,
  },
  prove: {
    method: 'POST',
    path: '/api/user/passkeys/proof',
    summary:
      'Completes a step-up with a passkey. For ten minutes calls that need proof accept this session, as after a sign-in.',
    needs: 'user',
    stage: 'verified',
    allowedBeforeSecondFactor: true,
    limit: 'write',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unknown', 'passkey_unverified'],
    body: z.strictObject({ credential: proofCredential }),
    reply: emptyObject,
  },
  beginSignIn: {
    method: 'POST',
    path: '/api/auth/passkey/options',
    summary:
      'Starts a sign-in with a passkey. Returns the options for navigator.credentials.get, valid for five minutes. They name no user: the browser offers its own passkeys.',
    needs: 'public',
    limit: 'passkey',
    body: emptyObject.optional(),
    reply: requestOptions,
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/passkey',
    summary:
      'Signs in with a passkey in the browser that started the sign-in. A passkey counts as both factors.',
    needs: 'public',
    limit: 'sign_in',
    refuses: ['passkey_expired', 'passkey_refused', 'passkey_unknown', 'passkey_unverified', 'sso_required'],
    body: z.strictObject({ credential: signInCredential }),
    reply: signInReply,
  },
})
