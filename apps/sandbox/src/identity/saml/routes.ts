import type { Control, Reply } from '../../control/reply.ts'
import { invalid } from '../../http/api-error.ts'
import type { ServiceProvider } from '../../kinds.ts'
import { chosenPerson } from '../people.ts'
import { isLoopback } from '../providers.ts'
import { formats, type Idp, idpOf } from './idp.ts'
import { metadataXml } from './metadata.ts'
import { group, type Options, text, texts } from './options.ts'
import { readRequest } from './request.ts'
import type { Answer } from './response.ts'
import { signElement } from './sign.ts'
import { build, signingOf, singleSignOn } from './sso.ts'

async function metadata(idp: Idp, { identity }: Control): Promise<Reply> {
  if (identity.faults.ofCall(idp.at, 'metadata_500'))
    return { status: 500, body: 'broken (planted)', type: 'text/plain' }
  return {
    status: 200,
    body: metadataXml(idp, await identity.key(idp.at)),
    type: 'application/samlmetadata+xml',
  }
}

const wanted = (body: Options, name: string): string => {
  const value = text(body, name, null)
  if (value) return value
  throw invalid(`${name} is required`, name)
}

/** What a response made to order answers: the request behind an SSO address, or the fields that are given. */
function orderedAnswer(idp: Idp, { world, body }: Control): { answer: Answer; relay_state: string | null } {
  const sso = text(body, 'sso_url', null)
  const request = sso === null ? undefined : readRequest(world, idp, new URL(sso, world.origin))
  const acs_url = text(body, 'acs_url', request?.acs_url ?? null)
  if (!isLoopback(acs_url)) throw invalid('Give sso_url, or acs_url on this machine', 'acs_url')
  const person = body.person
  return {
    relay_state: request?.relay_state ?? null,
    answer: {
      issuer: idp.entity_id,
      acs_url,
      audience: request ? (text(body, 'audience', request.issuer) ?? '') : wanted(body, 'audience'),
      in_response_to: text(body, 'in_response_to', request?.id ?? null),
      person: chosenPerson(typeof person === 'object' && person !== null ? { ...person } : { person }),
      format: text(body, 'name_id_format', request?.format ?? formats.email) ?? formats.email,
    },
  }
}

/** A response to order, for tests: what `options` does not change is right, and everything is signed after it. */
async function signToOrder(idp: Idp, control: Control): Promise<Reply> {
  const { answer, relay_state } = orderedAnswer(idp, control)
  const built = await build(control.identity, idp, answer, group(control.body, 'options') ?? {})
  const saml_response = Buffer.from(built.xml).toString('base64')
  return { status: 200, body: { acs_url: answer.acs_url, saml_response, relay_state, ...built } }
}

/** Signs whatever XML a test has put together, element by element. */
async function signXml(idp: Idp, { identity, body }: Control): Promise<Reply> {
  const signing = await signingOf(identity, idp, group(body, 'options') ?? {})
  const signed = texts(body, 'ids', []).reduce(
    (xml, id) => signElement(xml, id, signing),
    wanted(body, 'xml'),
  )
  const xml = (text(body, 'prefix', '') ?? '') + signed + (text(body, 'suffix', '') ?? '')
  return { status: 200, body: { xml, saml_response: Buffer.from(xml).toString('base64') } }
}

function register({ world, body }: Control): Reply {
  const kept: ServiceProvider = {
    object: 'service_provider',
    id: wanted(body, 'entity_id'),
    created: 0,
    acs_url: text(body, 'acs_url', null),
    certificate: text(body, 'certificate', null),
    want_signed: body.want_signed === true,
  }
  world.store.save(kept)
  world.store.flush()
  const { id, acs_url, certificate, want_signed } = kept
  return { status: 200, body: { entity_id: id, acs_url, certificate, want_signed } }
}

/** /identity/saml/metadata and so on; /identity/saml/<name>/… is another company's provider. */
export async function samlRoutes(control: Control): Promise<Reply | undefined> {
  const path = /^\/identity\/saml(?:\/([a-z0-9-]+))?\/([a-z-]+)$/.exec(control.url.pathname)
  if (!path) return undefined
  const idp = idpOf(control.world, path[1])
  switch (`${control.method} ${path[2]}`) {
    case 'GET metadata':
      return metadata(idp, control)
    case 'GET sso':
    case 'POST sso':
      return singleSignOn(idp, control)
    case 'POST sign':
      return signToOrder(idp, control)
    case 'POST sign-xml':
      return signXml(idp, control)
    case 'POST sp':
      return register(control)
    default:
      return undefined
  }
}
