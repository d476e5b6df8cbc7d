import type { NotificationName } from '@plinth/contract/endpoints/notifications'
import { notificationPermissions } from '@plinth/contract/endpoints/notifications'
import { grants, memberRoles, type Role } from '@plinth/contract/roles'
import type { Tx } from '../context.ts'
import { findMailRecipients, isMailOff } from './mail-preference-store.ts'

/** Whether the mail is ever sent to this role. */
export const isMailForRole = (name: NotificationName, role: Role) =>
  grants(role, notificationPermissions[name])

/** Call it in the transaction that sends the mail, right before: the preference may have just changed. */
export const wantsMail = async (tx: Tx, userId: string, accountId: string, name: NotificationName) =>
  !(await isMailOff(tx, { account_id: accountId, user_id: userId }, name))

/** The members of an account who get this mail. */
export const mailRecipients = (tx: Tx, accountId: string, name: NotificationName) =>
  findMailRecipients(
    tx,
    accountId,
    memberRoles.filter(role => isMailForRole(name, role)),
    name,
  )
