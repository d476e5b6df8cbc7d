import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { IdentityKey } from '../kinds.ts'
import type { World } from '../world.ts'
import { selfSigned } from './certificate.ts'

export interface SigningKey {
  /** Also the `kid` of the OpenID Connect key. */
  name: string
  privateKey: KeyObject
  publicKey: KeyObject
  /** PEM. */
  certificate: string
}

const generate = promisify(generateKeyPair)
const day = 86_400_000

async function makeKey(name: string): Promise<IdentityKey> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  const now = Date.now()
  return {
    object: 'identity_key',
    id: name,
    created: Math.floor(now / 1000),
    private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: selfSigned(privateKey, `Plinth sandbox ${name}`, new Date(now - day)),
  }
}

/**
 * One RSA key per name, made when it is first asked for and kept with the sandbox's data: what the product has once
 * read (a key set, SAML metadata) stays true over restarts and resets.
 */
export function createKeys({ store }: World) {
  const asked = new Map<string, Promise<SigningKey>>()

  async function open(name: string): Promise<SigningKey> {
    const kept = store.get('identity_key', name) ?? store.save(await makeKey(name))
    store.flush()
    const privateKey = createPrivateKey(kept.private_key)
    return { name, privateKey, publicKey: createPublicKey(privateKey), certificate: kept.certificate }
  }

  return (name: string): Promise<SigningKey> => {
    const key = asked.get(name) ?? open(name)
    asked.set(name, key)
    return key
  }
}
