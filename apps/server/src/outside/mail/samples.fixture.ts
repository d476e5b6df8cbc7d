import type { Mail, MailKind } from './kinds.ts'

const url = 'https://plinth.example/signup/verify?token=8f2kd01_pQmX7vZrT4nB-6wLc9yHs3eA5uJgK0iDfEo&via=mail'

/** One of each kind for the tests, with every word of a person replaced by `name` when given. */
export function sample(kind: MailKind, name?: string): Mail {
  const rest = { to: 'mara@northquay.studio', locale: 'en' }
  const person = name ?? 'Mara'
  const account_name = name ?? 'Northquay Studio'
  switch (kind) {
    case 'verify_email':
      return { ...rest, kind, data: { name: person, url, hours: 24 } }
    case 'sign_up_taken':
      return { ...rest, kind, data: { name: person, url, hours: 24, account_name } }
    case 'invite':
      return { ...rest, kind, data: { inviter: person, account_name, role: 'Admin', url, days: 7 } }
    case 'plan_changed':
      return {
        ...rest,
        kind,
        data: { name: person, account_name, plan: 'Startup', price: '$12.00', period: 'month', url },
      }
  }
}

/** A sentence that only this kind says, in English: proof that a kind renders its own words. */
export const telling: Record<MailKind, string> = {
  verify_email: 'Confirm that mara@northquay.studio is yours, and you can choose a plan.',
  sign_up_taken: 'If that was you, the new account Northquay Studio is ready for you.',
  invite: 'Mara invited you to work in Northquay Studio on Plinth.',
  plan_changed: 'Northquay Studio is now on the Startup plan.',
}
