import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('several audit logs, in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  /** A record that is not in the first log. */
  let recordId: string
  let log: number

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser, { settings: { AUDIT_LOGS: '4' } })
    page = scene.page
    const { baseUrl } = scene.service
    const { svcId } = await registerAgent(baseUrl, {}, { account: scene.wallet })
    log = 0
    while (log === 0) {
      const shop = await createOrganisation(baseUrl)
      log = chooseLog(shop.organizationId, 4)
      if (log === 0) continue
      const counterpartyId = await registerEndpoint(baseUrl, shop.apiKey)
      const request = { bearer: shop.apiKey, body: { agentId: svcId, counterpartyId } }
      recordId = (await api(baseUrl, 'POST', '/api/agents/verify-access', request)).body.auditRecordId
    }
    await waitUntil(async () => {
      const { status } = await api(baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
      return status === 200 ? true : null
    })
    await scene.signIn('/agents')
    await scene.heading('Agents').waitFor()
  })
  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  async function find(text: string, found: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a page, agent, endpoint, organisation or key').fill(text)
    await page.getByRole('option').filter({ hasText: found }).click()
  }

  it('are chosen on the page, which then shows the batches of that log', async () => {
    await scene.go('/audit', 'Audit')
    await scene.section('Batches').waitFor()
    expect(await scene.label('Log').inputValue()).to.equal('0')
    await scene.label('Log').selectOption(String(log))
    await scene.section('Batches').getByRole('article', { name: 'Batch 1' }).waitFor()
    await page.waitForURL(`**/audit?log=${log}`)
    await scene.checkPage('audit with several logs')
    await scene.go(`/status?log=${log}`, 'Status of the service')
    // The last batch, which need not be the first one any more.
    await scene.section('Audit log').getByText(/#\d+/).waitFor()
    await scene.checkPage('status with several logs')
  })

  it('are all searched for the number of a record, and for the root of a batch', async () => {
    const { baseUrl } = scene.service
    const { body: proof } = await api(baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
    await find(`#${proof.index}`, `Record ${proof.index} of log ${log}`)
    await page.waitForURL(`**/activity/${recordId}`)
    const { body: batches } = await api(baseUrl, 'GET', `/api/audit/batches?log=${log}`)
    const [{ number, root }] = batches.items
    await find(root, `Batch ${number} of log ${log}`)
    await page.waitForURL(`**/audit?log=${log}#batch-${number}`)
    await scene
      .section('Batches')
      .getByRole('article', { name: `Batch ${number}` })
      .waitFor()
  })

  it('prove a record that is not in the first', async () => {
    await scene.go(`/verify/${recordId}`, 'Proof of a record')
    await page.getByText('Contract, log and chain match this service').waitFor()
    expect(await page.getByLabel('Passed', { exact: true }).count()).to.be.above(2)
    expect(await page.getByLabel('Failed', { exact: true }).count()).to.equal(0)
  })

  it('have no errors or problems on their pages', () => {
    expect([scene.pageErrors, scene.problems]).to.deep.equal([[], []])
  })
})
