import type { Mail, MailKind } from './registry.ts'

const url = 'https://plinth.example/signup/verify?token=8f2kd01_pQmX7vZrT4nB-6wLc9yHs3eA5uJgK0iDfEo&via=mail'

/** A sample of each kind of mail. `name`, when given, replaces all text that users can choose. */
export function sample(kind: MailKind, name?: string): Mail {
  const rest = { to: 'mara@northquay.studio', locale: 'en' }
  const person = name ?? 'Mara'
  const account_name = name ?? 'Northquay Studio'
  switch (kind) {
    case 'verify_email':
      return { ...rest, kind, data: { name: person, url, hours: 24 } }
    case 'sign_up_taken':
      return { ...rest, kind, data: { url, hours: 24, account_name } }
    case 'magic_link':
      return { ...rest, kind, data: { name: person, url, minutes: 10 } }
    case 'reset_link':
      return { ...rest, kind, data: { name: person, url, minutes: 30 } }
    case 'password_added':
    case 'password_changed':
      return { ...rest, kind, data: { name: person, url } }
    case 'email_change':
      return { ...rest, kind, data: { name: person, old: 'mara@old.example', url, hours: 24 } }
    case 'email_change_notice':
      return { ...rest, kind, data: { name: person, email: 'mara@new.example', url, days: 7 } }
    case 'email_changed':
      return { ...rest, kind, data: { name: person, email: 'mara@new.example', url } }
    case 'email_change_taken':
      return { ...rest, kind, data: { name: person, url } }
    case 'email_restored':
      return { ...rest, kind, data: { name: person, url, keys: [{ name: 'Nightly import', account_name }] } }
    case 'account_closed':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          account_name,
          event: 'closed_by_owner',
          by: person,
          gone: true,
          usage: null,
          url,
        },
      }
    case 'identity_connected':
    case 'identity_disconnected':
      return { ...rest, kind, data: { name: person, provider: 'Google', url } }
    case 'invite':
      return { ...rest, kind, data: { inviter: person, account_name, role: 'Admin', url, days: 7 } }
    case 'sso_joined':
    case 'invite_accepted':
      return {
        ...rest,
        kind,
        data: { name: person, person, email: 'ines@northquay.studio', account_name, role: 'Admin', url },
      }
    case 'role_changed':
      return { ...rest, kind, data: { name: person, account_name, by: person, role: 'Developer', url } }
    case 'ownership':
      return {
        ...rest,
        kind,
        data: { name: person, account_name, by: person, to: person, event: 'received', url },
      }
    case 'user_created':
      return { ...rest, kind, data: { name: person, by: person, account_name, url, hours: 24 } }
    case 'new_signin':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          browser: 'Firefox',
          system: 'macOS',
          network: '203.0.113.x',
          at: 'November 20, 2026 at 09:30 PM UTC',
          url,
          days: 7,
        },
      }
    case 'signin_attempts':
      return { ...rest, kind, data: { name: person, url } }
    case 'plan_changed':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          account_name,
          plan: 'Startup yearly',
          price: '$480.00',
          period: 'year',
          seats: { count: 4, each: '$120.00' },
          url,
        },
      }
    case 'seats_changed':
      return {
        ...rest,
        kind,
        data: {
          ...{ name: person, account_name, plan: 'Startup', before: 4, count: 5, url },
          ...{ price: '$60.00', period: 'month', seats: { count: 5, each: '$12.00' } },
        },
      }
    case 'plan_ends':
      return {
        ...rest,
        kind,
        data: {
          ...{ name: person, account_name, plan: 'Startup', day: 'December 1, 2026 (UTC)', url },
          ...{ last: '$24.00', usage: false },
        },
      }
    case 'card_changed':
      return { ...rest, kind, data: { name: person, account_name, card: 'Visa ending 4242', url } }
    case 'payment_refunded':
      return { ...rest, kind, data: { name: person, account_name, amount: '$49.00', url } }
    case 'receipt':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          account_name,
          number: 'A1B2C3D4-0001',
          amount: '$432.00',
          day: 'November 25, 2026 (UTC)',
          card: 'Visa ending 4242',
          lines: [
            {
              text: '4 × Startup yearly (at $120.00 / year)',
              amount: '$480.00',
              period: 'Nov 25, 2026 – Nov 25, 2027',
            },
          ],
          more: 0,
          discount: '-$48.00',
          tax: null,
          credit: null,
          url,
        },
      }
    case 'payment_trouble':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          account_name,
          plan: 'Startup',
          happened: 'payment_failed',
          amount: '$36.00',
          card: 'Visa ending 0341',
          next_attempt: 'December 28, 2026 (UTC)',
          url,
        },
      }
    case 'trial_ends':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          account_name,
          plan: 'Startup',
          day: 'November 30, 2026 (UTC)',
          price: '$12.00',
          period: 'month',
          url,
        },
      }
    case 'two_factor':
      return { ...rest, kind, data: { name: person, happened: 'enabled', url } }
    case 'passkey':
      return { ...rest, kind, data: { name: person, event: 'added', passkey: name ?? 'Windows Hello', url } }
    case 'api_key':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          event: 'created',
          keys: [name ?? 'Warehouse sync'],
          account_name,
          by: person,
          url,
        },
      }
    case 'api_key_ends':
      return { ...rest, kind, data: { name: person, key: name ?? 'Warehouse sync', days: 7, url } }
    case 'help_request':
      return {
        ...rest,
        kind,
        data: {
          name: person,
          email: 'mara@northquay.studio',
          account_name,
          account_id: '01a1fa42-8c01-78ae-9ea9-6d886f883969',
          plan: 'Startup',
          role: 'owner',
          message: 'The list stays empty.\n\nIt was full this morning.',
          url,
        },
      }
    case 'sso_changed':
      return {
        ...rest,
        kind,
        data: { name: person, account_name, by: person, change: 'enforced', detail: '', url },
      }
    case 'sso_certificate':
      return { ...rest, kind, data: { name: person, account_name, days: 7, url } }
    case 'sso_linked':
      return { ...rest, kind, data: { name: person, account_name, url } }
    case 'support_consent':
      return { ...rest, kind, data: { name: person, allowed: true, url } }
    case 'support_session':
      return { ...rest, kind, data: { name: person, minutes: 30, url } }
  }
}

