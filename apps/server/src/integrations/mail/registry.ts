import { accountClosed } from './templates/account-closed.ts'
import { apiKey, apiKeyEnds } from './templates/api-key.ts'
import { cardChanged } from './templates/card-changed.ts'
import {
  emailChange,
  emailChanged,
  emailChangeNotice,
  emailChangeTaken,
  emailRestored,
} from './templates/email-change.ts'
import { helpRequest } from './templates/help-request.ts'
import { identityConnected, identityDisconnected } from './templates/identity-changed.ts'
import { invite } from './templates/invite.ts'
import { magicLink } from './templates/magic-link.ts'
import { newSignin } from './templates/new-signin.ts'
import { passkey } from './templates/passkey.ts'
import { passwordAdded, passwordChanged } from './templates/password-changed.ts'
import { paymentTrouble, trialEnds } from './templates/payment.ts'
import { paymentRefunded } from './templates/payment-refunded.ts'
import { planChanged } from './templates/plan-changed.ts'
import { planEnds } from './templates/plan-ends.ts'
import { receipt } from './templates/receipt.ts'
import { resetLink } from './templates/reset-link.ts'
import { seatsChanged } from './templates/seats-changed.ts'
import { signUpTaken } from './templates/sign-up-taken.ts'
import { signinAttempts } from './templates/signin-attempts.ts'
import { ssoCertificate } from './templates/sso-certificate.ts'
import { ssoChanged } from './templates/sso-changed.ts'
import { ssoJoined } from './templates/sso-joined.ts'
import { ssoLinked } from './templates/sso-linked.ts'
import { supportConsent } from './templates/support-consent.ts'
import { supportSession } from './templates/support-session.ts'
import { inviteAccepted, ownership, roleChanged, userCreated } from './templates/team.ts'
import { twoFactor } from './templates/two-factor.ts'
import { verifyEmail } from './templates/verify-email.ts'

/** All kinds of mail. To add one: a file in templates/, its keys in locales/*.mail.json and a line here. */
export const mailTemplates = {
  verify_email: verifyEmail,
  sign_up_taken: signUpTaken,
  magic_link: magicLink,
  reset_link: resetLink,
  password_added: passwordAdded,
  password_changed: passwordChanged,
  email_change: emailChange,
  email_change_taken: emailChangeTaken,
  email_change_notice: emailChangeNotice,
  email_changed: emailChanged,
  email_restored: emailRestored,
  account_closed: accountClosed,
  help_request: helpRequest,
  invite,
  invite_accepted: inviteAccepted,
  role_changed: roleChanged,
  ownership,
  user_created: userCreated,
  identity_connected: identityConnected,
  identity_disconnected: identityDisconnected,
  new_signin: newSignin,
  signin_attempts: signinAttempts,
  plan_changed: planChanged,
  seats_changed: seatsChanged,
  payment_trouble: paymentTrouble,
  trial_ends: trialEnds,
  plan_ends: planEnds,
  card_changed: cardChanged,
  payment_refunded: paymentRefunded,
  receipt,
  two_factor: twoFactor,
  passkey,
  api_key: apiKey,
  api_key_ends: apiKeyEnds,
  support_consent: supportConsent,
  support_session: supportSession,
  sso_changed: ssoChanged,
  sso_certificate: ssoCertificate,
  sso_joined: ssoJoined,
  sso_linked: ssoLinked,
}

export type MailKind = keyof typeof mailTemplates

/** A mail as stored in the job queue; plain JSON. */
export type Mail = {
  [K in MailKind]: {
    kind: K
    to: string
    /** Stored locale of the recipient; unknown locales get English. */
    locale: string
    data: Parameters<(typeof mailTemplates)[K]>[0]
    /** Reply-To address; support by default. */
    reply_to?: string
    /** Fixed per operation, so that a mail sent twice is recognised as a duplicate. */
    message_id?: string
  }
}[MailKind]
