import { freshEmail, type makeTestApp } from './harness.ts'

/** Makes people who run the installation, with a second factor in force, signed in with it. */
export const mastersOf =
  ({ people, db }: Pick<Awaited<ReturnType<typeof makeTestApp>>, 'people' | 'db'>) =>
  async () => {
    const user = await people.owner(freshEmail('master'))
    await db.asOwnerOfJobs('insert into masters (user_id) values ($1)', [user.id])
    await db.asOwnerOfJobs(
      "insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'x', now())",
      [user.id],
    )
    await db.asOwnerOfJobs('update sessions set second_factor = true where user_id = $1', [user.id])
    return user
  }
