import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * A browser with its cookie, and passkeys in software: what WebAuthn does, written here once more from its
 * specification, so that the tests don't ask the library under test. `wrong` says what to get wrong.
 */
export type Wrong = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  topOrigin?: string
  /** UP 1, UV 4, BE 8, BS 16, AT 64. */
  flags?: number
  counter?: number
  handle?: string
  signature?: string
  /** Signs with the key of another passkey. */
  key?: Passkey
  fmt?: string
  /** Takes the id of another credential. */
  id?: string
  statement?: Buffer
  /** In place of its key, as COSE. */
  cose?: Buffer
  /** Cuts so many bytes off the end: of the attestation, or of the authenticator's data within it. */
  cut?: { attestation?: number; data?: number }
}
export type Passkey = { id: string; handle: string; key: KeyObject; counter: number; counts: boolean }

type Created = { challenge: string; rp: { id: string }; user: { id: string } }
type Requested = { challenge: string; rpId: string }

const up = 1
const uv = 4
const synced = 8 | 16
const attested = 64

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (text: string) => Buffer.from(text).toString('base64url')

/** The few kinds of CBOR that a credential takes. */
const head = (major: number, size: number) =>
  size < 24
    ? Buffer.from([(major << 5) | size])
    : size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
export const coseKey = (entries: Record<number, number | Buffer>) =>
  map(
    ...Object.entries(entries).map(([label, value]): [Buffer, Buffer] => [
      number(Number(label)),
      typeof value === 'number' ? number(value) : byteString(value),
    ]),
  )
const word = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const byteString = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

function cose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map(
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), byteString(Buffer.from(x, 'base64url'))],
    [number(-3), byteString(Buffer.from(y, 'base64url'))],
  )
}

function clientData(type: string, challenge: string, origin: string, wrong: Wrong) {
  const { crossOrigin = false, topOrigin } = wrong
  return JSON.stringify({
    type: wrong.type ?? type,
    challenge: wrong.challenge ?? challenge,
    origin: wrong.origin ?? origin,
    crossOrigin,
    ...(topOrigin ? { topOrigin } : {}),
  })
}

function authenticatorData(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)) {
  const fixed = Buffer.alloc(5)
  fixed.writeUInt8(flags)
  fixed.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), fixed, more])
}

/** @param options.counts whether its passkeys count their signatures, as those on a stick do and synced ones don't */
export function openDevice(app: FastifyInstance, options: { origin?: string; counts?: boolean } = {}) {
  const { origin = 'http://localhost:5000', counts = false } = options
  const jar = { cookie: '' }

  /** Makes a passkey: what `navigator.credentials.create` answers. */
  function make(asked: Created, wrong: Wrong = {}, aaguid = Buffer.alloc(16)) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = wrong.id !== undefined ? Buffer.from(wrong.id, 'base64url') : randomBytes(16)
    const size = Buffer.alloc(2)
    size.writeUInt16BE(id.length)
    const flags = wrong.flags ?? up | uv | attested | (counts ? 0 : synced)
    const counter = wrong.counter ?? (counts ? 1 : 0)
    const more = Buffer.concat([aaguid, size, id, wrong.cose ?? cose(publicKey)])
    const whole = authenticatorData(wrong.rpId ?? asked.rp.id, flags, counter, more)
    const data = whole.subarray(0, whole.length - (wrong.cut?.data ?? 0))
    const attestation = map(
      [word('fmt'), word(wrong.fmt ?? 'none')],
      [word('attStmt'), wrong.statement ?? map()],
      [word('authData'), byteString(data)],
    )
    const name = id.toString('base64url') || 'AAAA'
    const passkey: Passkey = { id: name, handle: asked.user.id, key: privateKey, counter, counts }
    const credential = {
      id: name,
      rawId: name,
      type: 'public-key',
      response: {
        clientDataJSON: text64(clientData('webauthn.create', asked.challenge, origin, wrong)),
        attestationObject: attestation
          .subarray(0, attestation.length - (wrong.cut?.attestation ?? 0))
          .toString('base64url'),
        transports: counts ? ['usb'] : ['internal', 'hybrid'],
      },
    }
    return { passkey, credential }
  }

  /** Shows a passkey: what `navigator.credentials.get` answers. */
  function show(asked: Requested, passkey: Passkey, wrong: Wrong = {}) {
    if (passkey.counts) passkey.counter++
    const flags = wrong.flags ?? up | uv | (passkey.counts ? 0 : synced)
    const data = authenticatorData(wrong.rpId ?? asked.rpId, flags, wrong.counter ?? passkey.counter)
    const said = clientData('webauthn.get', asked.challenge, origin, wrong)
    const signature = sign('sha256', Buffer.concat([data, sha256(said)]), (wrong.key ?? passkey).key)
    return {
      id: passkey.id,
      rawId: passkey.id,
      type: 'public-key',
      response: {
        clientDataJSON: text64(said),
        authenticatorData: data.toString('base64url'),
        signature: wrong.signature ?? signature.toString('base64url'),
        userHandle: wrong.handle ?? passkey.handle,
      },
    }
  }

  async function call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { token, body, headers }: { token?: string; body?: object; headers?: Record<string, string> } = {},
  ) {
    const reply = await app.inject({
      method,
      url,
      headers: {
        ...(jar.cookie ? { cookie: jar.cookie } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body ? { payload: body } : {}),
    })
    const set = reply.headers['set-cookie']
    if (typeof set === 'string') jar.cookie = set.split(';', 1)[0] ?? ''
    return { status: reply.statusCode, body: reply.json(), data: reply.json().data, headers: reply.headers }
  }

  const begin = async (token: string, proof: object = {}) =>
    call('POST', '/api/user/passkeys/options', { token, body: proof })
  const finish = (token: string, credential: object, more: object = {}) =>
    call('POST', '/api/user/passkeys', { token, body: { credential, ...more } })
  const beginSignIn = async () => (await call('POST', '/api/auth/passkey/options', { body: {} })).data
  const finishSignIn = (credential: object) => call('POST', '/api/auth/passkey', { body: { credential } })

  /** Adds a passkey to a user with a fresh session. */
  async function register(token: string, more: { name?: string } = {}) {
    const begun = await begin(token)
    if (begun.status !== 200) throw new Error(`Nothing was begun: ${JSON.stringify(begun.body)}`)
    const { passkey, credential } = make(begun.data)
    const added = await finish(token, credential, more)
    if (added.status !== 200) throw new Error(`The passkey was refused: ${JSON.stringify(added.body)}`)
    return { passkey, row: added.data }
  }

  const signIn = async (passkey: Passkey, wrong: Wrong = {}) =>
    finishSignIn(show(await beginSignIn(), passkey, wrong))

  return { jar, call, make, show, begin, finish, beginSignIn, finishSignIn, register, signIn }
}
