import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number({ error: 'a port number, 0 to 65535' }).int().min(0).max(65_535)
const url = (schemes: string[], hint: string) =>
  z
    .string()
    .refine(value => URL.canParse(value) && schemes.includes(new URL(value).protocol), { error: hint })
const flag = z.enum(['0', '1'], { error: '0 or 1' }).transform(value => value === '1')

const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], { error: 'development, production or test' })
    .default('development'),
  PORT: port.default(5000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:'], 'an address such as https://app.example.com').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'an address such as postgres://user:secret@host:5432/name',
  ).optional(),
  DATABASE_POOL: z.coerce
    .number({ error: 'a number of connections, 2 to 200' })
    .int()
    .min(2)
    .max(200)
    .default(10),
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
  STRIPE_API_BASE: url(
    ['http:', 'https:'],
    'an address without a path, such as http://localhost:5001',
  ).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'an address such as smtps://user:secret@mail.example.com').optional(),
  MAIL_FROM: z.string().default('Plinth <hello@plinth.example>'),
  SUPPORT_EMAIL: z.email({ error: 'one e-mail address' }).default('support@plinth.example'),
  APP_SECRET: z.string().min(32, { error: 'at least 32 random characters' }).optional(),
  APP_SECRET_PREVIOUS: z.string().min(32, { error: 'at least 32 random characters' }).optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform(value => value.split(/[\s,]+/).filter(Boolean)),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  METRICS_TOKEN: z.string().min(16, { error: 'at least 16 characters' }).optional(),
  SEED_DEMO: flag.optional(),
  RATE_LIMIT_FACTOR: z.coerce.number({ error: 'a number from 1 up' }).min(1).default(1),
  SETTLE_AFTER_SECONDS: z.coerce.number().min(1).max(3600).default(120),
  FAULT: z.string().optional(),
})

export type Config = ReturnType<typeof parseConfig>
export class ConfigError extends Error {}

/**
 * Reads and checks the environment, once. A wrong variable stops the start with its name and what is expected.
 * @param env normally process.env; empty strings count as not set
 */
export function parseConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(set)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(issue => `${issue.path.join('.')}: expected ${issue.message}`).join('\n'),
    )
  }
  const v = parsed.data
  const production = v.NODE_ENV === 'production'
  const live = v.STRIPE_SECRET_KEY?.includes('_live_') ?? false
  const sandbox = v.SANDBOX ?? !(production || live)
  const sandboxPort = v.SANDBOX_PORT ?? v.PORT + 1
  const publicUrl = new URL(v.PUBLIC_URL ?? `http://localhost:${v.PORT}`).origin
  const dataDir = resolve(v.DATA_DIR)

  const wrong: string[] = []
  const need = (ok: unknown, name: string, why: string) => {
    if (!ok) wrong.push(`${name}: ${why}`)
  }
  need(!(live && sandbox), 'SANDBOX', 'expected 0 with live payment keys')
  if (!sandbox) {
    need(v.STRIPE_SECRET_KEY, 'STRIPE_SECRET_KEY', 'expected, because the sandbox is off')
    need(v.STRIPE_PUBLISHABLE_KEY, 'STRIPE_PUBLISHABLE_KEY', 'expected, because the sandbox is off')
    need(v.STRIPE_WEBHOOK_SECRET, 'STRIPE_WEBHOOK_SECRET', 'expected, because the sandbox is off')
    need(v.SMTP_URL, 'SMTP_URL', 'expected, because the sandbox is off')
  }
  if (production) {
    need(v.PUBLIC_URL, 'PUBLIC_URL', 'expected in production: links in mails are made from it')
    need(
      publicUrl.startsWith('https://') || v.HOST === '127.0.0.1',
      'PUBLIC_URL',
      'expected https in production',
    )
    need(v.RATE_LIMIT_FACTOR === 1, 'RATE_LIMIT_FACTOR', 'expected 1 in production')
    need(!v.FAULT, 'FAULT', 'not allowed in production')
    need(env.NODE_TLS_REJECT_UNAUTHORIZED !== '0', 'NODE_TLS_REJECT_UNAUTHORIZED', 'expected not to be 0')
  }
  if (wrong.length) throw new ConfigError(wrong.join('\n'))

  const sandboxUrl = sandbox ? `http://localhost:${sandboxPort}` : null
  const ownKeys = v.STRIPE_SECRET_KEY !== undefined
  return {
    env: v.NODE_ENV,
    port: v.PORT,
    host: v.HOST,
    publicUrl,
    dataDir,
    databaseUrl: v.DATABASE_URL ?? null,
    databasePool: v.DATABASE_POOL,
    role: v.ROLE,
    sandboxUrl,
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
    smtpUrl: v.SMTP_URL ?? `smtp://127.0.0.1:${v.SANDBOX_SMTP_PORT ?? sandboxPort + 1}`,
    inboxUrl: v.SMTP_URL ? null : sandboxUrl,
    mailFrom: v.MAIL_FROM,
    supportEmail: v.SUPPORT_EMAIL,
    secrets: [
      v.APP_SECRET ?? storedSecret(dataDir),
      ...(v.APP_SECRET_PREVIOUS ? [v.APP_SECRET_PREVIOUS] : []),
    ],
    trustProxy: v.TRUST_PROXY,
    logLevel: v.LOG_LEVEL,
    metricsToken: v.METRICS_TOKEN ?? null,
    seedDemo: v.SEED_DEMO ?? sandbox,
    rateLimitFactor: v.RATE_LIMIT_FACTOR,
    settleAfterSeconds: v.SETTLE_AFTER_SECONDS,
    fault: v.FAULT ?? null,
  }
}

/** The secret that a first start makes and keeps for itself, readable by its owner alone. */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'app-secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // as: node's fs errors carry a code
  }
  return readFileSync(file, 'utf8').trim()
}
