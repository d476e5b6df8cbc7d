import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { inject } from 'vitest'
import { rolesOf } from '../../src/db/roles.ts'
import { invariant } from '../../src/lib/invariant.ts'
import { dropDatabaseStatements } from '../harness.ts'

const operations = new URL('../../../../docs/operations.md', import.meta.url)

/** The SQL that docs/operations.md gives under this name. */
function documentedSql(name: 'one-login' | 'two-logins'): string[] {
  const block = new RegExp(`\`\`\`sql ${name}\\n(.*?)\`\`\``, 's').exec(readFileSync(operations, 'utf8'))
  return invariant(block?.[1], name)
    .split(';\n')
    .filter(statement => statement.trim() !== '')
}

type RoleSetup = 'one-login' | 'two-logins' | 'createrole' | 'no-roles'

/** Runs statements one by one as the login of the suite. */
async function asAdministrator(statements: string[], { goOn = false } = {}) {
  const client = new pg.Client(invariant(inject('databaseUrl'), 'a PostgreSQL'))
  await client.connect()
  try {
    for (const statement of statements)
      await client.query(statement).catch(error => {
        if (!goOn) throw error
      })
  } finally {
    await client.end()
  }
}

/**
 * Makes a database with logins of its own on the PostgreSQL under test.
 * @param how by the SQL of the documentation, or as an owner who may create roles or may not
 */
export async function createInstallation(how: RoleSetup) {
  const name = `acme_${randomBytes(4).toString('hex')}`
  const { app, system } = rolesOf(name)
  const statements =
    how === 'createrole' || how === 'no-roles'
      ? [
          `create role ${name} login ${how === 'createrole' ? how : ''} password 'a-secret'`,
          `grant ${name} to current_user`,
          `create database ${name} owner ${name}`,
        ]
      : documentedSql(how).map(statement => statement.replace(/\bacme\b|(?<=_)acme\b|\bacme(?=_)/g, name))
  await asAdministrator(statements)
  const urlOf = (login: string, secret: string, database = name) => {
    const url = new URL(invariant(inject('databaseUrl'), 'a PostgreSQL'))
    Object.assign(url, { username: login, password: secret, pathname: `/${database}` })
    return url.href
  }
  return {
    name,
    roles: rolesOf(name),
    url: (database?: string) => urlOf(name, how === 'two-logins' ? 'another-secret' : 'a-secret', database),
    ownerUrl: urlOf(`${name}_owner`, 'a-secret'),
    async drop() {
      const owner = how === 'two-logins' ? `${name}_owner` : name
      const mine = [owner, name, app, system]
      await asAdministrator(
        [
          // Since 16 who created a login has to be its member to drop its database.
          `grant ${owner} to current_user`,
          ...dropDatabaseStatements(name),
          ...(how === 'createrole' ? [`set role ${name}`, `drop role ${app}, ${system}`, 'reset role'] : []),
          ...mine.map(role => `drop role if exists ${role}`),
        ],
        { goOn: true },
      )
    },
  }
}
