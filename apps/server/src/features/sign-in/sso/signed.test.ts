import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ssoHelpers } from '../../../../test/sign-in/sso.ts'

// A name of its own: the sandbox's providers expect signed requests from it.
const made = await makeTestApp({ PUBLIC_URL: 'http://localhost:5351' })
const { app } = made
const sso = ssoHelpers(made)

test('requests are signed where the provider wants that', async () => {
  const company = await sso.newCompany()
  await sso.proveDomain(company)
  const xml = await (await fetch(`${sso.sandbox}/identity/saml/${company.name}/metadata`)).text()
  const wanting = xml.replace(/WantAuthnRequestsSigned="\w+"|(?<=<md:IDPSSODescriptor )/, m =>
    m ? 'WantAuthnRequestsSigned="true"' : 'WantAuthnRequestsSigned="true" ',
  )
  const setup = await sso.api('PUT', '/api/sso/connection', company, { metadata_xml: wanting })
  expect(setup.connection?.signs_requests).toBe(true)
  const { pathname, search } = new URL(setup.service.metadata_url)
  const own = (await app.inject(pathname + search)).body
  expect(own).toContain('AuthnRequestsSigned="true"')
  const certificate = /<ds:X509Certificate>([^<]+)/.exec(own)?.[1]
  await sso.postToSandbox(`/identity/saml/${company.name}/sp`, {
    entity_id: setup.service.entity_id,
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
    want_signed: true,
  })
  expect((await sso.test(company)).connection?.test).toMatchObject({ code: null })
  await sso.api('PATCH', '/api/sso/connection', company, { enabled: true })
  expect((await sso.signIn(company, { email: sso.address(company) })).status).toBe(200)
})
