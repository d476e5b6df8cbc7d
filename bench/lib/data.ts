import { hash } from '@node-rs/argon2'
import { onDatabase } from './postgres.ts'

export const password = 'a-good-password-1'
/** Members of the account whose list is read; the users 1 to 50. */
export const members = 50
export const addressOf = (n: number) => `person-${n}@bench.plinth.example`
/** Every user has one session, and its token says whose. */
export const tokenOf = (n: number) => `bench-session-token-${String(n).padStart(8, '0')}`

const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const uuid = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const tokenHash = `sha256(convert_to('bench-session-token-' || lpad(n::text, 8, '0'), 'UTF8'))`

/**
 * Fills a migrated database of ours: one account of 50, and `more` accounts of two.
 * @returns how many users there are
 */
export async function fillOurs(url: string, more: number): Promise<number> {
  const users = members + 2 * more
  const password_hash = await hash(password, argon)
  // Users 1 to 50 are in account 1, every two that follow in the next one.
  const accountOf = `case when n <= ${members} then 1 else (n - ${members} + 1) / 2 + 1 end`
  await onDatabase(url, async client => {
    await client.query(
      `insert into users (id, email, first_name, last_name, password_hash, verified_at, onboarded_at)
       select ${uuid('n')}, 'person-' || n || '@bench.plinth.example', 'Person', 'Number ' || n, $1, now(), now()
       from generate_series(1, ${users}) n`,
      [password_hash],
    )
    await client.query(`
      insert into accounts (id, name, plan) select ${uuid('n')}, 'Account ' || n, 'scale' from generate_series(1, ${more + 1}) n;
      insert into subscriptions (account_id, plan, provider_status, status, seats, synced_at)
        select id, 'scale', 'active', 'active', 2, now() from accounts;
      insert into memberships (account_id, user_id, role)
        select ${uuid(`(${accountOf})`)}, ${uuid('n')}, case when n = 1 or n > ${members} then 'owner' else 'admin' end
        from generate_series(1, ${users}) n;
      insert into sessions (id, sign_in_id, token_hash, user_id, account_id, method, created_at, authenticated_at, last_used_at, expires_at)
        select ${uuid('n')}, ${uuid('n')}, ${tokenHash}, ${uuid('n')}, ${uuid(`(${accountOf})`)}, 'password', now(), now(), now(), now() + interval '20 days'
        from generate_series(1, ${users}) n`)
    await client.query('vacuum analyze')
  })
  return users
}

/** Where the account with the long lists begins among the users. */
const longFrom = 8_000_000
export const ownerOfLong = longFrom + 1

/** Gives the account of 50 as many keys, and adds one account with `rows` members and keys. */
export async function fillLong(url: string, rows: number): Promise<void> {
  const key = (owner: number, count: number) =>
    `insert into api_keys (id, account_id, created_by, name, masked, scope, key_hash, search_text, created_at)
     select ${uuid(`${owner} + n`)}, ${uuid(String(owner))}, ${uuid(String(owner))}, 'Key ' || n, 'plinth_…' || n, 'usage.create',
       sha256(convert_to(${owner} || '-' || n, 'UTF8')), 'key ' || n, now() - n * interval '1 minute' from generate_series(1, ${count}) n`
  await onDatabase(url, async client => {
    await client.query(`
      insert into users (id, email, first_name, last_name, verified_at, onboarded_at)
        select ${uuid('n')}, 'person-' || n || '@bench.plinth.example', 'Person', 'Number ' || n, now(), now()
        from generate_series(${ownerOfLong}, ${longFrom + rows}) n;
      insert into accounts (id, name, plan) values (${uuid(String(ownerOfLong))}, 'Long', 'scale');
      insert into subscriptions (account_id, plan, provider_status, status, seats, synced_at)
        values (${uuid(String(ownerOfLong))}, 'scale', 'active', 'active', 2, now());
      insert into memberships (account_id, user_id, role)
        select ${uuid(String(ownerOfLong))}, ${uuid('n')}, case when n = ${ownerOfLong} then 'owner' else 'admin' end
        from generate_series(${ownerOfLong}, ${longFrom + rows}) n;
      insert into sessions (id, sign_in_id, token_hash, user_id, account_id, method, created_at, authenticated_at, last_used_at, expires_at)
        select ${uuid('n')}, ${uuid('n')}, ${tokenHash}, ${uuid('n')}, ${uuid('n')}, 'password', now(), now(), now(), now() + interval '20 days'
        from generate_series(${ownerOfLong}, ${ownerOfLong}) n;
      ${key(1, members)};
      ${key(ownerOfLong, rows)}`)
    await client.query('vacuum analyze')
  })
}

/** Kinds of registered addresses: verified, not verified, and of a user without a password. */
export const kinds = ['proven', 'claimed', 'passwordless'] as const
export type Kind = (typeof kinds)[number]
export const knownAddress = (kind: Kind, n: number) => `${kind}-${n}@bench.plinth.example`

/** Adds `each` people of each kind, every one in an account of their own. */
export async function fillKnown(url: string, each: number): Promise<void> {
  const password_hash = await hash(password, argon)
  await onDatabase(url, async client => {
    for (const [index, kind] of kinds.entries()) {
      const id = uuid(`${9_000_000 + index * each} + n`)
      await client.query(
        `insert into users (id, email, first_name, last_name, password_hash, verified_at, onboarded_at)
         select ${id}, $2 || '-' || n || '@bench.plinth.example', 'Person', 'Number ' || n,
           case when $2 <> 'passwordless' then $1 end, case when $2 <> 'claimed' then now() end, now()
         from generate_series(1, ${each}) n`,
        [password_hash, kind],
      )
      await client.query(`
        insert into accounts (id, name) select ${id}, 'Account ' || n from generate_series(1, ${each}) n;
        insert into memberships (account_id, user_id, role) select ${id}, ${id}, 'owner' from generate_series(1, ${each}) n`)
    }
    await client.query('vacuum analyze')
  })
}

/** The floor's two tables, with as many columns as the answers need. */
export async function fillFloor(url: string): Promise<void> {
  const password_hash = await hash(password, argon)
  await onDatabase(url, async client => {
    await client.query(`
      create table people (
        id uuid primary key, account_id uuid not null, email text not null unique, name text not null,
        role text not null, password_hash text not null, created_at timestamptz not null default now()
      );
      create index on people (account_id);
      create table sessions (
        token_hash bytea primary key, id uuid not null, account_id uuid not null, name text not null,
        verified boolean not null default true, plan text not null default 'scale', onboarded boolean not null default true,
        subscription text not null default 'active', permission text not null default 'admin',
        dark_mode boolean not null default false, avatar text, locale text not null default 'en'
      )`)
    await client.query(
      `insert into people (id, account_id, email, name, role, password_hash)
       select ${uuid('n')}, ${uuid('1')}, 'person-' || n || '@bench.plinth.example', 'Person Number ' || n, 'admin', $1
       from generate_series(1, ${members}) n`,
      [password_hash],
    )
    await client.query(`
      insert into sessions (token_hash, id, account_id, name)
      select ${tokenHash}, ${uuid('n')}, ${uuid('1')}, 'Person Number ' || n from generate_series(1, ${members}) n`)
    await client.query('vacuum analyze')
  })
}
