import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { addressOf, members, password, tokenOf } from '../lib/data.ts'
import { type Call, callOnce } from '../lib/load.ts'
import { type Figure, judge } from '../lib/report.ts'
import { ourEnv, type Stage } from '../lib/stage.ts'
import { tellApart } from '../lib/tell-apart.ts'

type Guess = (secret: string) => Call

/**
 * Whether the response time shows how much of a guessed secret is right: guesses with only the first or only the last
 * character wrong, alternating. The figure is the probability of the measured difference if both had the same
 * distribution. One run in a hundred is below 0.01 by chance; repeat it before you rely on it.
 */
export async function secrets(stage: Stage): Promise<Figure[]> {
  const { port } = await stage.ours()
  const who: Guess = token => ({ method: 'GET', path: '/api/auth', token })
  const report: Guess = token => ({ method: 'POST', path: '/api/usage', token, body: { quantity: 1 } })
  const key = await newKey(port)
  const start = key.slice(0, key.lastIndexOf('_') + 1)
  const random = key.slice(start.length, -checksumLength)
  const at = Math.floor(Date.now() / 1000)
  // What we have no use for, so that the right signature is all that is asked.
  const body = {
    id: 'evt_guess',
    object: 'event',
    type: 'ping',
    created: at,
    livemode: false,
    data: { object: {} },
  }
  const webhookSecret = ourEnv(stage.folder).STRIPE_WEBHOOK_SECRET
  if (!webhookSecret) throw new Error('No secret for webhooks')
  const signature = createHmac('sha256', webhookSecret)
    .update(`${at}.${JSON.stringify(body)}`)
    .digest('hex')
  const guesses: Record<string, { secret: string; call: Guess }> = {
    'session token': { secret: tokenOf(members), call: who },
    // By their checksum keys of ours, so that they are looked for.
    'API key': { secret: random, call: guess => report(withChecksum(start + guess)) },
    'signature of a notice': {
      secret: signature,
      call: v1 => ({
        method: 'POST',
        path: '/api/stripe/webhook',
        headers: { 'stripe-signature': `t=${at},v1=${v1}` },
        body,
      }),
    },
  }
  const figures: Figure[] = []
  for (const [name, { secret, call }] of Object.entries(guesses)) {
    // Guesses that were refused for anything else would all take the same time.
    await expectTaken(port, name, call(secret))
    const apart = await tellApart(port, n => ({
      one: call(other(secret, 0, n)),
      other: call(other(secret, secret.length - 1, n)),
    }))
    figures.push(
      judge({
        row: 'secrets',
        what: `${name}: first or last character wrong, same time`,
        value: apart.same,
        unit: '',
        better: 'more',
        budget: 0.01,
        aim: 0.05,
        details: { 'first wrong ms': apart.one, 'last wrong ms': apart.other },
      }),
    )
  }
  return figures
}

/** Throws unless the correct secret is accepted. */
async function expectTaken(port: number, name: string, call: Call) {
  const { status, body } = await callOnce(port, call)
  const answer: { data?: { authenticated?: boolean } } = JSON.parse(body)
  if (status !== 200 || answer.data?.authenticated === false)
    throw new Error(`The right ${name} was answered with ${status}: ${body}`)
}

/** The secret with another character at a place, never its own. */
function other(secret: string, place: number, n: number): string {
  const others = [...'0123456789abcdef'].filter(digit => digit !== secret[place])
  return secret.slice(0, place) + others[n % others.length] + secret.slice(place + 1)
}

/** Made by the owner, who signs in for it. */
async function newKey(port: number): Promise<string> {
  const who = { email: addressOf(1), password }
  const { token } = await post<{ token: string }>(port, { path: '/api/auth', body: who })
  const body = { name: 'To be guessed', scope: ['usage.create'] }
  return (await post<{ full_key: string }>(port, { path: '/api/key', token, body })).full_key
}

async function post<T>(port: number, call: Omit<Call, 'method'>): Promise<T> {
  const { status, body } = await callOnce(port, { method: 'POST', ...call })
  if (status !== 200) throw new Error(`${call.path} answered ${status}: ${body}`)
  return (JSON.parse(body) as { data: T }).data // as: what the contract says of the two calls
}

const checksumLength = 6
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** As a key of ours has it (`lib/api-key.ts`): CRC-32 of all before it, in base 62. */
function withChecksum(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let n = 0; n < checksumLength; n++) {
    checksum = digits.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return text + checksum
}
