import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { productionEnv as live } from '../test/harness/production-env.ts'
import { temporaryFolder } from '../test/harness/temporary-folder.ts'
import { parseConfig } from './config.ts'

describe('configuration [F-22]', () => {
  test('nothing set: everything on loopback, a secret made and kept for its owner alone', () => {
    const DATA_DIR = temporaryFolder()
    const config = parseConfig({ DATA_DIR, PORT: '' })
    expect(config).toMatchObject({
      port: 5000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:5000',
      sandboxUrl: 'http://localhost:5001',
      smtpUrl: 'smtp://127.0.0.1:5002',
      databaseUrl: null,
    })
    const file = join(DATA_DIR, 'app-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(config.secrets).toEqual([readFileSync(file, 'utf8')])
    expect(parseConfig({ DATA_DIR }).secrets).toEqual(config.secrets)
  })

  test('live keys: no sandbox anywhere', () => {
    expect(parseConfig({ ...live, DATA_DIR: temporaryFolder() })).toMatchObject({
      sandboxUrl: null,
      inboxUrl: null,
      payments: { sandboxUrl: null, apiBase: null },
      seedDemo: false,
    })
  })

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'app.plinth.example'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'mail.plinth.example'],
    ['STRIPE_SECRET_KEY', 'pk_test_x'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_x'],
    ['APP_SECRET', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['ROLE', 'both'],
    ['SANDBOX', 'yes'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['DATABASE_POOL', '1'],
    ['S3_ENDPOINT', 's3.example.com'],
    ['S3_ENDPOINT', 'https://s3.example.com/bucket'],
    ['S3_BUCKET', 'My Bucket'],
    ['S3_REGION', 'EU Central'],
    ['PORT', '0x10'],
    ['PORT', '-1'],
    ['PORT', ' '],
    ['HOST', 'not a host'],
    ['HOST', 'http://0.0.0.0'],
    ['HOST', '0.0.0.0:5000'],
    ['PUBLIC_URL', 'https://x.example/app'],
    ['PUBLIC_URL', 'https://x.example/?a=b'],
    ['PUBLIC_URL', 'https://user:secret@x.example'],
    ['PUBLIC_URL', 'ftp://x.example'],
    ['STRIPE_API_BASE', 'http://localhost:5001/v1'],
    ['TRUST_PROXY', 'foo'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0.0/8 fd00::/129'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '1'],
    ['MAIL_FROM', 'nonsense'],
    ['MAIL_FROM', 'A <a@x.example>, B <b@x.example>'],
    ['MAIL_FROM', 'A <a@localhost>'],
    ['SUPPORT_EMAIL', 'a@localhost'],
    ['SETTLE_AFTER_SECONDS', '0'],
    ['SETTLE_AFTER_SECONDS', 'soon'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['RATE_LIMIT_FACTOR', '100001'],
    ['DATABASE_POOL', '201'],
    ['DATABASE_POOL', 'many'],
    ['SANDBOX_PORT', '65536'],
  ])('%s=%s stops the start with its name', (name, value) => {
    expect(() => parseConfig({ DATA_DIR: temporaryFolder(), [name]: value })).toThrow(
      // Told in our words, not in those of a library.
      new RegExp(`^${name}: expected (?!.*(Too |Invalid|>=|<=))`, 'm'),
    )
  })

  test.each([
    ['SANDBOX_PORT', { PORT: '65535' }],
    ['SANDBOX_SMTP_PORT', { PORT: '65534' }],
    ['SANDBOX_SMTP_PORT', { SANDBOX_PORT: '65535' }],
  ])('%s is named when the port derived for it is none', (name, env) => {
    expect(() => parseConfig({ DATA_DIR: temporaryFolder(), ...env })).toThrow(
      new RegExp(`^${name}: expected`, 'm'),
    )
    expect(parseConfig({ ...live, DATA_DIR: temporaryFolder(), ...env }).sandboxUrl).toBeNull()
  })

  describe('the data folder', () => {
    const s3 = {
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'plinth',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
    /** A path at which no folder can be made. */
    const unwritable = () => {
      const file = join(temporaryFolder(), 'a-file')
      writeFileSync(file, '')
      return join(file, 'data')
    }
    const linesOf = (env: Record<string, string>) => {
      try {
        parseConfig(env)
        return []
      } catch (error) {
        return String(error instanceof Error && error.message).split('\n')
      }
    }

    test('is not needed with DATABASE_URL, APP_SECRET and S3 outside of the sandbox', () => {
      expect(linesOf({ ...live, ...s3, DATA_DIR: unwritable() })).toEqual([])
    })

    test.each([
      ['the embedded database', { DATABASE_URL: '', EMBEDDED_DATABASE: '1' }],
      ['files', { S3_ENDPOINT: '', S3_BUCKET: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }],
      ['a secret of its own', { NODE_ENV: 'development', APP_SECRET: '' }],
      [
        'the sandbox',
        {
          NODE_ENV: 'development',
          SANDBOX: '1',
          STRIPE_SECRET_KEY: 'sk_test_x1',
          STRIPE_PUBLISHABLE_KEY: 'pk_test_x1',
        },
      ],
    ])('must be writable for %s, and is named beside all else', (_, env) => {
      const DATA_DIR = unwritable()
      expect(linesOf({ ...live, ...s3, ...env, DATA_DIR, PORT: 'eighty' })).toEqual([
        'PORT: expected a port number, 0 to 65535',
        `DATA_DIR: expected a folder that can be written to, and ${DATA_DIR} is none (ENOTDIR). Give this user the right to write there, or name another folder`,
      ])
    })

    test('must let files be written to its folder for them', () => {
      const DATA_DIR = temporaryFolder()
      writeFileSync(join(DATA_DIR, 'files'), '')
      expect(linesOf({ ...live, DATA_DIR })).toEqual([
        expect.stringContaining(
          `DATA_DIR: expected a folder that can be written to, and ${DATA_DIR}/files is none`,
        ),
      ])
    })

    test('a secret in it that can’t be read, or is none, is named with its file', () => {
      const [first, second] = [temporaryFolder(), temporaryFolder()]
      mkdirSync(join(first, 'app-secret'))
      expect(linesOf({ DATA_DIR: first })).toEqual([
        `APP_SECRET: expected, because ${first}/app-secret can’t be read (EISDIR). Give this user the right to read it, or set APP_SECRET`,
      ])
      writeFileSync(join(second, 'app-secret'), 'short')
      expect(linesOf({ DATA_DIR: second })).toEqual([
        `APP_SECRET: expected, because ${second}/app-secret holds less than 32 characters. Delete the file, or set APP_SECRET`,
      ])
    })
  })

  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_x1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x1',
    STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  }
  test('payment keys: all three, or none', () => {
    expect(parseConfig({ DATA_DIR: temporaryFolder(), ...keys }).payments).toMatchObject({
      sandboxUrl: null,
      apiBase: null,
    })
    for (const missing of Object.keys(keys)) {
      expect(() => parseConfig({ DATA_DIR: temporaryFolder(), ...keys, [missing]: '' })).toThrow(
        new RegExp(`^${missing}: expected`, 'm'),
      )
      for (const only of Object.keys(keys).filter(name => name !== missing))
        expect(() => parseConfig({ DATA_DIR: temporaryFolder(), [only]: Reflect.get(keys, only) })).toThrow(
          new RegExp(`^${missing}: expected`, 'm'),
        )
    }
  })

  const s3 = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'plinth',
    S3_ACCESS_KEY_ID: 'AKIAX',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  test('file storage: all four, or the data folder', () => {
    const DATA_DIR = temporaryFolder()
    expect(parseConfig({ DATA_DIR }).files).toEqual({ folder: join(DATA_DIR, 'files'), s3: null })
    expect(parseConfig({ DATA_DIR, ...s3 }).files.s3).toMatchObject({ region: 'us-east-1', bucket: 'plinth' })
    for (const missing of Object.keys(s3))
      expect(() => parseConfig({ DATA_DIR, ...s3, [missing]: '' })).toThrow(
        new RegExp(`^${missing}: expected`, 'm'),
      )
  })

  test('payment keys: all for play, or all for real', () => {
    const mixed = [
      { ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_x1' },
      { ...live, STRIPE_SECRET_KEY: 'rk_live_x1', STRIPE_PUBLISHABLE_KEY: 'pk_test_x1' },
      { ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_x1' },
    ]
    for (const env of mixed)
      expect(() => parseConfig({ DATA_DIR: temporaryFolder(), ...env })).toThrow(
        /^STRIPE_PUBLISHABLE_KEY: expected /m,
      )
  })

  test('networks of proxies are taken as addresses, CIDRs and the three names', () => {
    const TRUST_PROXY = '127.0.0.1, 10.0.0.0/8 fd00::/8,::1 loopback'
    expect(parseConfig({ DATA_DIR: temporaryFolder(), TRUST_PROXY }).trustProxy).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      'fd00::/8',
      '::1',
      'loopback',
    ])
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['nothing set', {}, true],
    ['a loopback address', { PUBLIC_URL: 'http://127.0.0.1:5000' }, true],
    ['a public address', { PUBLIC_URL: 'https://staging.plinth.example' }, false],
    ['a public address, asked for', { PUBLIC_URL: 'https://staging.plinth.example', SANDBOX: '1' }, false],
    ['production on this machine', { ...live, PUBLIC_URL: 'http://localhost:5000' }, false],
    ['live keys', live, false],
  ])('the sandbox says who somebody is and which domain is theirs: %s', (_, env, open) => {
    const config = parseConfig({ DATA_DIR: temporaryFolder(), ...env })
    expect({
      social: config.social.length > 0,
      dns: config.dnsResolverUrl !== null,
      metadata: config.identitySandboxUrl !== null,
    }).toEqual({ social: open, dns: open, metadata: open })
    const own = 'https://dns.plinth.example/txt'
    expect(parseConfig({ DATA_DIR: temporaryFolder(), ...env, DNS_RESOLVER_URL: own }).dnsResolverUrl).toBe(
      own,
    )
  })

  describe('social sign-in', () => {
    const ids = (env: Record<string, string>) =>
      parseConfig({ DATA_DIR: temporaryFolder(), ...env }).social.map(({ id, issuer }) => [
        id,
        new URL(issuer).host,
      ])

    test('nothing set: the sandbox’s providers, for people at this machine alone', () => {
      expect(ids({})).toEqual(['google', 'microsoft', 'github', 'oidc'].map(id => [id, 'localhost:5001']))
      expect(ids({ SANDBOX_PORT: '7001' })[0]).toEqual(['google', 'localhost:7001'])
      expect(ids({ PUBLIC_URL: 'https://staging.plinth.example' })).toEqual([])
      expect(ids(live)).toEqual([])
    })

    test('registered providers replace the sandbox’s', () => {
      expect(
        ids({
          GOOGLE_CLIENT_ID: 'a',
          GOOGLE_CLIENT_SECRET: 'b',
          OIDC_ISSUER: 'https://id.plinth.example/realms/one',
          OIDC_CLIENT_ID: 'c',
          OIDC_CLIENT_SECRET: 'd',
        }),
      ).toEqual([
        ['google', 'accounts.google.com'],
        ['oidc', 'id.plinth.example'],
      ])
    })

    test.each([
      [{ GOOGLE_CLIENT_ID: 'a' }, 'GOOGLE_CLIENT_SECRET'],
      [{ GITHUB_CLIENT_SECRET: 'a' }, 'GITHUB_CLIENT_ID'],
      [{ MICROSOFT_CLIENT_ID: 'with blank' }, 'MICROSOFT_CLIENT_ID'],
      [{ OIDC_NAME: 'Ours' }, 'OIDC_ISSUER'],
      [{ OIDC_ISSUER: 'https://id.plinth.example', OIDC_CLIENT_ID: 'a' }, 'OIDC_CLIENT_SECRET'],
      [{ OIDC_ISSUER: 'http://id.plinth.example' }, 'OIDC_ISSUER'],
      [{ OIDC_ISSUER: 'https://id.plinth.example?x=1' }, 'OIDC_ISSUER'],
      [{ OIDC_NAME: 'x'.repeat(31) }, 'OIDC_NAME'],
    ])('%j stops the start, naming %s', (env, name) => {
      expect(() => ids(env)).toThrow(new RegExp(`^${name}: expected`, 'm'))
    })
  })
})
