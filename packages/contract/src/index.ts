import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { billing } from './billing.ts'
import { dashboard } from './dashboard.ts'
import { events } from './events.ts'
import { dataExport } from './export.ts'
import { feedback } from './feedback.ts'
import { help } from './help.ts'
import { impersonation } from './impersonation.ts'
import { notifications } from './notifications.ts'
import { passkeys } from './passkeys.ts'
import { profile } from './profile.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { social } from './social.ts'
import { sso } from './sso.ts'
import { team } from './team.ts'
import { twoFactor } from './two-factor.ts'
import { usage } from './usage.ts'

/** All endpoint tables by feature: the spine of server, typed client, API description and tests. */
export const contract = {
  accounts,
  apiKeys,
  audit,
  auth,
  billing,
  dashboard,
  dataExport,
  events,
  feedback,
  help,
  impersonation,
  notifications,
  passkeys,
  profile,
  sessions,
  settings,
  social,
  sso,
  team,
  twoFactor,
  usage,
}
export type Contract = typeof contract

export type { ApiKey } from './api-keys.ts'
export type { AuditEntry } from './audit.ts'
export type { PlanPreview } from './billing-shapes.ts'
export type { Endpoint, EndpointTable, Limit, Method, Received, Reply, Sent } from './endpoint.ts'
export type { SessionUser, SignedIn } from './fields.ts'
export type { NotificationSetting } from './notifications.ts'
export type { Page, Paging } from './paging.ts'
export type {
  CreatedCredential,
  CreationOptions,
  ProofOptions,
  ProvingCredential,
  RequestOptions,
  ShownCredential,
} from './passkeys.ts'
export type { Quote } from './quote.ts'
export type { Device } from './sessions.ts'
export type { SsoSetup, SsoTestResult } from './sso.ts'
export type { Invite, Member, SentInvite } from './team.ts'