/** An English sentence that only this kind of mail contains. */
export const telling: Record<MailKind, string> = {
  verify_email: 'Confirm mara@northquay.studio to continue.',
  sign_up_taken: 'If that was you, the new account Northquay Studio is ready for you.',
  magic_link: 'This link signs you in as mara@northquay.studio on the device where you open it.',
  reset_link: 'Choose a new password for mara@northquay.studio.',
  password_added: 'You can now sign in as mara@northquay.studio with a password.',
  password_changed: 'The password for mara@northquay.studio was changed',
  email_change: 'Until then, keep signing in with your old address.',
  email_change_taken: 'Someone asked to use mara@northquay.studio',
  email_change_notice: 'asked to change your address to mara@new.example',
  email_changed: 'You now sign in with mara@new.example.',
  email_restored: 'You sign in with mara@northquay.studio again',
  account_closed: 'Mara closed Northquay Studio',
  help_request: 'It was full this morning.',
  identity_connected: 'Google can now be used to sign in as mara@northquay.studio.',
  identity_disconnected: 'Google can no longer be used to sign in as mara@northquay.studio.',
  invite: 'Mara invited you to work in Northquay Studio on Plinth.',
  invite_accepted: 'Mara (ines@northquay.studio) accepted your invite to Northquay Studio.',
  role_changed: 'Mara changed your permission in Northquay Studio to Developer.',
  ownership: 'Mara made you an owner of Northquay Studio.',
  user_created: 'Mara will give you your first password.',
  new_signin: 'Device: Firefox on macOS.',
  signin_attempts: 'There were many failed attempts to sign in with your address',
  plan_changed: 'Northquay Studio is now on the Startup yearly plan.',
  seats_changed: 'It now costs 5 seats × $12.00 = $60.00 per month, before tax and discounts.',
  plan_ends: 'Northquay Studio keeps the Startup plan until December 1, 2026 (UTC).',
  card_changed: 'From now on, the invoices of Northquay Studio are paid with your Visa ending 4242.',
  receipt: 'We charged $432.00 to your Visa ending 4242 on November 25, 2026 (UTC).',
  payment_refunded: 'It didn’t start a plan, so we refunded it to your card.',
  payment_trouble:
    'We couldn’t charge $36.00 for the Startup plan of Northquay Studio to your Visa ending 0341.',
  trial_ends:
    'After that it costs $12.00 per month, before tax and discounts, charged to the card you entered.',
  two_factor: 'You’ll now need a code from your authenticator app to sign in.',
  passkey: 'You can now sign in with the passkey “Windows Hello”, without a password.',
  api_key: 'The new API key “Warehouse sync” can now access the data of Northquay Studio.',
  api_key_ends: 'The API key “Warehouse sync” stops working in 7 days.',
  sso_changed: 'Members now have to use single sign-on.',
  sso_certificate: 'Create a new one at your identity provider, then load its metadata here again.',
  sso_joined: 'Mara (ines@northquay.studio) signed in with single sign-on for the first time',
  sso_linked: 'You signed in to Northquay Studio with single sign-on for the first time.',
  support_consent: 'Our support team can sign in as you to help',
  support_session: 'Their session ends after 30 minutes.',
}
