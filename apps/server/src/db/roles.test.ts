import { expect, test } from 'vitest'
import { rolesOf, withRoles } from './roles.ts'

test('the embedded database keeps the plain names', () => {
  expect(rolesOf(null)).toEqual({ app: 'plinth_app', system: 'plinth_system' })
})

test('names of roles carry the database, need no quotes and fit into 63 bytes', () => {
  expect(rolesOf('acme')).toEqual({ app: 'plinth_app_acme', system: 'plinth_system_acme' })
  const unusual = ['Acme', 'acme-2', "it's 100 %", 'a'.repeat(50), 'ä', '"; drop role x; --', '']
  const names = unusual.flatMap(database => Object.values(rolesOf(database)))
  for (const name of [...names, ...Object.values(rolesOf('a'.repeat(49)))]) {
    expect(name).toMatch(/^[a-z_][a-z0-9_]*$/)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
  }
  expect(new Set(names).size).toBe(names.length)
})

test('statements get the names of their database', () => {
  const sql = 'grant select on users to plinth_app, plinth_system; select plinth_application'
  expect(withRoles(sql, rolesOf('acme'))).toBe(
    'grant select on users to plinth_app_acme, plinth_system_acme; select plinth_application',
  )
})
