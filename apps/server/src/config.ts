import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEmail } from '@plinth/contract/email'
import { z } from 'zod'
import { checkProduction, insecureHosts, type Need } from './config-production.ts'
import { socialProviders } from './config-social.ts'
import { checkDataFolder } from './data-folder.ts'
import { isLoopback } from './lib/loopback.ts'
import { parseSender } from './lib/sender.ts'

/** A whole number in words of our own, whatever is wrong with it. */
const whole = (min: number, max: number, what: string) =>
  z
    .string()
    .refine(value => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `${what}, ${min} to ${max}`,
    })
    .transform(Number)
const port = whole(0, 65_535, 'a port number')
const url = (schemes: string[], hint: string) =>
  z
    .string()
    .refine(value => URL.canParse(value) && schemes.includes(new URL(value).protocol), { error: hint })
const postgres = url(['postgres:', 'postgresql:'], 'an address such as postgres://user:secret@host:5432/name')
/** An address that is an origin and nothing more: what else it says would be dropped without a word. */
const origin = (hint: string) => url(['http:', 'https:'], hint).refine(isOrigin, { error: hint })
const isOrigin = (value: string) => {
  if (!URL.canParse(value)) return false
  const { pathname, search, hash, username, password } = new URL(value)
  return pathname === '/' && !(search || hash || username || password)
}
/** An id or secret from a provider. A blank in it is a copying mistake. */
const credential = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/, { error: 'what the provider shows, without blanks' })
const isIssuer = (value: string) => {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, search, hash, username, password } = new URL(value)
  const safe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return safe && !(search || hash || username || password)
}
const secret = z.string().min(32, { error: 'at least 32 random characters' })
const flag = z.enum(['0', '1'], { error: '0 or 1' }).transform(value => value === '1')

const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], { error: 'development, production or test' })
    .default('development'),
  PORT: port.default(5000),
  HOST: z
    .string()
    .refine(value => isIP(value) || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value), {
      error: 'an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::, without a port',
    })
    .default('127.0.0.1'),
  PUBLIC_URL: origin('an address without a path, such as https://app.example.com').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgres.optional(),
  MIGRATION_DATABASE_URL: postgres.optional(),
  REDIS_URL: url(['redis:', 'rediss:'], 'an address such as redis://localhost:6379').optional(),
  EMBEDDED_DATABASE: flag.optional(),
  INSECURE_HOSTS: z
    .string()
    .default('')
    .refine(value => insecureHosts(value).every(host => /^[a-z0-9.:[\]-]+$/i.test(host)), {
      error: 'host names, separated by commas, without ports',
    }),
  DATABASE_POOL: whole(2, 200, 'a number of connections').default(10),
  ROLE: z.enum(['web', 'worker', 'all'], { error: 'web, worker or all' }).default('all'),
  SANDBOX: flag.optional(),
  SANDBOX_PORT: port.optional(),
  SANDBOX_SMTP_PORT: port.optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, { error: 'a key that starts with sk_test_ or sk_live_' })
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, { error: 'a key that starts with pk_test_ or pk_live_' })
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(8, { error: 'the signing secret of the webhook endpoint' })
    .optional(),
  STRIPE_API_BASE: origin('an address without a path, such as http://localhost:5001').optional(),
  GOOGLE_CLIENT_ID: credential.optional(),
  GOOGLE_CLIENT_SECRET: credential.optional(),
  GITHUB_CLIENT_ID: credential.optional(),
  GITHUB_CLIENT_SECRET: credential.optional(),
  MICROSOFT_CLIENT_ID: credential.optional(),
  MICROSOFT_CLIENT_SECRET: credential.optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: 'the https address of an OpenID Connect issuer, without ? and #' })
    .optional(),
  OIDC_CLIENT_ID: credential.optional(),
  OIDC_CLIENT_SECRET: credential.optional(),
  OIDC_NAME: z
    .string()
    .regex(/^\S[^\p{C}]{0,29}$/u, { error: 'a name for a button, of 30 characters at most' })
    .optional(),
  DNS_RESOLVER_URL: url(
    ['http:', 'https:'],
    'an address that answers ?name= with JSON, { txt: [] }',
  ).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'an address such as smtps://user:secret@mail.example.com').optional(),
  MAIL_FROM: z
    .string()
    .refine(value => parseSender(value), { error: 'one address, such as Plinth <hello@example.com>' })
    .optional(),
  SUPPORT_EMAIL: z
    .string()
    .transform(value => parseEmail(value) ?? '')
    .refine(value => value !== '', { error: 'one e-mail address' })
    .optional(),
  S3_ENDPOINT: origin('an address without a path, such as https://s3.eu-central-1.amazonaws.com').optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'the name of a bucket' })
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,30}$/, { error: 'a region such as eu-central-1, or auto' })
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: credential.optional(),
  S3_SECRET_ACCESS_KEY: credential.optional(),
  APP_SECRET: secret.optional(),
  APP_SECRET_PREVIOUS: secret.optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform(value => value.split(/[\s,]+/).filter(Boolean))
    .refine(list => list.every(isNetwork), {
      error: 'networks such as 10.0.0.0/8, separated by commas, and never everybody (/0)',
    }),
  REVEAL_API_KEYS: flag.default(true),
  HSTS_SUBDOMAINS: flag.default(true),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  METRICS_TOKEN: z.string().min(16, { error: 'at least 16 characters' }).optional(),
  SEED_DEMO: flag.optional(),
  // A higher factor overflows the database's integers.
  RATE_LIMIT_FACTOR: whole(1, 100_000, 'a whole number').default(1),
  SETTLE_AFTER_SECONDS: whole(1, 3600, 'a number of seconds').default(120),
  FAULT: z.string().optional(),
})

