import type { CreatedCredential, ProofCredential } from '@plinth/contract'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { relyingParty } from './ceremony.ts'
import { canSignIn } from './new-credential.ts'
import { algorithms } from './rules.ts'

/** Imported on first use: the import takes a fifth of a second and 25 MB. */
const library = () => import('@simplewebauthn/server')

/**
 * Checks a new passkey. Requires user verification here as well as at each sign-in: a passkey without it could never
 * sign in.
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
    // Checked below, to log its own message.
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

/**
 * Other sites may not frame our pages, so a reply from a foreign frame is refused (WebAuthn, 7.1 and 7.2).
 */
function isFramed({ clientDataJSON }: { clientDataJSON: string }): boolean {
  // The ceremony has parsed it already.
  const { crossOrigin = false, topOrigin }: Record<string, unknown> = JSON.parse(
    Buffer.from(clientDataJSON, 'base64url').toString('utf8'),
  )
  return crossOrigin !== false || topOrigin !== undefined
}

/**
 * We request no attestation, so certificates are not checked: the library would fetch URLs that the client chose.
 * Self attestation is accepted.
 */
async function claimsNothing(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const said = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const fmt = said.get('fmt')
    return fmt === 'none' || (fmt === 'packed' && said.get('attStmt').get('x5c') === undefined)
  } catch {
    return false // unreadable data is refused
  }
}

/** Checks the signature of this challenge, for this origin, with user verification. */
export async function verifyProof(
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
    // The store compares the counter: here two parallel calls would both pass.
    credential: { id: credential.id, publicKey: new Uint8Array(expected.public_key), counter: 0 },
    requireUserVerification: false,
  }).catch(refuse)
  if (!verified) throw new Refusal('passkey_refused')
  // Without user verification a passkey is one factor, and the session counts as two.
  if (!seen.userVerified) throw new Refusal('passkey_unverified')
  return { counter: seen.newCounter, synced: seen.credentialBackedUp }
}

/** The library has no error classes: all its errors are invalid input. */
function refuse(error: unknown): never {
  throw new Refusal('passkey_refused', {}, error)
}
