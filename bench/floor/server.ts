import { createHash, randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import fastify from 'fastify'
import pg from 'pg'

/**
 * The floor: the least a server of this kind can do. One look-up by the hash of a bearer token; the members of an
 * account; a sign-in of one select, one verification and one insert. No roles, no row-level security, no limits.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = fastify()

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const session = { name: 'session', text: 'select * from sessions where token_hash = $1' }
const list = {
  name: 'list',
  text: 'select id, name, email, role, created_at from people where account_id = $1',
}
const person = { name: 'person', text: 'select * from people where email = $1' }
const insert = {
  name: 'insert',
  text: 'insert into sessions (token_hash, id, account_id, name) values ($1, $2, $3, $4)',
}

async function findSession(header: string | undefined) {
  const { rows } = await pool.query({ ...session, values: [sha256((header ?? '').slice(7))] })
  return rows[0]
}

app.get('/api/auth', async (request, reply) => {
  const row = await findSession(request.headers.authorization)
  if (!row) return reply.code(401).send({})
  const { token_hash, ...known } = row
  return known
})

app.get('/api/account/users', async (request, reply) => {
  const row = await findSession(request.headers.authorization)
  if (!row) return reply.code(401).send({})
  const { rows } = await pool.query({ ...list, values: [row.account_id] })
  return rows
})

app.post<{ Body: { email: string; password: string } }>('/api/auth', async (request, reply) => {
  const { rows } = await pool.query({ ...person, values: [request.body.email] })
  const found = rows[0]
  if (!found || !(await verify(found.password_hash, request.body.password))) return reply.code(401).send({})
  const token = randomBytes(32).toString('base64url')
  await pool.query({ ...insert, values: [sha256(token), found.id, found.account_id, found.name] })
  return { token, id: found.id, name: found.name }
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
