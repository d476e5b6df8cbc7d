import { createHash } from 'node:crypto'

/** `app` sees the rows of one account, `system` those of all. Neither can log in. */
export type Roles = { app: string; system: string }

/** PostgreSQL keeps 63 bytes of a name, of which `plinth_system_` takes 14. */
const plainName = /^[a-z0-9_]{1,49}$/

/**
 * The names of a database's two roles. All databases of a PostgreSQL server share its roles, so the names contain the
 * database; the embedded database (null) is alone. No name needs quotes.
 */
export function rolesOf(database: string | null): Roles {
  if (database === null) return { app: 'plinth_app', system: 'plinth_system' }
  const suffix = plainName.test(database)
    ? database
    : createHash('sha256').update(database).digest('hex').slice(0, 32)
  return { app: `plinth_app_${suffix}`, system: `plinth_system_${suffix}` }
}

/** Replaces the role names of the SQL files, plinth_app and plinth_system, by those of this database. */
export const withRoles = (sql: string, roles: Roles) =>
  sql.replace(/\bplinth_(app|system)\b/g, (_, role: keyof Roles) => roles[role])
