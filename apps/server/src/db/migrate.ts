import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'

const folder = new URL('./migrations/', import.meta.url)
/** Any number will do as long as nobody else uses it: one runner at a time in a whole cluster of servers. */
const advisoryLock = 7_209_113

const roles = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'plinth_app') then create role plinth_app nologin noinherit; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'plinth_system') then create role plinth_system nologin noinherit; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$
declare
  -- Since 16 the creator of a role is its member at once, but without the right to SET ROLE.
  privilege text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
begin
  if not pg_has_role(current_user, 'plinth_app', privilege) then execute format('grant plinth_app to %I', current_user); end if;
  if not pg_has_role(current_user, 'plinth_system', privilege) then execute format('grant plinth_system to %I', current_user); end if;
exception when unique_violation then null; end $$;
create table if not exists migrations (name text primary key, applied_at timestamptz not null default now());
create schema if not exists pgboss;
grant usage, create on schema pgboss to plinth_system;
grant usage on schema pgboss to plinth_app;`

/**
 * Brings the database to the newest schema, forward only, each file in its own transaction.
 * @param client a connection as the database's owner, not as one of the application's roles
 * @returns names of the migrations applied now
 */
export async function migrate(client: Client): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [advisoryLock])
  try {
    await client.query(roles)
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map(row => row.name))
    const due = (await readdir(folder)).filter(name => name.endsWith('.sql') && !done.has(name)).sort()
    for (const name of due) {
      await client.query(`begin;\n${await readFile(new URL(name, folder), 'utf8')}`)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    }
    return due
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLock])
  }
}
