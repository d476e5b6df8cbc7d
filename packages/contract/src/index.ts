import { accounts } from './accounts.ts'
import { auth } from './auth.ts'
import { billing } from './billing.ts'
import { dashboard } from './dashboard.ts'
import { events } from './events.ts'
import { profile } from './profile.ts'
import { settings } from './settings.ts'
import { team } from './team.ts'

/** All endpoint tables by feature: the spine of server, typed client, API description and tests. */
export const contract = { accounts, auth, billing, dashboard, events, profile, settings, team }
export type Contract = typeof contract

export type { Endpoint, EndpointTable, Limit, Method, Received, Reply, Sent } from './endpoint.ts'
export type { SessionUser } from './fields.ts'
