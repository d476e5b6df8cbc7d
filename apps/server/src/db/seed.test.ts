import { expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { seedDemo } from './seed.ts'

const count = async (made: Awaited<ReturnType<typeof makeTestApp>>) =>
  (
    await made.services.asSystem('test', tx =>
      tx.selectFrom('users').select('id').where('email', '=', 'owner@demo.plinth.example').execute(),
    )
  ).length

test('adds the demo users although a user signs up during the first start', async () => {
  const made = await makeTestApp()
  const begun = new Date()
  await made.people.owner()
  expect((await seedDemo(made.services, begun)).map(({ email }) => email)).toContain(
    'support@demo.plinth.example',
  )
  expect(await count(made)).toBe(1)
})

test('adds no demo users to a database with users, and none twice', async () => {
  const made = await makeTestApp()
  await made.people.owner()
  expect(await seedDemo(made.services, new Date())).toEqual([])
  expect(await count(made)).toBe(0)

  // Two servers at once: the lock makes one wait for the other.
  const other = await makeTestApp()
  const begun = new Date()
  const [one, two] = await Promise.all([seedDemo(other.services, begun), seedDemo(other.services, begun)])
  expect(one.length).toBeGreaterThan(10)
  expect(two).toEqual(one)
  expect(await seedDemo(other.services, new Date())).toEqual(one)
  expect(await count(other)).toBe(1)
})
