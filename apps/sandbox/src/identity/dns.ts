import type { Control, Reply } from '../control/reply.ts'
import { ApiError, invalid } from '../http/api-error.ts'
import type { DnsRecord } from '../kinds.ts'
import type { World } from '../world.ts'
import { seeOther } from './page.ts'

const nameOf = (value: unknown): string => {
  const name = typeof value === 'string' ? value.trim().toLowerCase().replace(/\.$/, '') : ''
  if (name.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(name)) return name
  throw invalid('name must be a host name', 'name')
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(String)

export const dnsRecords = (world: World) => world.store.all('dns_record')

function keep({ world, body, headers }: Control): Reply {
  const name = nameOf(body.name)
  const { fault = null } = body
  if (fault !== null && fault !== 'servfail') throw invalid('fault must be servfail or null', 'fault')
  const record: DnsRecord = { object: 'dns_record', id: name, created: 0, txt: textsOf(body.txt), fault }
  if (record.txt.length === 0 && fault === null) world.store.remove('dns_record', name)
  else world.store.save(record)
  world.store.flush()
  const fromPage = headers['content-type']?.includes('form')
  return fromPage ? seeOther('/identity') : { status: 200, body: { name, txt: record.txt, fault } }
}

function look({ world, url }: Control): Reply {
  const name = nameOf(url.searchParams.get('name'))
  const record = world.store.get('dns_record', name)
  if (record?.fault)
    throw new ApiError(503, { type: 'api_error', message: 'The name server does not answer (planted).' })
  return { status: 200, body: { name, txt: record?.txt ?? [] } }
}

/** A name server for TXT records, spoken to in JSON: where the product looks for the proof of a domain. */
export function dnsRoutes(control: Control): Reply | undefined {
  if (control.url.pathname !== '/identity/dns') return undefined
  if (control.method === 'POST') return keep(control)
  return control.method === 'GET' ? look(control) : undefined
}
