import type { FastifyInstance, InjectOptions } from 'fastify'
import { vi } from 'vitest'

/** Secrets that a test has used, each under a name, and what to look for: as they are, and as a carrier writes them. */
export function openSecretTracker() {
  const names = new Map<string, string>()

  /** A secret keeps its first name. */
  function keep(name: string, secret: unknown): string {
    if (typeof secret !== 'string' || secret.length < 6) throw new Error(`${name} is no secret: ${secret}`)
    if (!names.has(secret)) names.set(secret, name)
    return secret
  }

  return {
    keep,
    /** Names of the secrets that a text contains. */
    foundIn: (text: string): string[] => [
      ...new Set([...names].filter(([secret]) => stands(secret, text)).map(([, name]) => name)),
    ],
    count: () => names.size,
  }
}
type Keep = ReturnType<typeof openSecretTracker>['keep']

/** Six digits can be part of a longer number, so they must be a separate number. */
const stands = (secret: string, text: string): boolean =>
  /^\d{6}$/.test(secret)
    ? new RegExp(`(?<![\\d.-])${secret}(?![\\d.-])`).test(text)
    : shapesOf(secret).some(shape => text.includes(shape))

const shapesOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ s: secret }).toString().slice(2),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
]

/** The fields of calls and answers that hold a secret, in bodies of both kinds and at any depth. */
const secretFields = new Set(
  `token jwt invite_id secret backup_code full_key challenge code password oldpassword newpassword confirm_password
   signature clientDataJSON authenticatorData attestationObject SAMLResponse RelayState`.split(/\s+/),
)

export function trackSecretFields(keep: Keep, whose: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, held] of Object.entries(value)) {
    if (typeof held === 'object') trackSecretFields(keep, whose, held)
    else if (typeof held === 'string' && held.length >= 6 && secretFields.has(name))
      keep(`${name} ${whose}`, held)
  }
}

const fieldsOf = (body: unknown): unknown =>
  typeof body === 'string' && body.includes('=') ? Object.fromEntries(new URLSearchParams(body)) : body

/**
 * Tracks every secret that the app accepts or returns from now on.
 * @returns the redirect location and referrer policy of each reply
 */
export function trackReplies(app: FastifyInstance, keep: Keep) {
  const inject = app.inject.bind(app)
  const replies: { location: string; referrer: unknown }[] = []
  app.inject = (async (asked: InjectOptions) => {
    const reply = await inject(asked)
    const { location = '', 'referrer-policy': referrer, 'content-type': type = '' } = reply.headers
    replies.push({ location: String(location), referrer })
    const path = String(asked.url).split('?')[0]
    if (reply.statusCode < 400) {
      trackSecretFields(keep, `that ${path} took`, fieldsOf(asked.payload))
      if (String(type).includes('json')) trackSecretFields(keep, `that ${path} gave`, reply.json())
    }
    for (const { name, value } of reply.cookies) if (value) keep(`cookie ${name}`, value)
    return reply
  }) as unknown as typeof app.inject // as: the tests use one of its forms, and wait for it
  return replies
}

/** Tracks the codes and tokens of the app's own calls to providers. */
export function trackProviderCalls(keep: Keep) {
  const fetched = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
    const answer = await fetched(...asked)
    const [to, options] = asked
    if (!(options?.body instanceof URLSearchParams)) return answer
    for (const name of ['code', 'code_verifier', 'client_secret']) {
      const sent = options.body.get(name)
      if (sent) keep(`${name} to the provider`, sent)
    }
    const given: unknown = await answer.clone().json()
    for (const name of ['id_token', 'access_token'])
      if (typeof given === 'object' && given && name in given)
        keep(`${name} of ${new URL(String(to)).pathname}`, Reflect.get(given, name))
    return answer
  })
}
