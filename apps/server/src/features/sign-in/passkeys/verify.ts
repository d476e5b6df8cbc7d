import type { CreatedCredential, ProofCredential } from '@plinth/contract'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { relyingParty } from './ceremony.ts'
import { canSignIn } from './new-credential.ts'
import { algorithms } from './rules.ts'

/** The library is loaded by the first person with a passkey: it takes a fifth of a second and 25 MB. */
const library = () => import('@simplewebauthn/server')

/**
 * Checks what a browser says it has made. That the user was verified is asked here as well as at every sign-in:
 * a passkey which can't do that would never let anybody in.
 */
export async function verifyCreated(ctx: Context, credential: CreatedCredential, challenge: string) {
  const { verifyRegistrationResponse } = await library()
  if (isFramed(credential.response)) throw new Refusal('passkey_refused')
  if (!(await claimsNothing(credential.response.attestationObject))) throw new Refusal('passkey_refused')
  const { origin, id } = relyingParty(ctx)
  const { registrationInfo: made } = await verifyRegistrationResponse({
    response: {
      ...credential,
      clientExtensionResults: {},
      response: { ...credential.response, transports: undefined },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    // Looked at below, to be told by itself.
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(refuse)
  if (!made) throw new Refusal('passkey_refused')
  if (!made.userVerified) throw new Refusal('passkey_unverified')
  const { publicKey } = made.credential
  const credentialId = Buffer.from(made.credential.id, 'base64url')
  const { attestationObject } = credential.response
  if (!(await canSignIn({ credentialId, publicKey, attestationObject }))) throw new Refusal('passkey_refused')
  return {
    credential_id: credentialId,
    public_key: Buffer.from(publicKey),
    counter: made.credential.counter,
    synced: made.credentialBackedUp,
    aaguid: made.aaguid,
  }
}

/** No other site may frame our pages: an answer from a frame of one was not given here (WebAuthn, 7.1 and 7.2). */
function isFramed({ clientDataJSON }: { clientDataJSON: string }): boolean {
  // Read before by the ceremony, which found the challenge in it.
  const { crossOrigin = false, topOrigin }: Record<string, unknown> = JSON.parse(
    Buffer.from(clientDataJSON, 'base64url').toString('utf8'),
  )
  return crossOrigin !== false || topOrigin !== undefined
}

/**
 * No certificates are asked for, so none are looked at: the library would fetch what those of a stranger point to. Some
 * authenticators sign for themselves nevertheless, which does no harm.
 */
async function claimsNothing(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const said = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const fmt = said.get('fmt')
    return fmt === 'none' || (fmt === 'packed' && said.get('attStmt').get('x5c') === undefined)
  } catch {
    return false // what can't be read claims too much
  }
}

/** Checks that a key has signed this challenge, for this origin, with its owner verified. */
export async function verifyShown(
  ctx: Context,
  credential: ProofCredential,
  expected: { challenge: string; public_key: Buffer },
) {
  if (isFramed(credential.response)) throw new Refusal('passkey_refused')
  const { verifyAuthenticationResponse } = await library()
  const { origin, id } = relyingParty(ctx)
  const { verified, authenticationInfo: seen } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: expected.challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    // The counter is compared in the statement that keeps it: two calls at once would both pass here.
    credential: { id: credential.id, publicKey: new Uint8Array(expected.public_key), counter: 0 },
    requireUserVerification: false,
  }).catch(refuse)
  if (!verified) throw new Refusal('passkey_refused')
  // Else it would be one factor, and a session by passkey counts as two.
  if (!seen.userVerified) throw new Refusal('passkey_unverified')
  return { counter: seen.newCounter, synced: seen.credentialBackedUp }
}

/** Whatever the library finds wrong is what a stranger sent; it has no kinds of errors to tell apart. */
function refuse(error: unknown): never {
  throw new Refusal('passkey_refused', {}, error)
}
