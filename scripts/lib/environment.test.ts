import { describe, expect, test } from 'vitest'
import { wantsSandbox } from './environment.ts'
import { sharedEnvironment } from './product.ts'

describe('whether the sandbox starts', () => {
  test.each([
    ['by default', {}, true],
    ['with test keys', { STRIPE_SECRET_KEY: 'sk_test_1' }, true],
    ['never with a live key', { STRIPE_SECRET_KEY: 'sk_live_1' }, false],
    ['never with a live restricted key', { STRIPE_SECRET_KEY: 'rk_live_1' }, false],
    ['never in production', { NODE_ENV: 'production' }, false],
    ['never in production, also when asked for', { NODE_ENV: 'production', SANDBOX: '1' }, false],
    ['not when it is switched off', { SANDBOX: '0' }, false],
    ['an empty variable is not set', { SANDBOX: '', STRIPE_SECRET_KEY: '' }, true],
  ])('%s', (_, env, wanted) => {
    expect(wantsSandbox(env)).toBe(wanted)
  })
})

describe('what the children agree on', () => {
  test('the sandbox is the next port, unless it is named', () => {
    expect(sharedEnvironment('/root', { PORT: '7000' })).toMatchObject({ PORT: '7000', SANDBOX_PORT: '7001' })
    expect(sharedEnvironment('/root', { SANDBOX_PORT: '9000' })).toMatchObject({
      PORT: '5000',
      SANDBOX_PORT: '9000',
    })
  })

  test('the data folder is the same for all, wherever they run', () => {
    expect(sharedEnvironment('/root', {}).DATA_DIR).toBe('/root/data')
    expect(sharedEnvironment('/root', { DATA_DIR: '/var/lib/plinth' }).DATA_DIR).toBe('/var/lib/plinth')
  })

  test('a wrong port goes to the server as it is, which names it', () => {
    expect(sharedEnvironment('/root', { PORT: 'abc' })).toMatchObject({ PORT: 'abc', SANDBOX_PORT: '5001' })
  })
})
