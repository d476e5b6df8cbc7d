import type { SandboxContext } from '../context.ts'
import type { ControlCall, ControlReply } from '../control/reply.ts'
import { ApiError, invalid } from '../http/api-error.ts'
import type { DnsRecord } from '../objects/stored-objects.ts'
import { seeOther } from './sign-in-page.ts'

const nameOf = (value: unknown): string => {
  const name = typeof value === 'string' ? value.trim().toLowerCase().replace(/\.$/, '') : ''
  if (name.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(name)) return name
  throw invalid('name must be a host name', 'name')
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).map(String)

export const dnsRecords = (context: SandboxContext) => context.store.all('dns_record')

function saveRecord({ context, body, headers }: ControlCall): ControlReply {
  const name = nameOf(body.name)
  const { fault = null } = body
  if (fault !== null && fault !== 'servfail') throw invalid('fault must be servfail or null', 'fault')
  const record: DnsRecord = { object: 'dns_record', id: name, created: 0, txt: textsOf(body.txt), fault }
  if (record.txt.length === 0 && fault === null) context.store.remove('dns_record', name)
  else context.store.save(record)
  context.store.flush()
  const fromPage = headers['content-type']?.includes('form')
  return fromPage ? seeOther('/identity') : { status: 200, body: { name, txt: record.txt, fault } }
}

function lookUpRecord({ context, url }: ControlCall): ControlReply {
  const name = nameOf(url.searchParams.get('name'))
  const record = context.store.get('dns_record', name)
  if (record?.fault)
    throw new ApiError(503, {
      type: 'api_error',
      message: 'The name server does not answer (sandbox fault).',
    })
  return { status: 200, body: { name, txt: record?.txt ?? [] } }
}

/** A name server for TXT records with a JSON API. The product verifies domains with it. */
export function dnsRoutes(control: ControlCall): ControlReply | undefined {
  if (control.url.pathname !== '/identity/dns') return undefined
  if (control.method === 'POST') return saveRecord(control)
  return control.method === 'GET' ? lookUpRecord(control) : undefined
}
