import { createHash } from 'node:crypto'
import { invalid } from '../http/api-error.ts'

export interface Person {
  /** The person's permanent id: `sub`, GitHub's `id`, or the persistent NameID of SAML. */
  subject: string
  email: string
  first_name: string
  last_name: string
  email_verified: boolean
}

export interface ReadyPerson extends Person {
  id: string
  /** The case that this person is for. */
  note: string
}

const one = (
  id: string,
  subject: string,
  names: string,
  email: string,
  note: string,
  email_verified = true,
): ReadyPerson => {
  const [first_name = '', ...rest] = names.split(' ')
  return { id, subject, first_name, last_name: rest.join(' '), email, note, email_verified }
}

/** The first two are users of the product's demo data. All addresses use reserved domains. */
export const readyPeople: readonly ReadyPerson[] = [
  one('mara', '10001', 'Mara Okafor', 'owner@demo.plinth.example', 'demo owner'),
  one('jonah', '10002', 'Jonah Weber', 'user@demo.plinth.example', 'demo user'),
  one('lena', '10003', 'Lena Brandt', 'lena@northquay.example', 'new'),
  one('zoe', '10004', 'Zoë Ångström', 'zoe@northquay.example', 'new'),
  one('sam', '10005', 'Sam Reyes', 'sam@elsewhere.example', 'not verified', false),
  one('kit', '10006', '', 'kit@elsewhere.example', 'no name'),
]

export const fullName = (person: Person) => `${person.first_name} ${person.last_name}`.trim()

/** The same address has the same subject each time. Digits, because GitHub's ids are numbers. */
const subjectOf = (email: string) =>
  String(createHash('sha256').update(email.toLowerCase()).digest().readUIntBE(0, 5) + 100_000)

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** The last value counts: a form sends "false" and, when the switch is on, "true" after it. */
function isOn(value: unknown): boolean {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value
  return last === undefined || last === true || last === 'true'
}

/** A ready-made person by id, or a person from the form's fields. */
export function chosenPerson(body: Record<string, unknown>): Person {
  if (body.person !== undefined) {
    const found = readyPeople.find(person => person.id === body.person)
    if (found) return found
    throw invalid(`person must be one of ${readyPeople.map(({ id }) => id).join(', ')}`, 'person')
  }
  const email = text(body.email)
  if (email === '') throw invalid('Send person, or email with name or first_name and last_name.', 'email')
  const [first = '', ...rest] = text(body.name).split(/\s+/)
  return {
    subject: text(body.subject) || subjectOf(email),
    email,
    first_name: text(body.first_name) || first,
    last_name: text(body.last_name) || rest.join(' '),
    email_verified: isOn(body.email_verified),
  }
}
