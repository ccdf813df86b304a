import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { registerAgent, registerEndpoint } from '../builders/participants.ts'
import { signAsAgent } from '../builders/signAsAgent.ts'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

const URL = 'https://orders.acme.io/api'

describe('keys and requirements in a browser', () => {
  const key = createAgentKey()
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let agentId: string
  let bearer: string
  let apiKey: string
  let svceId: string

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
    const { baseUrl } = scene.service
    agentId = (await registerAgent(baseUrl, { name: 'Courier' }, { account: scene.wallet })).svcId
    const signedIn = page.waitForResponse((one) => one.url().endsWith('/api/auth/siwe'))
    await scene.signIn('/agents')
    bearer = (await (await signedIn).json()).data.accessToken
    const create = async (path: string, body: object) =>
      (await api(baseUrl, 'POST', path, { bearer, body })).body
    const { organizationId } = await create('/api/organizations', { name: 'Acme' })
    apiKey = (await create('/api/api-keys', { name: 'gateway', organizationId })).key
    svceId = await registerEndpoint(baseUrl, apiKey, { name: 'Orders', counterpartyUrl: URL })
    await scene.heading('Agents').waitFor()
    await scene.addPasskey()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const read = async (path: string) => (await api(scene.service.baseUrl, 'GET', path, { bearer })).body
  const verify = (callerMetadata?: object) =>
    api(scene.service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: apiKey,
      body: { agentId, counterpartyId: svceId, ...(callerMetadata ? { callerMetadata } : {}) },
    })
  const keys = () => scene.section('Keys')
  const requirements = () => scene.section('What requests must prove')
  const card = (name: string) => requirements().getByRole('radio', { name })

  it('reports a faulty or private key at its field, before anything is sent', async () => {
    await scene.go(`/agents/${agentId}?tab=keys`, 'Courier')
    await keys().getByText('No keys').waitFor()
    await scene.button('Add key').click()
    const field = keys().getByLabel('Public key (JWK)')
    for (const [text, error] of [
      ['-----BEGIN PUBLIC KEY-----', 'This is not JSON.'],
      [JSON.stringify(key.privateJwk), 'This is a private key. Leave out its member d'],
      [JSON.stringify({ ...key.jwk, x: 'short' }), 'x: expected 32 bytes in base64url'],
      [JSON.stringify({ kty: 'RSA' }), 'kty: expected "OKP" with Ed25519, or "EC" with P-256'],
    ] as const) {
      await field.fill(text)
      await keys().getByText(error).waitFor()
      expect(await scene.button('Add key with passkey').isDisabled()).to.equal(true)
    }
    await scene.checkPage('faulty key')
  })

  it('shows the thumbprint of a key, and adds it with the passkey', async () => {
    await keys().getByLabel('Public key (JWK)').fill(JSON.stringify(key.jwk))
    await keys().getByText(`Thumbprint ${key.kid}`).waitFor()
    await keys().getByLabel('Name').fill('Server in Berlin')
    await scene.button('Add key with passkey').click()
    await scene.button('Revoke Server in Berlin').waitFor()
    await keys().getByText(key.kid, { exact: true }).waitFor()
    const { items } = await read(`/api/agents/${agentId}/keys`)
    expect(items[0]).to.include({ kid: key.kid, name: 'Server in Berlin', status: 'active' })
    await scene.openTab('Settings')
    await card('Default: signed request').waitFor()
  })

  it('shows in the activity what each request proved', async () => {
    await verify()
    const created = Math.floor(Date.now() / 1000)
    expect(
      (await verify(signAsAgent(key, { svcId: agentId, url: URL, created }))).body.recommendation,
    ).to.equal('grant')
    await scene.go('/activity', 'Activity')
    await page.getByRole('link', { name: /Only named/ }).waitFor()
    await page.getByRole('link', { name: /Signed request/ }).click()
    await scene.section('Details').getByText('Proof of identity').waitFor()
    await scene.section('Details').getByText('Signed request').waitFor()
  })

  it('changes what requests of the agent must prove and state, with the passkey', async () => {
    await scene.go(`/agents/${agentId}?tab=settings`, 'Courier')
    await card('Agent token').click()
    await requirements().getByLabel('Purpose or action').check()
    await scene.checkPage('agent with keys')
    await scene.button('Save requirements').click()
    await card('Default')
      .and(page.getByRole('radio', { checked: false }))
      .waitFor()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    const { minIdentityProof, requiredFacts } = await read(`/api/agents/${agentId}/settings`)
    expect({ minIdentityProof, requiredFacts }).to.deep.equal({
      minIdentityProof: 'token',
      requiredFacts: ['purpose'],
    })
    await scene.button('Undo').waitFor()
  })

  it('shows at a sub-agent what the agents above it require', async () => {
    const pdlss = { selfInstantiation: { allowed: true } }
    const { baseUrl } = scene.service
    const account = { account: scene.wallet }
    const parent = await registerAgent(baseUrl, { name: 'Fleet', pdlss }, account)
    const { svcId } = await registerAgent(baseUrl, { name: 'Van', parentAgentId: parent.svcId }, account)
    const stated = `UPDATE agents SET min_identity_proof = 'token', required_facts = '["purpose"]' WHERE svc_id = ?`
    await scene.service.rows(stated, parent.svcId)
    await scene.go(`/agents/${svcId}?tab=settings`, 'Van')
    await requirements()
      .getByText(/The agents above this one require .*: agent token, purpose or action\./)
      .waitFor()
    await card('Default: agent token').waitFor()
    await scene.checkPage('inherited requirements')
    await scene.go(`/agents/${agentId}?tab=settings`, 'Courier')
    await card('Agent token').waitFor()
    expect(
      await requirements()
        .getByText(/The agents above/)
        .count(),
    ).to.equal(0)
  })

  it('lists the agent in the directory, with the passkey, and takes it back', async () => {
    const find = async () => (await read('/api/directory')).items.map(({ svcId }: { svcId: string }) => svcId)
    const directory = scene.section('Directory')
    await directory.getByText('The agent is not listed').waitFor()
    expect(await find()).to.deep.equal([])
    await scene.button('List in the directory').click()
    await directory.getByText('The agent is listed while it is active.').waitFor()
    expect(await find()).to.deep.equal([agentId])
    await scene.checkPage('listed agent')
    await scene.button('Undo').click()
    await directory.getByText('The agent is not listed').waitFor()
    expect(await find()).to.deep.equal([])
  })

  it('revokes a key after confirmation, with the passkey', async () => {
    await scene.openTab('Keys')
    await scene.button('Revoke Server in Berlin').click()
    await page.getByText('This cannot be undone, and the key cannot be added again.').waitFor()
    await scene.checkPage('revocation')
    await scene.button('Cancel').click()
    expect((await read(`/api/agents/${agentId}/keys`)).items[0].status).to.equal('active')
    await scene.button('Revoke Server in Berlin').click()
    await scene.button('Revoke with passkey').click()
    await keys().getByText('Revoked', { exact: true }).waitFor()
    expect((await read(`/api/agents/${agentId}/keys`)).items[0].status).to.equal('revoked')
  })

  it('changes what requests to an endpoint must prove and state, and the hosts that agents sign for', async () => {
    await scene.go(`/endpoints/${svceId}?tab=policy`, 'Orders')
    await card('Signed request').click()
    await requirements().getByLabel('Resource').check()
    await requirements().getByLabel('Further hosts').fill('Gateway.acme.io:8443')
    await page.keyboard.press('Enter')
    await requirements().getByLabel('Further hosts').fill('https://x')
    await page.keyboard.press('Enter')
    await requirements().getByText('expected a host in lower case').waitFor()
    expect(await scene.button('Save requirements').isDisabled()).to.equal(true)
    await page.keyboard.press('Backspace')
    await requirements().getByText('expected a host in lower case').waitFor({ state: 'detached' })
    await scene.checkPage('endpoint requirements')
    await scene.button('Save requirements').click()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    const { endpoint } = await read(`/api/endpoints/${svceId}`)
    expect(endpoint).to.deep.include({
      minIdentityProof: 'signature',
      requiredFacts: ['resource'],
      authorities: ['gateway.acme.io:8443'],
    })
  })

  it('shows the owner the thumbprints of the keys that a requested agent will sign with', async () => {
    const { user } = await read('/api/me')
    await scene.service.rows('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', user.id)
    const keys = [createAgentKey(), createAgentKey('P-256')]
    const body = { name: 'Asks', keys: keys.map(({ jwk }) => jwk) }
    await api(scene.service.baseUrl, 'POST', '/api/agents/register', { bearer: apiKey, body })
    const { items } = await read('/api/registration-requests')
    await scene.go(`/registration-requests/${items[0].requestId}`, 'Register Asks?')
    for (const { kid } of keys) await scene.section('Request').getByText(kid, { exact: true }).waitFor()
    await scene.checkPage('requested keys')
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', () => {
    expect(scene.problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
