import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { productionEnv } from '../test/harness/production-env.ts'
import { temporaryFolder } from '../test/harness/temporary-folder.ts'
import { parseConfig } from './config.ts'

const parse = (over: Record<string, string>) =>
  parseConfig({ ...productionEnv, DATA_DIR: temporaryFolder(), ...over })
/** Message of the failed start, one line a variable. */
const failure = (env: Record<string, string>) => {
  try {
    parseConfig({ DATA_DIR: temporaryFolder(), ...env })
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : []
  }
  return []
}

describe('production [F-22]', () => {
  test('starts with complete settings', () => {
    expect(parse({})).toMatchObject({ mailFrom: 'Acme <hello@acme.example>', smtpRequiresTls: true })
  })

  test('names everything missing or wrong in one list', () => {
    const lines = failure({
      NODE_ENV: 'production',
      PORT: 'eighty',
      SANDBOX: '1',
      REDIS_URL: 'redis://cache',
    })
    expect(lines.map(line => line.split(':', 1)[0]).sort()).toEqual([
      'APP_SECRET',
      'DATABASE_URL',
      'MAIL_FROM',
      'PORT',
      'PUBLIC_URL',
      'REDIS_URL',
      'SANDBOX',
      'SMTP_URL',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'SUPPORT_EMAIL',
    ])
    for (const line of lines) expect(line).toMatch(/^\w+: expected\b.{10}/)
  })

  test('a malformed value is not also reported as missing', () => {
    expect(
      failure({ ...productionEnv, MAIL_FROM: 'nonsense', PUBLIC_URL: 'http://app.plinth.example' }),
    ).toEqual([
      expect.stringMatching(/^MAIL_FROM: expected one address/),
      expect.stringMatching(/^PUBLIC_URL: expected https/),
    ])
  })

  test.each(Object.keys(productionEnv).filter(name => name !== 'NODE_ENV'))('needs %s', name => {
    expect(failure({ ...productionEnv, [name]: '' })).toEqual([
      expect.stringMatching(`^${name}: expected\\b`),
    ])
  })

  test('runs on the embedded database only with EMBEDDED_DATABASE=1', () => {
    expect(parse({ DATABASE_URL: '', EMBEDDED_DATABASE: '1' }).databaseUrl).toBeNull()
    expect(failure({ ...productionEnv, DATABASE_URL: '', EMBEDDED_DATABASE: '0' })).toHaveLength(1)
  })

  test.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'http://app.plinth.example', HOST: '0.0.0.0' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost.plinth.example' }],
    ['SANDBOX', { SANDBOX: '1' }],
    ['SANDBOX', { SANDBOX: '1', PUBLIC_URL: 'http://localhost:5000' }],
    ['SEED_DEMO', { SEED_DEMO: '1' }],
    ['RATE_LIMIT_FACTOR', { RATE_LIMIT_FACTOR: '10' }],
    ['FAULT', { FAULT: 'x' }],
    ['NODE_TLS_REJECT_UNAUTHORIZED', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('refuses %s in %j', (name, over) => {
    expect(failure({ ...productionEnv, ...over })).toEqual([expect.stringMatching(`^${name}: expected\\b`)])
  })

  test('a trial of production on one machine needs no certificate', () => {
    expect(parse({ PUBLIC_URL: 'http://localhost:5000/' }).publicUrl).toBe('http://localhost:5000')
  })
})

const s3 = { S3_BUCKET: 'plinth', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }

describe('connections in production [V12.3.1] [V12.3.2]', () => {
  test.each([
    ['DATABASE_URL', 'postgres://db.example/app'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=disable'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=prefer'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=require'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=verify-ca'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://db.example/app?ssl=true'],
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=verify-full&sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://localhost/app?host=db.example'],
    ['DATABASE_URL', 'postgres://x/app?host=localhost&host=db.example'],
    ['DATABASE_URL', 'postgres://x/app?host=db.example&host=localhost'],
    ['DATABASE_URL', 'postgres://x/app?host=/var/run/postgresql&host=db.example'],
    ['REDIS_URL', 'redis://cache.example:6379'],
    ['S3_ENDPOINT', 'http://s3.example'],
    ['SMTP_URL', 'smtp://mail.example?ignoreTLS=true'],
    ['SMTP_URL', 'smtp://mail.example?requireTLS=false'],
    ['SMTP_URL', 'smtp://mail.example?opportunisticTLS=true'],
    ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=false'],
    ['DNS_RESOLVER_URL', 'http://dns.example/txt'],
    ['STRIPE_API_BASE', 'http://payments.example'],
    ['OIDC_ISSUER', 'http://id.example'],
  ])('%s=%s is refused', (name, value) => {
    const env = { ...productionEnv, ...(name.startsWith('S3') && s3), ...(name.startsWith('OIDC') && oidc) }
    expect(failure({ ...env, [name]: value })).toEqual([expect.stringMatching(`^${name}: expected\\b`)])
    expect(failure({ DATA_DIR: temporaryFolder(), [name]: value, ...(name.startsWith('S3') && s3) })).toEqual(
      name === 'OIDC_ISSUER' ? expect.any(Array) : [],
    )
  })

  test.each([
    ['DATABASE_URL', 'postgres://db.example/app?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://127.0.0.1/app'],
    ['DATABASE_URL', 'postgres://[::1]/app'],
    ['DATABASE_URL', 'postgres:///app?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://x/app?host=localhost&host=127.0.0.1'],
    ['DATABASE_URL', 'postgres://%2Fvar%2Frun%2Fpostgresql/app'],
    ['REDIS_URL', 'rediss://cache.example'],
    ['REDIS_URL', 'redis://localhost:6379'],
    ['S3_ENDPOINT', 'https://s3.example'],
    ['SMTP_URL', 'smtp://mail.example'],
    ['SMTP_URL', 'smtp://localhost:1025?ignoreTLS=true'],
    ['DNS_RESOLVER_URL', 'https://dns.example/txt'],
    ['STRIPE_API_BASE', 'http://127.0.0.1:5001'],
  ])('%s=%s is accepted', (name, value) => {
    expect(failure({ ...productionEnv, ...(name.startsWith('S3') && s3), [name]: value })).toEqual([])
  })

  test('INSECURE_HOSTS accepts unverified connections to the hosts it names alone', () => {
    const env = {
      ...productionEnv,
      DATABASE_URL: 'postgres://db/app',
      REDIS_URL: 'redis://cache',
      SMTP_URL: 'smtp://mail?ignoreTLS=true',
    }
    expect(failure({ ...env, INSECURE_HOSTS: 'db, cache mail' })).toEqual([])
    expect(parse({ ...env, INSECURE_HOSTS: 'db, cache mail' }).smtpRequiresTls).toBe(false)
    expect(failure({ ...env, INSECURE_HOSTS: 'db,mail' })).toEqual([
      expect.stringMatching(/^REDIS_URL: expected rediss:.*add it to INSECURE_HOSTS/),
    ])
    expect(failure({ ...env, INSECURE_HOSTS: 'https://db' })).toContainEqual(
      expect.stringMatching(/^INSECURE_HOSTS: expected host names/),
    )
  })

  test('MIGRATION_DATABASE_URL=postgres://db.example/app?sslmode=require is refused', () => {
    const MIGRATION_DATABASE_URL = 'postgres://db.example/app?sslmode=require'
    expect(failure({ ...productionEnv, MIGRATION_DATABASE_URL })).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL: expected\b/),
    ])
  })

  test('a CA file of DATABASE_URL that does not exist is reported', () => {
    const sslrootcert = join(temporaryFolder(), 'ca.pem')
    const DATABASE_URL = `${productionEnv.DATABASE_URL}&sslrootcert=${sslrootcert}`
    expect(failure({ ...productionEnv, DATABASE_URL })).toEqual([expect.stringMatching(/sslrootcert/)])
  })
})

const oidc = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
