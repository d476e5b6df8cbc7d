import { expect, test } from 'vitest'
import { sandboxForFile } from './support/sandbox.ts'

const sandbox = await sandboxForFile()

const look = (name: string) => fetch(`${sandbox.origin}/identity/dns?name=${name}`)

test('the name server returns the records that were set, in any case of the name', async () => {
  const set = (body: object) => sandbox.post('/identity/dns', body)
  expect(await (await look('_plinth.northquay.example')).json()).toEqual({
    name: '_plinth.northquay.example',
    txt: [],
  })
  await set({ name: '_Plinth.NorthQuay.example.', txt: ['v=1', 'plinth-verification=abc'] })
  expect(await (await look('_plinth.northquay.EXAMPLE')).json()).toEqual({
    name: '_plinth.northquay.example',
    txt: ['v=1', 'plinth-verification=abc'],
  })
  await set({ name: '_plinth.northquay.example', fault: 'servfail' })
  expect((await look('_plinth.northquay.example')).status).toBe(503)
  await set({ name: '_plinth.northquay.example', txt: [] })
  expect(await (await look('_plinth.northquay.example')).json()).toMatchObject({ txt: [] })
  expect((await set({ name: 'a b', txt: 'x' })).status).toBe(400)
  expect((await set({ name: 'a.example', fault: 'sulk' })).status).toBe(400)
})

test('the page lists the configuration and sets records without scripts', async () => {
  const sent = await fetch(`${sandbox.origin}/identity/dns`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: sandbox.origin },
    body: new URLSearchParams({ name: 'page.example', txt: '<b>proof</b>' }),
  })
  expect(sent.status).toBe(303)
  const page = await fetch(sandbox.origin + sent.headers.get('location'))
  const html = await page.text()
  for (const value of ['sandbox-google-secret', `${sandbox.origin}/identity/saml/metadata`, 'page.example'])
    expect(html).toContain(value)
  expect(html).toContain('&lt;b&gt;proof&lt;/b&gt;')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  for (const path of ['/', '/sandbox', '/sandbox/requests'])
    expect(await (await fetch(sandbox.origin + path)).text()).toContain('href="/identity"')
})

test('a reset deletes records', async () => {
  await sandbox.post('/identity/dns', { name: 'gone.example', txt: 'x' })
  await sandbox.post('/sandbox/reset')
  expect(await (await look('gone.example')).json()).toMatchObject({ txt: [] })
})

test('unknown paths are 404', async () => {
  for (const path of [
    '/identity/oidc/aol/authorize',
    '/identity/saml',
    '/identity/github/nope',
    '/identityx',
  ])
    expect((await fetch(sandbox.origin + path)).status).toBe(404)
})
