import { expect, test } from 'vitest'
import { withTexts } from '../../../test/app.tsx'
import { t } from './translate.ts'

test('[role:labels] each role has its specified label', async () => {
  await withTexts('en', ['global', 'team'])
  expect([
    t('team.roles.master'),
    t('team.roles.owner'),
    t('team.roles.admin'),
    t('team.roles.developer'),
    t('team.roles.user'),
  ]).toEqual(['Super Administrator', 'Account Owner', 'Administrator', 'Developer', 'User'])
})
