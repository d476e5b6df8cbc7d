import { callApi } from '../api.ts'
import { waitForLink } from '../mail.ts'
import { newEmail, type Person, password } from './people.ts'

/** Creates a person who joined the owner's account by an invite. */
export async function createMember(owner: Person, permission: string, first = 'Tomas'): Promise<Person> {
  const email = newEmail(permission)
  await callApi('POST', '/api/invite', { token: owner.user.token, body: { email, permission } })
  const { token, mail } = await waitForLink(email)
  const body = { first_name: first, last_name: 'Ribeiro', email, password, invite_id: token }
  const { data } = await callApi<Person['user']>('POST', '/api/user', { body })
  await callApi('PATCH', '/api/user', { token: data.token, body: { onboarded: true } })
  return { email, password, lastMail: mail.id, user: { ...data, onboarded: true } }
}
