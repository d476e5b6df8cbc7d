import type { Endpoint, EndpointTable } from '@plinth/contract'

export type Tables = Record<string, EndpointTable>

export type Feature = {
  id: string
  title: string
  text: string
  endpoints: [name: string, endpoint: Endpoint][]
}

/** Titles of the features, in the order of the page. */
const features: Record<string, { title: string; text: string }> = {
  auth: { title: 'Sign-in', text: 'Sign in and out, reset a password, confirm an email address.' },
  accounts: { title: 'Sign-up', text: 'Create an account, accept an invite, close an account.' },
  profile: { title: 'Profile', text: 'The signed-in user: name, email address, password, preferences.' },
  sessions: { title: 'Sessions', text: 'The devices where the user is signed in.' },
  twoFactor: { title: 'Two-factor', text: 'Codes of an authenticator app as the second factor.' },
  passkeys: { title: 'Passkeys', text: 'Sign in and confirm changes with a passkey.' },
  social: { title: 'Social sign-in', text: 'Identities at Google and other providers.' },
  sso: { title: 'Single sign-on', text: 'A SAML identity provider for the whole account.' },
  notifications: { title: 'Notifications', text: 'Which emails the user receives.' },
  dataExport: { title: 'Data export', text: 'All personal data of the signed-in user.' },
  help: { title: 'Help', text: 'Messages to support.' },
  feedback: { title: 'Feedback', text: 'Ratings of the product by its users.' },
  team: { title: 'Team', text: 'Members and invites of an account.' },
  apiKeys: { title: 'API keys', text: 'Credentials for programs.' },
  usage: { title: 'Usage', text: 'Usage that programs report, for limits and metered billing.' },
  billing: { title: 'Billing', text: 'Plans, subscription, card and invoices of an account.' },
  audit: { title: 'Audit log', text: 'Security-relevant changes in an account.' },
  dashboard: { title: 'Dashboard', text: 'Demo figures for the dashboard.' },
  events: { title: 'Events', text: 'Product events, from the app or from programs.' },
  impersonation: { title: 'Support access', text: 'Support signs in as a user who allows it.' },
  settings: { title: 'Settings', text: 'Public configuration of this installation.' },
}

/** The features of the contract in the order of the page, each with its calls. */
export function featuresOf(contract: Tables): Feature[] {
  const unlisted = Object.keys(contract).filter(id => !features[id])
  if (unlisted.length > 0) throw new Error(`No title in the API description: ${unlisted.join(', ')}`)
  return Object.entries(features)
    .filter(([id]) => contract[id])
    .map(([id, words]) => ({ id, ...words, endpoints: Object.entries(contract[id] ?? {}) }))
}
