import type { Config } from './config.ts'
import { demoCode } from './features/billing/demo/demo-code.ts'

export type DemoUser = { email: string; password: string; what: string }

/** The text a start prints: addresses, demo users, test cards and a promotion code. */
export function banner(config: Config, demo: DemoUser[]): string {
  const lines = ['', `  Plinth is ready    ${config.publicUrl}`]
  if (config.inboxUrl) lines.push(`  Inbox              ${config.inboxUrl}`)
  lines.push(`  API description    ${config.publicUrl}/api/docs`)
  if (demo.length) {
    const width = Math.max(...demo.map(user => user.email.length)) + 2
    lines.push('', `  Demo users, all with the password  ${demo[0]?.password}`)
    for (const user of demo) lines.push(`    ${user.email.padEnd(width)}${user.what}`)
  }
  if (config.payments.sandboxUrl) {
    lines.push(
      '',
      '  Test cards, any date to come, any security code',
      '    4242 4242 4242 4242  succeeds',
      '    4000 0025 0000 3155  asks for 3D Secure once',
      '    4000 0027 6000 3184  asks for 3D Secure each time',
      '    4000 0000 0000 0002  is declined',
      '    4000 0000 0000 9995  has insufficient funds',
      '    4000 0000 0000 0341  is declined when charged',
      '',
      `  Promotion code     ${demoCode.text}, ${demoCode.percentOff} % off, once`,
    )
  }
  return `${lines.join('\n')}\n`
}
