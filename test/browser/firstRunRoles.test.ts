import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { signAsAgent } from '../builders/signAsAgent.ts'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('the first steps of an account, by its role', function () {
  this.timeout(120_000)
  let browser: Browser
  let scene: DashboardScene

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    await scene.signIn('/')
    await scene.heading('Overview').waitFor()
  })
  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const choose = (name: RegExp) => scene.page.getByRole('button', { name }).click()
  const done = (number: number) => scene.page.getByRole('img', { name: `Step ${number}: Done` })

  it('ask what brings it here, and ask again when it wants to change its answer', async () => {
    const { page, section, button, checkPage } = scene
    await choose(/^I review for this service/)
    await page.getByText('Only operators review').waitFor()
    await checkPage('review')
    await button('Change role').click()
    await choose(/^I run an agent/)
    await section('Run an agent').waitFor()
    await page.reload()
    await section('Run an agent').waitFor()
  })

  it('turn green by themselves as an agent is registered and a request proves it', async () => {
    const { page, wallet, service, addPasskey, go, checkPage } = scene
    await scene.button('Add passkey').waitFor()
    await checkPage('run an agent')
    await addPasskey()
    const key = createAgentKey()
    const { svcId } = await registerAgent(service.baseUrl, { keys: [key.jwk] }, { account: wallet })
    await go('/', 'Overview')
    await page.reload()
    await done(1).waitFor()
    expect(await done(3).count()).to.equal(0)
    const shop = await createOrganisation(service.baseUrl)
    const counterpartyUrl = 'https://shop.acme.io/orders'
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl })
    const sent = { svcId, url: counterpartyUrl, created: Math.floor(Date.now() / 1000) }
    const body = { agentId: svcId, counterpartyId, callerMetadata: signAsAgent(key, sent) }
    const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { ...body, purpose: 'shopping:buy' },
    })
    expect(answer.body).to.include({ recommendation: 'grant', identityProof: 'signature' })
    await done(3).waitFor()
  })

  it('can be hidden, and brought back', async () => {
    const { page, section, button } = scene
    await button('Hide').click()
    await page.reload()
    await button('First steps').click()
    await section('First steps').waitFor()
    expect(await button('Change role').count()).to.equal(0)
  })

  it('are not shown to an account that has granted access before, in a browser that knows nothing of it', async () => {
    const { page, section, button } = scene
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await button('First steps').waitFor()
    expect(await section('Run an agent').count()).to.equal(0)
  })

  it('pass axe without serious violations, and throw no errors', () => {
    expect(scene.problems).to.deep.equal([])
    expect(scene.pageErrors).to.deep.equal([])
  })
})
