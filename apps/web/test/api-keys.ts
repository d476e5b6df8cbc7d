import type { ApiKey, SessionUser } from '@plinth/contract'
import { visit } from './app.tsx'
import { sessionUser } from './people.ts'

export const warehouse: ApiKey = {
  id: '0197a000-0000-7000-8000-000000000001',
  name: 'Warehouse sync',
  key: 'plinth_test_7Qd4••••••••x2Lm',
  scope: ['usage.create'],
  active: true,
  revealable: true,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  date_created: '2026-11-03T10:00:00.000Z',
  created_by: 'Inês Carvalho',
}
export const old: ApiKey = {
  ...warehouse,
  id: '0197a000-0000-7000-8000-000000000002',
  name: 'Old importer',
  active: false,
  revealable: false,
  revoked_at: '2026-10-21T10:00:00.000Z',
}
export const full_key = 'plinth_test_7Qd4mT1vRk8sYw3LbN6hZx9cJf2pEg5uA0x2Lm1Yz'
export const scopes = [
  { value: 'event.create', label: 'Send events' },
  { value: 'usage.create', label: 'Report usage' },
]
export const at = ({ id }: ApiKey) => `/api/key/${id}`
export const pageOf = (total: number | null, more = {}) => ({
  start: total === 0 ? 0 : 1,
  total,
  previous: null,
  next: null,
  ...more,
})

type Given = {
  path?: string
  keys?: ApiKey[]
  user?: Partial<SessionUser>
  room?: object
  language?: 'en' | 'de'
}

/** Opens the app at an API key screen with a fake server that has these keys. */
export async function open({
  path = '/account/apikeys',
  keys = [warehouse, old],
  user,
  room,
  language,
}: Given = {}) {
  const visitor = await visit({ path, user: sessionUser(user), language })
  visitor.server
    .answer('apiKeys.list', { json: { data: keys, page: pageOf(keys.length) } })
    .answer('apiKeys.allowance', { data: { used: 1, limit: 10, plan: null, ...room } })
    .answer('apiKeys.scopes', { data: scopes })
  for (const key of keys) visitor.server.answer(`GET ${at(key)}`, { data: [key] })
  visitor.open()
  return visitor
}