/** An address, a CIDR, or a name that the proxy check knows. A network of all addresses would trust every client. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (!version) return ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  if (prefix === undefined) return true
  const bits = Number(prefix)
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && bits >= 1 && bits <= (version === 4 ? 32 : 128)
}

export type Config = ReturnType<typeof parseConfig>
export class ConfigError extends Error {}

type Env = Record<string, string | undefined>

/** Empty values count as not set. */
const withoutEmpty = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

/** Reads each variable by itself: a wrong one is reported and counts as not set, so that the others are checked too. */
function read<T>(schema: z.ZodType<T>, env: Env, need: Need): T {
  const parsed = schema.safeParse(env)
  if (parsed.success) return parsed.data
  const right = { ...env }
  for (const { path, message } of parsed.error.issues) {
    need(false, path.join('.'), `expected ${message}`)
    delete right[path.join('.')]
  }
  // Every variable is optional or has a default.
  return schema.parse(right)
}

/** Collects missing and wrong variables, one line each, so that all are reported at once. */
function collector() {
  const wrong = new Map<string, string>()
  const need: Need = (ok, name, why) => {
    if (!ok && !wrong.has(name)) wrong.set(name, why)
  }
  return {
    need,
    throwAny() {
      if (wrong.size) throw new ConfigError([...wrong].map(line => line.join(': ')).join('\n'))
    },
  }
}

/** What setting up the payment provider needs: of its own settings the key alone, because the others come of it. */
export function parsePaymentKeys(env: Env) {
  const wanted = { STRIPE_SECRET_KEY: true, STRIPE_API_BASE: true, PUBLIC_URL: true } as const
  const { need, throwAny } = collector()
  const v = read(variables.pick(wanted), withoutEmpty(env), need)
  need(v.STRIPE_SECRET_KEY, 'STRIPE_SECRET_KEY', 'expected, because it says whose account is set up')
  throwAny()
  return {
    secretKey: v.STRIPE_SECRET_KEY ?? '',
    apiBase: v.STRIPE_API_BASE ?? null,
    publicUrl: v.PUBLIC_URL ? new URL(v.PUBLIC_URL).origin : null,
  }
}

/**
 * Reads and checks the environment, once. A wrong variable stops the start with its name and what is expected.
 * @param processEnv normally process.env; empty strings count as not set
 */
