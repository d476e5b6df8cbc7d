import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { SandboxContext } from '../context.ts'
import type { IdentityKey } from '../objects/stored-objects.ts'
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
 * One RSA key per name, created at first use and stored. Keys survive restarts and resets, because the product stores
 * key sets and SAML metadata.
 */
export function createSigningKeys({ store }: SandboxContext) {
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
