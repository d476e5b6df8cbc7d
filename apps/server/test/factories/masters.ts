import { freshEmail, type makeTestApp } from '../harness.ts'

type TestApp = Awaited<ReturnType<typeof makeTestApp>>

/** Creates masters who are signed in with a second factor. */
export const masterFactory =
  ({ people, db }: Pick<TestApp, 'people' | 'db'>) =>
  async () => {
    const user = await people.owner(freshEmail('master'))
    await makeMaster(db, user)
    return user
  }

/** Makes a user a master whose sessions are signed in with a second factor. */
export async function makeMaster(db: TestApp['db'], { id }: { id: string }) {
  await db.asOwnerOfJobs('insert into masters (user_id) values ($1)', [id])
  await db.asOwnerOfJobs(
    "insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'x', now())",
    [id],
  )
  await db.asOwnerOfJobs('update sessions set second_factor = true where user_id = $1', [id])
}