export function parseConfig(processEnv: Env) {
  const env = withoutEmpty(processEnv)
  const { need, throwAny } = collector()
  const v = read(variables, env, need)
  const production = v.NODE_ENV === 'production'
  const live = v.STRIPE_SECRET_KEY?.includes('_live_') ?? false
  const sandbox = !production && (v.SANDBOX ?? !live)
  const sandboxPort = v.SANDBOX_PORT ?? v.PORT + 1
  const smtpPort = v.SANDBOX_SMTP_PORT ?? sandboxPort + 1
  const address = new URL(v.PUBLIC_URL ?? `http://localhost:${v.PORT}`)
  const publicUrl = address.origin
  const dataDir = resolve(v.DATA_DIR)

  need(
    !v.MIGRATION_DATABASE_URL || v.DATABASE_URL,
    'DATABASE_URL',
    'expected, because MIGRATION_DATABASE_URL is set',
  )
  need(!(live && sandbox), 'SANDBOX', 'expected 0 with live payment keys')
  if (sandbox) {
    const isPort = (port: number) => port <= 65_535
    need(isPort(sandboxPort), 'SANDBOX_PORT', 'expected, because PORT + 1 is no port')
    need(isPort(smtpPort), 'SANDBOX_SMTP_PORT', 'expected, because the port after the sandbox’s is none')
  } else {
    const off = 'expected, because the sandbox is off:'
    need(v.STRIPE_SECRET_KEY, 'STRIPE_SECRET_KEY', `${off} the secret key of your Stripe account`)
    need(v.STRIPE_PUBLISHABLE_KEY, 'STRIPE_PUBLISHABLE_KEY', `${off} the publishable key of the same account`)
    need(v.STRIPE_WEBHOOK_SECRET, 'STRIPE_WEBHOOK_SECRET', `${off} npm run billing:setup prints it`)
    need(v.SMTP_URL, 'SMTP_URL', `${off} your mail server, such as smtps://user:secret@mail.example.com`)
  }
  const s3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  if (s3.some(name => v[name]))
    for (const name of s3) need(v[name], name, 'expected, because file storage takes all four or none')
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
  if (sandbox && keys.some(name => v[name]))
    for (const name of keys)
      need(v[name], name, 'expected, because payment keys come all three or not at all')
  need(
    !v.STRIPE_SECRET_KEY || (v.STRIPE_PUBLISHABLE_KEY?.includes('_live_') ?? live) === live,
    'STRIPE_PUBLISHABLE_KEY',
    `expected a pk_${live ? 'live' : 'test'}_ key, as STRIPE_SECRET_KEY is one for ${live ? 'live' : 'test'} payments`,
  )
  if (production) checkProduction(env, need)
  const sandboxUrl = sandbox ? `http://localhost:${sandboxPort}` : null
  // The sandbox signs in as any user and confirms any domain, so only this machine may reach it.
  const identitySandboxUrl = isLoopback(address.hostname) ? sandboxUrl : null
  const social = socialProviders(v, need, identitySandboxUrl)
  const uses = {
    database: !env.DATABASE_URL && (!production || v.EMBEDDED_DATABASE === true),
    sandbox,
    files: !s3.some(name => env[name]),
    secret: !env.APP_SECRET && !production,
  }
  const keptSecret = checkDataFolder(dataDir, uses, need)
  throwAny()

  const smtpUrl = v.SMTP_URL ?? `smtp://127.0.0.1:${smtpPort}`
  const ownKeys = v.STRIPE_SECRET_KEY !== undefined
  return {
    env: v.NODE_ENV,
    port: v.PORT,
    host: v.HOST,
    publicUrl,
    dataDir,
    databaseUrl: v.DATABASE_URL ?? null,
    /** Where migrations log in when the login of DATABASE_URL does not own the tables. */
    migrationDatabaseUrl: v.MIGRATION_DATABASE_URL ?? null,
    databasePool: v.DATABASE_POOL,
    redisUrl: v.REDIS_URL ?? null,
    role: v.ROLE,
    sandboxUrl,
    /** The sandbox's identity provider; null also where it runs but other machines reach the server. */
    identitySandboxUrl,
    payments: {
      secretKey: v.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
      publishableKey: v.STRIPE_PUBLISHABLE_KEY ?? 'pk_test_sandbox',
      /** Null: an endpoint is made at the sandbox when the server starts, and its secret is kept. */
      webhookSecret: v.STRIPE_WEBHOOK_SECRET ?? null,
      apiBase:
        v.STRIPE_API_BASE ?? (ownKeys ? null : (sandboxUrl?.replace('localhost', '127.0.0.1') ?? null)),
      /** Where the browser takes cards when no real provider does. */
      sandboxUrl: ownKeys ? null : sandboxUrl,
    },
    social,
    /** Where TXT records are looked up; null: by the machine's own name servers. */
    dnsResolverUrl:
      v.DNS_RESOLVER_URL ??
      (identitySandboxUrl ? `${identitySandboxUrl.replace('localhost', '127.0.0.1')}/identity/dns` : null),
    /** Uploads: in the data folder, or in a bucket that is then the only place. */
    files: {
      folder: join(dataDir, 'files'),
      s3:
        v.S3_ENDPOINT && v.S3_BUCKET && v.S3_ACCESS_KEY_ID && v.S3_SECRET_ACCESS_KEY
          ? {
              endpoint: new URL(v.S3_ENDPOINT).origin,
              bucket: v.S3_BUCKET,
              region: v.S3_REGION,
              accessKeyId: v.S3_ACCESS_KEY_ID,
              secretAccessKey: v.S3_SECRET_ACCESS_KEY,
            }
          : null,
    },
    smtpUrl,
    inboxUrl: v.SMTP_URL ? null : sandboxUrl,
    /** STARTTLS is required wherever the connection does not start with TLS. */
    smtpRequiresTls: production && !insecureHosts(v.INSECURE_HOSTS).includes(new URL(smtpUrl).hostname),
    mailFrom: v.MAIL_FROM ?? 'Plinth <hello@plinth.example>',
    supportEmail: v.SUPPORT_EMAIL ?? 'support@plinth.example',
    hstsSubdomains: v.HSTS_SUBDOMAINS,
    secrets: [v.APP_SECRET ?? keptSecret ?? '', ...(v.APP_SECRET_PREVIOUS ? [v.APP_SECRET_PREVIOUS] : [])],
    trustProxy: v.TRUST_PROXY,
    /** Real cards are charged. */
    livePayments: live,
    /** Whether a whole key can be shown again; off, no copy of it is kept. */
    revealApiKeys: v.REVEAL_API_KEYS,
    logLevel: v.LOG_LEVEL,
    metricsToken: v.METRICS_TOKEN ?? null,
    seedDemo: v.SEED_DEMO ?? sandbox,
    rateLimitFactor: v.RATE_LIMIT_FACTOR,
    settleAfterSeconds: v.SETTLE_AFTER_SECONDS,
    fault: v.FAULT ?? null,
  }
}
