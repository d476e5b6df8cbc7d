import pg from 'pg'
import type { Roles } from '../../src/db/roles.ts'
import { invariant } from '../../src/lib/invariant.ts'

/** Small accounts have two members and one key; the big one has ten thousand of both and a long audit log. */
export const datasetSize = { accounts: 100_000, big: 10_000 }

const kinds = { account: '0000aaaa', user: '0000bbbb', key: '0000cccc' }
/** The id of the n-th account, user or key. */
export const nthId = (kind: keyof typeof kinds, n: number) =>
  `${kinds[kind]}-0000-7000-8000-${String(n).padStart(12, '0')}`
const id = (kind: keyof typeof kinds) => (n: string) =>
  `('${kinds[kind]}-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`
const [account, user, key] = [id('account'), id('user'), id('key')]

/** Account 1 is the big one; its members and keys have the highest numbers. */
const statements = [
  `insert into accounts (id, name, plan) select ${account('n')}, 'Account ' || n, 'free' from generate_series(1, ${datasetSize.accounts}) n`,
  `insert into users (id, email, first_name, last_name, verified_at)
   select ${user('n')}, 'user' || n || '@crowd.example', 'First ' || n, 'Last', now()
   from generate_series(1, ${datasetSize.accounts * 2 + datasetSize.big}) n`,
  `insert into memberships (account_id, user_id, role)
   select ${account('(n + 1) / 2')}, ${user('n')}, case when n % 2 = 1 then 'owner' else 'user' end
   from generate_series(1, ${datasetSize.accounts * 2}) n`,
  `insert into memberships (account_id, user_id, role)
   select ${account('1')}, ${user('n')}, 'user' from generate_series(${datasetSize.accounts * 2 + 1}, ${datasetSize.accounts * 2 + datasetSize.big}) n`,
  `insert into invites (id, account_id, email, role, secret_hash, sent_at, expires_at)
   select gen_random_uuid(), ${account('1 + n % 100000')}, 'guest' || n || '@crowd.example', 'user',
     sha256(convert_to('guest ' || n, 'utf8')), now(), now() + interval '7 days' from generate_series(1, ${datasetSize.accounts}) n`,
  `insert into subscriptions (account_id, plan, provider_status, status, synced_at)
   select ${account('n')}, 'free', 'active', 'active', now() from generate_series(1, ${datasetSize.accounts}) n`,
  `insert into api_keys (id, account_id, created_by, name, masked, scope, key_hash, search_text, created_at, expires_at, revoked_at)
   select ${key('n')}, case when n <= ${datasetSize.accounts} then ${account('n')} else ${account('1')} end, ${user('1')},
     'Key ' || n, 'plinth_test_aaaa', 'usage.create', sha256(convert_to('key ' || n, 'utf8')), 'key ' || lpad(n::text, 12, '0'),
     now(), case when n % 100 = 0 then now() + interval '90 days' end,
     case when n > ${datasetSize.accounts} and n % 10 = 0 then now() end
   from generate_series(1, ${datasetSize.accounts + datasetSize.big}) n`,
  `insert into usage_events (id, account_id, identifier, quantity, occurred_at, created_at, sent_at)
   select gen_random_uuid(), ${account('1 + n % 100000')}, 'report ' || n, 1, now(), now() - interval '1 day', now()
   from generate_series(1, ${datasetSize.accounts}) n`,
  `insert into usage_months (account_id, month, total)
   select ${account('n')}, to_char(now(), 'YYYY-MM'), 5 from generate_series(1, ${datasetSize.accounts}) n`,
  `insert into audit_log (id, account_id, user_id, action, target, created_at)
   select gen_random_uuid(), case when n % 2 = 0 then ${account('1')} else ${account('1 + n % 100000')} end, ${user('1 + n % 5')},
     case when n % 1000 = 0 then 'sso.enabled' else 'api_key.created' end, '', now() - n * interval '1 minute'
   from generate_series(1, ${datasetSize.accounts * 2}) n`,
]

/** Fills a test database. Skips foreign key checks, which would take too long. */
export async function insertLargeDataset(databaseUrl: string | null, roles: Roles) {
  const owner = new pg.Client(invariant(databaseUrl, 'a PostgreSQL of the tests'))
  await owner.connect()
  try {
    await owner.query('set session_replication_role = replica')
    // Row-level security does not allow the table owner to write.
    await owner.query(`set role ${roles.system}`)
    for (const statement of statements) await owner.query(statement)
    await owner.query('set role none')
    await owner.query('vacuum analyze')
  } finally {
    await owner.end()
  }
}
