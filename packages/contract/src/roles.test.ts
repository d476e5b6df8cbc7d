import { describe, expect, test } from 'vitest'
import { assignableRoles, grants, isRole, memberRoles, type Role, roles } from './roles.ts'

describe('roles', () => {
  const table: Record<Role, string> = {
    master: 'master owner admin developer user',
    owner: 'owner admin developer user',
    admin: 'admin user',
    developer: 'developer user',
    user: 'user',
  }
  test('[role:master] [role:owner] [role:admin] [role:developer] [role:user] [entity:permission-flags] each grants the listed permissions', () => {
    for (const role of roles)
      expect(roles.filter(other => grants(role, other)).join(' '), role).toBe(table[role])
  })
  test('owner is not assignable and master is no member role', () => {
    expect(assignableRoles).not.toContain('owner')
    expect(memberRoles).not.toContain('master')
    expect([isRole('admin'), isRole('root'), isRole(null)]).toEqual([true, false, false])
  })
})
