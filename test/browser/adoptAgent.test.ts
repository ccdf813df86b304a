import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
} from '../harness/chain/openForeignRegistry.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('the adoption of an agent of another registry in a browser', () => {
  const holder = foreignAccount(3)
  let browser: Browser
  let foreign: ForeignScene
  let scene: DashboardScene
  let page: Page

  before(async function () {
    browser = await openBrowser(this)
    foreign = await openForeignRegistry()
    scene = await openDashboardScene(browser, {
      wallet: privateKeyToAccount(toHex(holder.getHdKey().privateKey ?? new Uint8Array())),
      settings: { FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' },
    })
    page = scene.page
    await scene.signIn('/agents')
    await scene.heading('Agents').waitFor()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
    await foreign?.stop()
  })

  const read = async (token: string) => {
    await scene.label('Token').fill(token)
    await scene.button('Read the agent').click()
  }

  it('says at the field why an agent cannot be adopted', async () => {
    await page.getByRole('link', { name: 'Adopt agent' }).click()
    await scene.heading('Adopt an agent').waitFor()
    await read('22')
    await page.getByText('Token: expected eip155:<chain id>:<registry>/<agent id>').waitFor()
    await read(`eip155:1:0x${'0'.repeat(39)}1/22`)
    await page.getByText('Token names no registry that this service accepts').waitFor()
    await scene.checkPage('a token that is not accepted')
  })

  it('adopts an agent with the wallet that owns its token, within a boundary', async () => {
    const { token } = await foreign.register(holder)
    await read(token)
    await scene.section('The agent').getByText('Delivers parcels').waitFor()
    await page.getByRole('radio', { name: 'Read only' }).click()
    await scene.checkPage('the agent that was read')
    await scene.button('Sign and adopt with Test wallet').click()
    await scene.heading('Courier 0').waitFor()
    await scene.openTab('Boundary')
    await scene.section('Boundary').getByText('read_data').first().waitFor()
  })

  it('adopts an agent by a signature that was made elsewhere, and refuses that of another account', async () => {
    const seller = foreignAccount(4)
    const { token } = await foreign.register(seller)
    await scene.go('/agents/adopt', 'Adopt an agent')
    await read(token)
    await scene.button('Sign and adopt with Test wallet').click()
    await page.getByText(`did not open the account ${seller.address.toLowerCase()}`).waitFor()
    const message = await page.getByLabel('Text to sign').innerText()
    await scene.label('Signature').fill(await holder.signMessage({ message }))
    await scene.button('Adopt with this signature').click()
    await page.getByText('Signature is not a signature of the statement by the owner').waitFor()
    await scene.checkPage('a signature that is refused')
    await scene.label('Signature').fill(await seller.signMessage({ message }))
    await scene.button('Adopt with this signature').click()
    await scene.heading('Courier 1').waitFor()
    await scene.go('/agents/adopt', 'Adopt an agent')
    await read(token)
    const again = await page.getByLabel('Text to sign').innerText()
    await scene.label('Signature').fill(await seller.signMessage({ message: again }))
    await scene.button('Adopt with this signature').click()
    await page.getByText('Token names an agent that is already adopted here').waitFor()
  })

  it('fits the phone and throws no errors', () => {
    expect(scene.problems).to.deep.equal([])
    expect(scene.pageErrors).to.deep.equal([])
  })
})
