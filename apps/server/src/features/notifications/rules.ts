import {
  type NotificationName,
  notificationNames,
  notificationPermissions,
} from '@plinth/contract/endpoints/notifications'
import { grants, memberRoles, type Role } from '@plinth/contract/roles'

/** Whether this mail can ever go to somebody of the role. */
export const concerns = (name: NotificationName, role: Role) => grants(role, notificationPermissions[name])

export const namesFor = (role: Role) => notificationNames.filter(name => concerns(name, role))

/** The roles that this mail goes to. */
export const rolesFor = (name: NotificationName) => memberRoles.filter(role => concerns(name, role))
