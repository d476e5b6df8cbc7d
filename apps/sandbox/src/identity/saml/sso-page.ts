import type { ControlCall, ControlReply } from '../../control/reply.ts'
import { invalid } from '../../http/api-error.ts'
import { isRecord } from '../../is-record.ts'
import { escapeHtml } from '../../pages/assets.ts'
import type { Identity } from '../identity.ts'
import { chosenPerson } from '../people.ts'
import { choicePage, identityPage } from '../sign-in-page.ts'
import { type Built, buildResponse, type ResponseInput } from './build-response.ts'
import type { Idp } from './idp.ts'
import { type AuthnRequest, readRequest } from './read-request.ts'
import { choice, type Options, text } from './response-options.ts'
import type { Signing } from './sign-xml.ts'

/** Key and algorithm of the signature: the provider's key, another provider's (`saml/<name>`), or an unknown key. */
async function signingOf(identity: Identity, idp: Idp, options: Options): Promise<Signing> {
  const name = text(options, 'key', 'own')
  if (name === null || !/^(own|foreign|saml(\/[a-z0-9-]+)?)$/.test(name))
    throw invalid('key must be own, foreign, saml or saml/<name>', 'key')
  const key = await identity.key(name === 'own' ? idp.at : name)
  const beside = choice(options, 'key_info', ['key', 'own', 'foreign'])
  const keyInfo = { key, own: await identity.key(idp.at), foreign: await identity.key('foreign') }
  return {
    key,
    algorithm: choice(options, 'signature_algorithm', ['rsa-sha256', 'rsa-sha1']),
    keyInfo: keyInfo[beside],
  }
}

export const buildSignedResponse = async (
  identity: Identity,
  idp: Idp,
  answer: ResponseInput,
  options: Options,
): Promise<Built> => buildResponse(answer, options, await signingOf(identity, idp, options))

const deniedResponse: Options = {
  assertion: null,
  sign: 'response',
  response: {
    status: 'Responder',
    second_status: 'AuthnFailed',
    status_message: 'The person denied the sign-in.',
  },
}

/** A form that posts to the product: by script, or by its button without scripts. */
function postBackForm({ acs_url, relay_state }: AuthnRequest, response: string): ControlReply {
  const hidden = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  return identityPage(
    'One moment',
    `<body class="endpoint"><main class="door__card">
  <h1>One moment</h1>
  <p class="door__to">You go on to <strong>${escapeHtml(new URL(acs_url).host)}</strong>.</p>
  <form method="post" action="${escapeHtml(acs_url)}">
    ${hidden('SAMLResponse', response)}
    ${relay_state === null ? '' : hidden('RelayState', relay_state)}
    <button class="btn btn--primary door__cancel" type="submit">Continue</button>
  </form>
</main></body>`,
    { head: '\n  <script type="module" src="/sandbox/files/identity-post.js"></script>' },
  )
}

function personPage(idp: Idp, request: AuthnRequest, url: URL): ControlReply {
  return choicePage({
    provider: idp.title,
    to: new URL(request.acs_url).host,
    action: url.pathname + url.search,
    fields: [
      { name: 'email', label: 'Email', type: 'email', required: true },
      { name: 'first_name', label: 'First name' },
      { name: 'last_name', label: 'Last name' },
      { name: 'name_id', label: 'NameID', hint: 'Left empty, it is the address.' },
    ],
    verifiable: false,
  })
}

/** GET shows the page; POST to the same address submits the choice, from the page or a test. */
export async function singleSignOn(idp: Idp, control: ControlCall): Promise<ControlReply> {
  const { context, identity, method, url, body, headers } = control
  const machine = headers.accept?.includes('application/json') === true
  const request = readRequest(context, idp, url)
  if (method === 'GET') return personPage(idp, request, url)
  const denied = body.action === 'deny'
  const person = chosenPerson(denied ? { person: 'mara' } : body)
  const given = text(body, 'name_id', '')
  const answer: ResponseInput = {
    issuer: idp.entity_id,
    acs_url: request.acs_url,
    audience: request.issuer,
    in_response_to: request.id,
    person,
    format: request.format,
  }
  const named: Options = given ? { assertion: { name_id: { value: given } } } : {}
  const wished = isRecord(body.options) ? body.options : named
  const { xml, ...ids } = await buildSignedResponse(identity, idp, answer, denied ? deniedResponse : wished)
  const saml_response = Buffer.from(xml).toString('base64')
  if (!machine) return postBackForm(request, saml_response)
  const { acs_url, relay_state } = request
  return { status: 200, body: { acs_url, saml_response, relay_state, xml, ...ids } }
}
