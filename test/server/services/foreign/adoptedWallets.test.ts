import { getListFromStatusListJWT, getStatusListFromJWT } from '@sd-jwt/jwt-status-list'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signAsAccount } from '../../../builders/signAsAccount.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import {
  type ForeignAccount,
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
} from '../../../harness/chain/openForeignRegistry.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const URL_SIGNED = 'https://wallets.acme.io/orders/1'
const GRANTED = ['grant', 'signature']
const REFUSED = ['deny', 'none']

describe('the agentWallet of an adopted agent', function () {
  this.timeout(180_000)
  const holder = foreignAccount(3)
  const [first, second] = [foreignAccount(6), foreignAccount(7)]
  let foreign: ForeignScene
  let scene: OwnerScene
  let ada: Owner
  let counterpartyId: string
  let adopted: { agentId: number; token: string; svcId: string; key: ReturnType<typeof createAgentKey> }

  before(async () => {
    foreign = await openForeignRegistry()
    scene = await openOwnerScene({ FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' })
    const counterpartyUrl = 'https://wallets.acme.io'
    counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { counterpartyUrl })
  })
  after(async () => {
    await scene?.service.stop()
    await foreign?.stop()
  })
  beforeEach(async () => {
    ada = await scene.owner()
    adopted = await adopt()
  })

  /** Adopts an agent with a key, whose token names the first wallet. */
  const adopt = async () => {
    const { agentId, token } = await foreign.register(holder)
    await foreign.setWallet(holder, agentId, first)
    const stated = await ada.call('POST', '/api/agents/adopt/statement', { body: { token } })
    const { message, expiresAt } = stated.body
    const signature = await holder.signMessage({ message })
    const key = createAgentKey()
    const body = { token, expiresAt, signature, keys: [key.jwk] }
    const { agent } = (await ada.call('POST', '/api/agents/adopt', { body })).body
    return { agentId, token, svcId: agent.svcId as string, key }
  }
  /** Sets the wallet, and lets what was read of the token before count no longer. */
  const setWallet = async (wallet: ForeignAccount | null) => {
    await foreign.setWallet(holder, adopted.agentId, wallet)
    passTime()
  }
  const passTime = () => {
    scene.time.now += 1_001
  }
  const seconds = () => Math.floor(scene.time.now / 1000)
  const ask = async (callerMetadata: object) => {
    const wanted = { includeReceipt: true, sessionDuration: 3_600 }
    const body = { agentId: adopted.svcId, counterpartyId, callerMetadata, ...wanted }
    return (await scene.verifyUnproven(body)).body
  }
  const askBy = async (account: ForeignAccount) =>
    ask(await signAsAccount(account, { name: adopted.token, url: URL_SIGNED, created: seconds() }))
  const decide = async (account: ForeignAccount) => {
    const { recommendation, identityProof } = await askBy(account)
    return [recommendation, identityProof]
  }
  const receiptOf = async (account: ForeignAccount): Promise<string> => grantIn(await askBy(account))
  const receiptByKey = async (): Promise<string> => {
    const { svcId, key } = adopted
    return grantIn(await ask(signAsAgent(key, { svcId, url: URL_SIGNED, created: seconds() })))
  }
  const grantIn = ({ recommendation, receipt }: { recommendation: string; receipt: string }) => {
    expect(recommendation).to.equal('grant')
    return receipt
  }
  /** The state of receipts on the status list, a second later: withdrawals show by then. */
  const statesOf = async (...receipts: string[]): Promise<number[]> => {
    scene.time.now += 1_000
    const list = getListFromStatusListJWT(await (await fetch(`${scene.baseUrl}/.well-known/status/0`)).text())
    return receipts.map((receipt) => list.getStatus(getStatusListFromJWT(receipt).idx))
  }
  /** Waits until the registry has been followed, without a request about the agent. */
  const untilWithdrawn = (receipt: string) =>
    waitUntil(async () => ((await statesOf(receipt))[0] === 1 ? true : null))

  it('takes the grants that it signed with it, and is refused by the next request, once another one is set', async () => {
    const [byFirst, byHolder] = [await receiptOf(first), await receiptOf(holder)]
    await setWallet(second)
    expect(await decide(first)).to.deep.equal(REFUSED)
    expect(await statesOf(byFirst, byHolder)).to.deep.equal([1, 0])
    expect(await statesOf(await receiptOf(second), await receiptOf(holder))).to.deep.equal([0, 0])
  })

  it('takes them with it once it is removed, although nobody asks about the agent', async () => {
    const [byFirst, byHolder, byKey] = [await receiptOf(first), await receiptOf(holder), await receiptByKey()]
    await setWallet(null)
    await untilWithdrawn(byFirst)
    expect(await statesOf(byFirst, byHolder, byKey)).to.deep.equal([1, 0, 0])
    expect(await decide(first)).to.deep.equal(REFUSED)
    expect(await decide(holder)).to.deep.equal(GRANTED)
  })

  it('takes them with it if another one was set for a while, and signs again', async () => {
    const before = await receiptOf(first)
    await foreign.setWallet(holder, adopted.agentId, second)
    await setWallet(first)
    await untilWithdrawn(before)
    await waitUntil(async () => ((await decide(first))[0] === 'grant' ? true : null))
    expect(await statesOf(before, await receiptOf(first))).to.deep.equal([1, 0])
    expect(await decide(second)).to.deep.equal(REFUSED)
  })

  it('takes them with it when its token is transferred', async () => {
    const before = await receiptOf(first)
    await foreign.transfer(holder, second.address, adopted.agentId)
    await untilWithdrawn(before)
    passTime()
    expect((await decide(first))[0]).to.equal('deny')
  })

  it('changes nothing about what the owner of the token signed, who may be the wallet, too', async () => {
    await setWallet(holder)
    const byHolder = await receiptOf(holder)
    await setWallet(second)
    expect(await decide(second)).to.deep.equal(GRANTED)
    expect(await decide(holder)).to.deep.equal(GRANTED)
    expect(await statesOf(byHolder)).to.deep.equal([0])
  })

  it('is told to the owner: an event for each change, an alert for each wallet that signs from now on', async () => {
    await setWallet(second)
    await decide(second)
    await setWallet(null)
    await decide(holder)
    const { token, svcId } = adopted
    const [before, after] = [first, second].map(({ address }) => address.toLowerCase())
    const { items } = (await ada.call('GET', '/api/activity?limit=50')).body
    const changes = items
      .filter(({ eventType }: { eventType: string }) => eventType === 'agent.wallet_changed')
      .map(({ eventData }: { eventData: object }) => eventData)
    expect(changes).to.have.length(2)
    expect(changes[1]).to.include({ token, formerWallet: before, wallet: after })
    expect(changes[0]).to.include({ token, formerWallet: after, wallet: null })
    const alerts = (await ada.call('GET', '/api/alerts')).body.items
    const warnings = alerts.filter(({ code }: { code: string }) => code === 'agent.wallet_set')
    expect(warnings).to.have.length(1)
    expect(warnings[0].data).to.include({ agentId: svcId, wallet: after, signs: 'true' })
    expect(warnings[0].message).to.include('names a new wallet')
  })

  it('is refused once another process has read the change, of which this one may not know yet', async () => {
    expect(await decide(first)).to.deep.equal(GRANTED)
    const account = `eip155:31337:${first.address.toLowerCase()}`
    await scene.store(
      'INSERT INTO used_proofs (proof, expires_at) VALUES (?, ?)',
      ...[`revoked ${adopted.svcId} ${account}`, scene.time.now + 60_000],
    )
    expect(await decide(first)).to.deep.equal(REFUSED)
    expect(await decide(holder)).to.deep.equal(GRANTED)
  })

  it('signs again if the block that replaced it was removed by a reorganisation', async () => {
    const replaceBlocks = await foreign.reorganise()
    const before = await receiptOf(first)
    await setWallet(second)
    expect(await decide(first)).to.deep.equal(REFUSED)
    expect(await decide(second)).to.deep.equal(GRANTED)
    await replaceBlocks()
    await foreign.mine()
    passTime()
    expect(await decide(first)).to.deep.equal(GRANTED)
    expect(await decide(second)).to.deep.equal(REFUSED)
    expect(await statesOf(before, await receiptOf(first))).to.deep.equal([1, 0])
  })

  describe('and a grant of a former release, which did not store who signed', () => {
    const forgetAccount = () =>
      scene.store('UPDATE receipts SET account = NULL WHERE agent_id = ?', adopted.svcId)

    it('is withdrawn when the wallet changes; one that a key signed is not', async () => {
      const [byFirst, byKey] = [await receiptOf(first), await receiptByKey()]
      await forgetAccount()
      await setWallet(second)
      expect(await decide(first)).to.deep.equal(REFUSED)
      expect(await statesOf(byFirst, byKey)).to.deep.equal([1, 0])
    })

    it('is withdrawn when the wallet is read for the first time, which changes nothing else', async () => {
      const byFirst = await receiptOf(first)
      await forgetAccount()
      await scene.store(
        'UPDATE foreign_adoptions SET wallet = NULL, wallet_block = NULL WHERE agent_id = ?',
        adopted.svcId,
      )
      // The process reads the agent again after any change of it.
      const changed = { headers: { 'x-svc-elevation': await ada.elevation() }, body: { isListed: true } }
      await ada.call('PUT', `/api/agents/${adopted.svcId}/settings`, changed)
      expect(await decide(first)).to.deep.equal(GRANTED)
      expect(await statesOf(byFirst, await receiptOf(first))).to.deep.equal([1, 0])
      const { items } = (await ada.call('GET', '/api/activity?limit=50')).body
      expect(items.map(({ eventType }: { eventType: string }) => eventType)).not.to.include(
        'agent.wallet_changed',
      )
    })
  })
})
