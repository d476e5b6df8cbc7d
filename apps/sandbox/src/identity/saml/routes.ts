import type { ControlCall, ControlReply } from '../../control/reply.ts'
import { invalid } from '../../http/api-error.ts'
import type { ServiceProvider } from '../../objects/stored-objects.ts'
import { chosenPerson } from '../people.ts'
import { isLoopback } from '../providers.ts'
import type { ResponseInput } from './build-response.ts'
import { formats, type Idp, idpOf } from './idp.ts'
import { metadataXml } from './metadata.ts'
import { readRequest } from './read-request.ts'
import { group, type Options, text } from './response-options.ts'
import { buildSignedResponse, singleSignOn } from './sso-page.ts'

const metadata = async (idp: Idp, { identity }: ControlCall): Promise<ControlReply> => ({
  status: 200,
  body: metadataXml(idp, await identity.key(idp.at)),
  type: 'application/samlmetadata+xml',
})

const requestedResponse = (body: Options, name: string): string => {
  const value = text(body, name, null)
  if (value) return value
  throw invalid(`${name} is required`, name)
}

/** Input of a custom response: the request in an SSO address, or the given fields. */
function customResponse(
  idp: Idp,
  { context, body }: ControlCall,
): { answer: ResponseInput; relay_state: string | null } {
  const sso = text(body, 'sso_url', null)
  const request = sso === null ? undefined : readRequest(context, idp, new URL(sso, context.origin))
  const acs_url = request ? request.acs_url : text(body, 'acs_url', null)
  if (!isLoopback(acs_url)) throw invalid('Send sso_url, or acs_url on this machine', 'acs_url')
  return {
    relay_state: request?.relay_state ?? null,
    answer: {
      issuer: idp.entity_id,
      acs_url,
      audience: request ? request.issuer : requestedResponse(body, 'audience'),
      in_response_to: request?.id ?? null,
      person: chosenPerson(group(body, 'person')),
      format: request?.format ?? formats.email,
    },
  }
}

/** Signs a custom response for tests. Everything that `options` does not change is correct. */
async function signCustomResponse(idp: Idp, control: ControlCall): Promise<ControlReply> {
  const { answer, relay_state } = customResponse(idp, control)
  const built = await buildSignedResponse(control.identity, idp, answer, group(control.body, 'options'))
  const saml_response = Buffer.from(built.xml).toString('base64')
  return { status: 200, body: { acs_url: answer.acs_url, saml_response, relay_state, ...built } }
}

function register({ context, body }: ControlCall): ControlReply {
  const kept: ServiceProvider = {
    object: 'service_provider',
    id: requestedResponse(body, 'entity_id'),
    created: 0,
    certificate: text(body, 'certificate', null),
    want_signed: body.want_signed === true,
  }
  context.store.save(kept)
  context.store.flush()
  const { id, certificate, want_signed } = kept
  return { status: 200, body: { entity_id: id, certificate, want_signed } }
}

/** /identity/saml/… and, for other companies' providers, /identity/saml/<name>/…. */
export async function samlRoutes(control: ControlCall): Promise<ControlReply | undefined> {
  const path = /^\/identity\/saml(?:\/([a-z0-9-]+))?\/([a-z-]+)$/.exec(control.url.pathname)
  if (!path) return undefined
  const idp = idpOf(control.context, path[1])
  switch (`${control.method} ${path[2]}`) {
    case 'GET metadata':
      return metadata(idp, control)
    case 'GET sso':
    case 'POST sso':
      return singleSignOn(idp, control)
    case 'POST sign':
      return signCustomResponse(idp, control)
    case 'POST sp':
      return register(control)
    default:
      return undefined
  }
}
