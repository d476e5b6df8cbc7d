import { createHash } from 'node:crypto'

/** `app` sees the rows of one account, `system` those of all. Neither can log in. */
export type Roles = { app: string; system: string }

/** What `plinth_system_` leaves of the 63 bytes that PostgreSQL keeps of a name. */
const plainName = /^[a-z0-9_]{1,49}$/

/**
 * The names of a database's two roles. All databases of a PostgreSQL server share its roles, so each installation has
 * its own; the embedded database (null) has no neighbours. Every name can be written without quotes.
 */
export function rolesOf(database: string | null): Roles {
  if (database === null) return { app: 'plinth_app', system: 'plinth_system' }
  const suffix = plainName.test(database)
    ? database
    : createHash('sha256').update(database).digest('hex').slice(0, 32)
  return { app: `plinth_app_${suffix}`, system: `plinth_system_${suffix}` }
}

/** Migrations name the roles plinth_app and plinth_system; these are their names in this database. */
export const withRoles = (sql: string, roles: Roles) =>
  sql.replace(/\bplinth_(app|system)\b/g, (_, role: keyof Roles) => roles[role])
