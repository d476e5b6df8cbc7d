import type { CreationOptions } from '@plinth/contract'
import { answered, bytes, known, named, text } from './ceremony.ts'

export async function createPasskey(options: CreationOptions) {
  const { challenge, user, excludeCredentials, ...more } = options
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...more,
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map(known),
  }
  const made = await answered<AuthenticatorAttestationResponse>(navigator.credentials.create({ publicKey }))
  if (!made) return null
  const { response } = made
  return {
    ...named(made),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}
