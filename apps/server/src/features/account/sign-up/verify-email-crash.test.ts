import { expect, onTestFinished, test } from 'vitest'
import { callServer, waitForMailedLink } from '../../../../test/harness/http-client.ts'
import { createServerEnv, startServer } from '../../../../test/harness/server-process.ts'
import { freshEmail, password } from '../../../../test/harness.ts'

const env = await createServerEnv()
/** Starts the real server three times, which takes a busy machine its time. */
const slow = 240_000

/** Stopped in the end, also where it should have been gone by then. */
async function start(FAULT = '') {
  const server = await startServer({ ...env, FAULT })
  onTestFinished(async () => void (await server.stop()))
  return server
}

const verify = (url: string, link: string, token?: string) =>
  callServer(`${url}/api/user/verify`, 'POST', { token: new URL(link).searchParams.get('token') }, token)
const who = async (url: string, token?: string) =>
  (await callServer(`${url}/api/auth`, 'GET', undefined, token)).data

test(
  'killed during a verification: nothing and the link still works, or everything and it is used [F-01]',
  async () => {
    const email = freshEmail('crash')
    const person = { first_name: 'Mara', last_name: 'Okafor', email, password }
    const first = await start('verify:before_commit')
    const { token } = (await callServer(`${first.url}/api/account`, 'POST', person)).data
    const link = await waitForMailedLink(email)
    await expect(verify(first.url, link, token)).rejects.toThrow()
    expect(await first.exited).toBe('SIGKILL')

    const second = await start('verify:after_commit')
    expect(await who(second.url, token)).toMatchObject({ authenticated: true, verified: false })
    await expect(verify(second.url, link, token)).rejects.toThrow()
    expect(await second.exited).toBe('SIGKILL')

    const third = await start()
    // Verified, so the old session has ended; a caller without the reply signs in.
    expect(await who(third.url, token)).toMatchObject({ authenticated: false })
    const signedIn = await callServer(`${third.url}/api/auth`, 'POST', { email, password })
    expect(signedIn).toMatchObject({ status: 200, data: { verified: true } })
    expect((await verify(third.url, link, signedIn.data.token)).status).toBe(422)
  },
  slow,
)
