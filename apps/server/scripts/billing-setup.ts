import { existsSync } from 'node:fs'
import { ConfigError, parsePaymentKeys } from '../src/config.ts'
import { setUpBilling } from '../src/features/billing/setup.ts'
import { openPayments, PaymentsError } from '../src/integrations/stripe/payments.ts'

/** Makes products, prices, the meter and the webhook in an account of the payment provider: `npm run billing:setup`. */
try {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { publicUrl, ...keys } = parsePaymentKeys(process.env)
  const payments = openPayments({ ...keys, guard: () => {}, timeoutMs: 30_000 })
  const say = (line: string) => process.stdout.write(`${line}\n`)
  say(payments.livemode ? 'With a live key: real money.' : 'With a test key: no real money.')
  for (const line of await setUpBilling({ integrations: { payments } }, publicUrl)) say(line)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof PaymentsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
