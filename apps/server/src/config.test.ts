import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'plinth-config-'))
const live = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.plinth.example',
  STRIPE_SECRET_KEY: 'sk_live_x1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  SMTP_URL: 'smtps://u:p@mail.plinth.example',
  APP_SECRET: 'x'.repeat(40),
}

describe('configuration [F-22]', () => {
  test('nothing set: everything on loopback, a secret made and kept for its owner alone', () => {
    const DATA_DIR = folder()
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
    expect(parseConfig({ ...live, DATA_DIR: folder() })).toMatchObject({
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
  ])('%s=%s stops the start with its name', (name, value) => {
    expect(() => parseConfig({ DATA_DIR: folder(), [name]: value })).toThrow(
      new RegExp(`^${name}: expected `, 'm'),
    )
  })

  test.each([
    ['SMTP_URL', { SMTP_URL: '' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_WEBHOOK_SECRET: '' }],
    ['PUBLIC_URL', { PUBLIC_URL: '' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://app.plinth.example', HOST: '0.0.0.0' }],
    ['SANDBOX', { SANDBOX: '1' }],
    ['RATE_LIMIT_FACTOR', { RATE_LIMIT_FACTOR: '10' }],
    ['FAULT', { FAULT: 'x' }],
    ['NODE_TLS_REJECT_UNAUTHORIZED', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('going live without minding %s stops the start', (name, over) => {
    expect(() => parseConfig({ ...live, DATA_DIR: folder(), ...over })).toThrow(new RegExp(`^${name}:`, 'm'))
  })
})
