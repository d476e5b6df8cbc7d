/** The parts of zod's JSON schemas that this file reads. */
export type JsonSchema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
}

/** One small believable world, so that the examples of all calls tell the same story. */
const byName: Record<string, unknown> = {
  id: '019a9f3e-6c1d-7b52-8e44-1f0a5c2b9d10',
  account_id: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2',
  account: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2',
  default_account: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2',
  email: 'mara@northquay.example',
  first_name: 'Mara',
  last_name: 'Okafor',
  name: 'Mara Okafor',
  account_name: 'Northquay Studio',
  password: 'tall-blue-harbour-42',
  confirm_password: 'tall-blue-harbour-42',
  oldpassword: 'slow-green-meadow-17',
  newpassword: 'tall-blue-harbour-42',
  pending_email: null,
  token: 'tlO4h0wVxJdXZ8m2QyC1rB7sN5uKpE9aGfI3kLqT6Yo',
  invite_id: '5Rk8sYw3LbN6hZx9cJf2pEg7Qd4mT1vuA0xLmWqB2oI',
  permission: 'user',
  plan: 'startup',
  subscription: 'active',
  status: 'active',
  verified: true,
  onboarded: true,
  authenticated: true,
  avatar: null,
  locale: 'en',
  locales: ['en', 'de'],
  label: 'Startup, $12.00 per month',
  price: 1200,
  seat_price: 1200,
  base_price: 9600,
  seats: 8,
  trial_days: 14,
  symbol: '$',
  currency_symbol: '$',
  interval: 'month',
  users: 20,
  api_keys: 10,
  events: 100_000,
  value: 'startup',
  date_sent: '2026-11-20T09:30:00.000Z',
  date_created: '2026-11-20T09:30:00.000Z',
  current_period_start: '2026-11-20T09:30:00.000Z',
  current_period_end: '2026-12-20T09:30:00.000Z',
  trial_end: null,
  active: 'startup',
  support_email: 'support@plinth.example',
  inbox_url: null,
  sandbox_url: null,
  publishable_key: 'pk_live_51NqExample',
  change: '+8.2%',
  icon: 'wallet',
  months: ['2026-11-01'],
  current: [1_284_000],
  previous: [1_120_000],
  currency: 'usd',
  date_joined: '2026-11-20T09:30:00.000Z',
  revenue: 48_000,
  metadata: { page: '/dashboard' },
}

/** An example value of a schema. What the schema says itself (example, default, choice) comes before the name. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  const named = byName[name]
  if (named !== undefined && fits(schema, named)) return named
  if (schema.default !== undefined) return schema.default
  if (schema.enum?.length) return schema.enum[0]
  const arm = schema.anyOf?.[0]
  if (arm) return exampleOf(arm, name)
  return byType(schema, name)
}

function byType(schema: JsonSchema, name: string): unknown {
  const { properties, required = [], items, format } = schema
  if (properties) {
    const told = Object.entries(properties).filter(
      ([key, field]) => required.includes(key) || known(field, key),
    )
    return Object.fromEntries(told.map(([key, field]) => [key, exampleOf(field, key)]))
  }
  const [type] = typesOf(schema)
  if (type === 'array') return [exampleOf(items ?? {}, name)]
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 42
  if (type === 'object') return {}
  if (format === 'uuid') return byName.id
  if (format === 'uri') return 'https://northquay.example'
  return format === 'date-time' ? byName.date_created : 'text'
}

/** Leaves out optional fields without a useful example. */
const known = (field: JsonSchema, key: string) =>
  byName[key] !== undefined || exampleOf(field, key) !== 'text'

/** `string`, or `string` and `null`: JSON schema has one type or several. */
export const typesOf = ({ type }: JsonSchema): string[] => (Array.isArray(type) ? type : type ? [type] : [])

/** A name's example is used only where the schema would take it: `users` is a number here and a list there. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema)
  if (schema.anyOf) return schema.anyOf.some(arm => fits(arm, value))
  if (schema.enum) return schema.enum.includes(value)
  if (schema.properties) return false
  if (Array.isArray(value))
    return types.includes('array') && value.every(item => fits(schema.items ?? {}, item))
  if (value === null) return types.includes('null')
  if (Number.isInteger(value) && types.includes('integer')) return true
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern).test(value)) return false
  return types.includes(typeof value)
}
