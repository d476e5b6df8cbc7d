import { existsSync } from 'node:fs'
import { isLoopback } from './lib/loopback.ts'

type Env = Record<string, string | undefined>
export type Need = (ok: unknown, name: string, why: string) => void

/** Variables that production requires, and what to set. config.ts checks those that the sandbox replaces in development. */
const required: Record<string, string> = {
  APP_SECRET: 'run "openssl rand -base64 32" and give its output to every process',
  PUBLIC_URL: 'the address people type; links in mails are made from it',
  MAIL_FROM: 'the sender of every mail, such as Acme <hello@example.com>',
  SUPPORT_EMAIL: 'the address that receives help requests',
}

/** Variables that weaken the product, and why production refuses them. */
const refused: Record<string, (env: Env) => string | false> = {
  SANDBOX: env => env.SANDBOX === '1' && 'expected 0 in production: the sandbox takes no real money',
  SEED_DEMO: env =>
    env.SEED_DEMO === '1' && 'expected 0 in production: the password of the demo users is public',
  RATE_LIMIT_FACTOR: env => Number(env.RATE_LIMIT_FACTOR || 1) !== 1 && 'expected 1 in production',
  FAULT: env => env.FAULT !== undefined && 'expected to be unset in production',
  NODE_TLS_REJECT_UNAUTHORIZED: env =>
    env.NODE_TLS_REJECT_UNAUTHORIZED === '0' &&
    'expected to be unset in production: it accepts any certificate. For your own CA set NODE_EXTRA_CA_CERTS',
}

/**
 * Checks what only production demands: everything needed to serve is set, nothing weakens it, and each connection is
 * encrypted to a verified server.
 * @param env as given, without empty values
 * @param need collects the missing and wrong variables
 */
export function checkProduction(env: Env, need: Need) {
  for (const [name, what] of Object.entries(required))
    need(env[name], name, `expected in production: ${what}`)
  need(
    env.DATABASE_URL || env.EMBEDDED_DATABASE === '1',
    'DATABASE_URL',
    'expected in production, such as postgres://user:secret@host:5432/name?sslmode=verify-full. EMBEDDED_DATABASE=1 allows the embedded database instead: one process, and a power cut can lose data',
  )
  for (const [name, reason] of Object.entries(refused)) {
    const why = reason(env)
    need(!why, name, why || '')
  }
  if (env.PUBLIC_URL && URL.canParse(env.PUBLIC_URL)) {
    const { protocol, hostname } = new URL(env.PUBLIC_URL)
    // Browsers accept http on loopback addresses as secure.
    need(
      protocol === 'https:' || isLoopback(hostname),
      'PUBLIC_URL',
      'expected https in production: start it with https:// and terminate TLS at the proxy',
    )
  }
  checkTransport(env, need)
}

const verifiedPostgres = {
  ok: isVerifiedPostgres,
  expected: 'sslmode=verify-full (and sslrootcert=<file> for your own CA)',
}

/** Each variable that opens a connection, and what its address must be for the connection to be encrypted and verified. */
const transports: Record<string, { ok: (url: URL) => boolean; expected: string }> = {
  DATABASE_URL: verifiedPostgres,
  MIGRATION_DATABASE_URL: verifiedPostgres,
  REDIS_URL: { ok: url => url.protocol === 'rediss:', expected: 'rediss://' },
  S3_ENDPOINT: { ok: isHttps, expected: 'https://' },
  STRIPE_API_BASE: { ok: isHttps, expected: 'https://' },
  DNS_RESOLVER_URL: { ok: isHttps, expected: 'https://' },
  SMTP_URL: {
    ok: isVerifiedSmtp,
    expected: 'smtps://, or smtp:// with STARTTLS, without options that switch TLS or its verification off',
  },
}

function checkTransport(env: Env, need: Need) {
  const allowed = insecureHosts(env.INSECURE_HOSTS)
  for (const [name, { ok, expected }] of Object.entries(transports)) {
    const value = env[name]
    if (!value || !URL.canParse(value)) continue
    const url = new URL(value)
    const isTrusted = (host: string) => host.startsWith('/') || isLoopback(host) || allowed.includes(host)
    const remote = hostsOf(url, env).find(host => !isTrusted(host))
    need(
      remote === undefined || ok(url),
      name,
      `expected ${expected} in production. To accept an unverified connection to ${remote}, add it to INSECURE_HOSTS`,
    )
  }
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    const value = env[name]
    const ca = value && URL.canParse(value) && new URL(value).searchParams.get('sslrootcert')
    need(!ca || existsSync(ca), name, 'expected sslrootcert to name a file that exists')
  }
}

export const insecureHosts = (list: string | undefined) => (list ?? '').split(/[\s,]+/).filter(Boolean)

/** The hosts that a client may connect to: PostgreSQL's may be a parameter, and a path is a Unix socket. */
function hostsOf(url: URL, env: Env): string[] {
  if (!url.protocol.startsWith('postgres')) return [url.hostname]
  // The driver takes the last parameter, other programs the first.
  const given = url.searchParams.getAll('host').filter(Boolean)
  return given.length > 0 ? given : [decodeURIComponent(url.hostname) || env.PGHOST || 'localhost']
}

function isHttps(url: URL) {
  return url.protocol === 'https:'
}

/** The driver takes the last value of a parameter that is given twice, so each must be right. */
function isVerifiedPostgres({ searchParams }: URL) {
  const modes = searchParams.getAll('sslmode')
  return modes.length > 0 && modes.every(mode => mode === 'verify-full')
}

/** STARTTLS is required beside this (integrations/mail/mailer.ts); these are the options of the SMTP client that undo it. */
function isVerifiedSmtp({ searchParams }: URL) {
  const mustBeTrue = ['tls.rejectUnauthorized', 'requireTLS']
  const forbidden = ['ignoreTLS', 'opportunisticTLS', 'service', 'tls.checkServerIdentity']
  return (
    mustBeTrue.every(name => searchParams.getAll(name).every(value => value === 'true')) &&
    !forbidden.some(name => searchParams.has(name))
  )
}
