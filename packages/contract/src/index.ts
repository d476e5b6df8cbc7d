import { accounts } from './endpoints/accounts.ts'
import { apiKeys } from './endpoints/api-keys.ts'
import { audit } from './endpoints/audit.ts'
import { auth } from './endpoints/auth.ts'
import { billing } from './endpoints/billing.ts'
import { dashboard } from './endpoints/dashboard.ts'
import { events } from './endpoints/events.ts'
import { dataExport } from './endpoints/export.ts'
import { feedback } from './endpoints/feedback.ts'
import { help } from './endpoints/help.ts'
import { impersonation } from './endpoints/impersonation.ts'
import { notifications } from './endpoints/notifications.ts'
import { passkeys } from './endpoints/passkeys.ts'
import { profile } from './endpoints/profile.ts'
import { sessions } from './endpoints/sessions.ts'
import { settings } from './endpoints/settings.ts'
import { social } from './endpoints/social.ts'
import { sso } from './endpoints/sso.ts'
import { team } from './endpoints/team.ts'
import { twoFactor } from './endpoints/two-factor.ts'
import { usage } from './endpoints/usage.ts'

/** All endpoint tables by feature. Server, typed client, API description and tests are derived from them. */
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

export type {
  CallInput,
  Endpoint,
  EndpointTable,
  HandlerInput,
  Method,
  RateLimitName,
  Reply,
} from './endpoint.ts'
export type { ApiKey } from './endpoints/api-keys.ts'
export type { AuditEntry } from './endpoints/audit.ts'
export type { PlanPreview } from './endpoints/billing-schemas.ts'
export type { NotificationSetting } from './endpoints/notifications.ts'
export type {
  CreatedCredential,
  CreationOptions,
  ProofCredential,
  ProofRequestOptions,
  RequestOptions,
  SignInCredential,
} from './endpoints/passkeys.ts'
export type { Device } from './endpoints/sessions.ts'
export type { SsoSetup, SsoTestResult } from './endpoints/sso.ts'
export type { Invite, Member, SentInvite } from './endpoints/team.ts'
export type { SessionUser, SignInReply } from './fields.ts'
export type { Page, Paging } from './paging.ts'
export type { Quote } from './quote.ts'
