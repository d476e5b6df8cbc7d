import { expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { banner } from '../../../banner.ts'
import { bootstrapBilling } from '../bootstrap.ts'

// A separate, empty sandbox.
const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { call, people, services } = made
const text = 'WELCOME20'
const codes = () => sandbox.list('/v1/promotion_codes', { code: text })

it('a start creates the demo promotion code in the sandbox once and prints it [call:GET /api/account/plan/preview]', async () => {
  for (let start = 1; start <= 2; start++) await bootstrapBilling(services, { alone: false, demo: [] })
  expect(await codes()).toMatchObject([{ code: text, active: true }])
  const { token } = await people.verified()
  const shown = await call('GET', `/api/account/plan/preview?plan=scale&promotion_code=${text}`, { token })
  expect(shown.data).toMatchObject({ due_now: 3920, promotion: { percent_off: 20, duration: 'once' } })
  expect(banner(services.config, [])).toContain(text)
})

it('a demo code that was switched off stays off', async () => {
  const [code] = await codes()
  await sandbox.api('POST', `/v1/promotion_codes/${code?.id}`, { active: 'false' })
  await bootstrapBilling(services, { alone: false, demo: [] })
  expect(await codes()).toMatchObject([{ active: false }])
})

it('no demo code is created or printed with the real provider', async () => {
  const { payments } = services.config
  const real = { ...services, config: { ...services.config, payments: { ...payments, sandboxUrl: null } } }
  await bootstrapBilling(real, { alone: false, demo: [] })
  expect(await codes()).toHaveLength(1)
  expect(banner(real.config, [])).not.toContain(text)
})
