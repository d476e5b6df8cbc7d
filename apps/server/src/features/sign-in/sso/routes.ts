import { isUtf8 } from 'node:buffer'
import { contract } from '@plinth/contract'
import { isUtf8Escaped } from '../../../endpoint/content-type.ts'
import { contextOf, mount, type Server } from '../../../endpoint/mount.ts'
import { navigation, redirectOrShowError } from '../../../endpoint/navigation.ts'
import { serviceMetadata } from '../../../integrations/saml/saml.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { changeSsoSettings } from './change-settings.ts'
import { connectProvider, disconnectProvider } from './connection.ts'
import { addDomain, checkDomain, removeDomain } from './domains.ts'
import { serviceOf } from './service-provider.ts'
import { readSsoSettings, startTest } from './setup.ts'
import { handleResponse } from './sign-in/callback.ts'
import { completeSsoSignIn } from './sign-in/complete.ts'
import { keyCertificateOf, startSsoSignIn } from './sign-in/start.ts'

export function ssoRoutes(server: Server) {
  mount(server, contract.sso, {
    read: ctx => readSsoSettings(ctx),
    addDomain: (ctx, { body }) => addDomain(ctx, body),
    checkDomain: (ctx, { params, body }) => checkDomain(ctx, params.id, body),
    removeDomain: (ctx, { params, body }) => removeDomain(ctx, params.id, body),
    connect: (ctx, { body }) => connectProvider(ctx, body),
    change: (ctx, { body }) => changeSsoSettings(ctx, body),
    disconnect: (ctx, { body }) => disconnectProvider(ctx, body),
    test: ctx => startTest(ctx),
    finish: (ctx, { body }) => completeSsoSignIn(ctx, body),
  })
  navigation(server, { path: '/auth/saml', limit: 'sso:network' }, (ctx, { query, fromElsewhere }) =>
    startSsoSignIn(ctx, query, { fromElsewhere }),
  )
  metadata(server)
  callback(server)
}

/**
 * Our metadata for providers. With `?connection=` it includes the key that signs the requests of that connection.
 */
function metadata(server: Server) {
  server.app.get('/auth/saml/metadata', async (request, reply) => {
    const ctx = contextOf(server, request, reply, {})
    await ctx.consume('sso:network', ctx.request.network)
    const asked = new URL(request.url, server.services.config.publicUrl).searchParams.get('connection')
    const certificate = await keyCertificateOf(ctx, asked)
    reply.header('cache-control', 'no-store').type('application/samlmetadata+xml; charset=utf-8')
    return serviceMetadata({ ...serviceOf(server.services.config), ...(certificate ? { certificate } : {}) })
  })
}

/**
 * The callback, which a page of the provider posts as a form. No other call accepts forms, and this one accepts
 * nothing else.
 */
function callback(server: Server) {
  server.app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 400 * 1024 },
      (_request, body: Buffer, done) => {
        const text = body.toString()
        if (!isUtf8(body) || !isUtf8Escaped(text)) done(new Refusal('malformed_body'))
        else done(null, new URLSearchParams(text))
      },
    )
    scope.post('/auth/saml/acs', { config: { anyBody: true } }, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      reply.header('cache-control', 'no-store')
      return redirectOrShowError(server, request, reply, async () => {
        const ctx = contextOf(server, request, reply, {})
        await ctx.consume('sso:network', ctx.request.network)
        return handleResponse(ctx, {
          SAMLResponse: singleValue(form, 'SAMLResponse'),
          RelayState: singleValue(form, 'RelayState'),
        })
      })
    })
  })
}

/** A repeated field counts as missing: two parsers could read different values. */
function singleValue(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name)
  return more.length > 0 ? '' : value
}
