import { getListFromStatusListJWT, getStatusListFromJWT } from '@sd-jwt/jwt-status-list'
import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import { expect } from 'chai'
import type { PrivateKeyAccount } from 'viem/accounts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signByAccount } from '../../../builders/signByAccount.ts'
import type { Owner } from '../approvals/openOwnerScene.ts'
import { openSigningAccounts, type SigningAccounts, URL } from './openSigningAccounts.ts'

describe('the Ethereum accounts that no longer sign for an agent', () => {
  let opened: SigningAccounts
  let scene: SigningAccounts['scene']
  let counterpartyId: string
  /** An endpoint that asks for no more than a token. */
  let contentId: string
  let ada: Owner
  let registering: PrivateKeyAccount
  let linked: PrivateKeyAccount
  let svcId: string

  before(async () => {
    opened = await openSigningAccounts()
    scene = opened.scene
    counterpartyId = opened.counterpartyId
    const content = { counterpartyUrl: 'https://tokens.acme.io', minIdentityProof: 'token' }
    contentId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, content)
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    ;({ ada, registering, linked, svcId } = await opened.owner())
  })

  const link = (account: PrivateKeyAccount) => opened.link(ada, account)
  const unlink = (account: PrivateKeyAccount) => opened.unlink(ada, account)
  /** Presents an agent token, at an endpoint that is content with one, and asks for a receipt. */
  const present = async (agentToken: string) => {
    const body = {
      agentId: svcId,
      counterpartyId: contentId,
      agentToken,
      includeReceipt: true,
      sessionDuration: 3_600,
    }
    const { recommendation, identityProof, receipt } = (await scene.verifyUnproven(body)).body
    return { found: [recommendation, identityProof], receipt }
  }
  const obtainToken = async (account: PrivateKeyAccount) =>
    (await opened.askToken(account, svcId, { audience: contentId })).body.agentToken as string
  const receiptOf = async (account: PrivateKeyAccount): Promise<string> => {
    const callerMetadata = await signByAccount(account, { svcId, url: URL, now: scene.time.now })
    const body = {
      agentId: svcId,
      counterpartyId,
      callerMetadata,
      includeReceipt: true,
      sessionDuration: 3_600,
    }
    return (await scene.verifyUnproven(body)).body.receipt
  }
  /** The state of receipts on the status list, a second later: withdrawals show by then. */
  const statesOf = async (receipts: string[]): Promise<number[]> => {
    scene.time.now += 1_000
    const list = getListFromStatusListJWT(await (await fetch(`${scene.baseUrl}/.well-known/status/0`)).text())
    return receipts.map((receipt) => list.getStatus(getStatusListFromJWT(receipt).idx))
  }

  it('take the receipts and tokens that they gave rise to with them; of these, only tokens come back', async () => {
    const tokens = [await obtainToken(linked), await obtainToken(registering)]
    const [byLinked, byRegistering] = [await receiptOf(linked), await receiptOf(registering)]
    const [ofLinked, ofRegistering] = await Promise.all(tokens.map(present))
    expect([ofLinked?.found, ofRegistering?.found]).to.deep.equal([
      ['grant', 'token'],
      ['grant', 'token'],
    ])
    const receipts = [byLinked, ofLinked?.receipt, byRegistering, ofRegistering?.receipt]
    expect(await statesOf(receipts)).to.deep.equal([0, 0, 0, 0])
    await unlink(linked)
    expect(await statesOf(receipts)).to.deep.equal([1, 1, 0, 0])
    const found = async () => (await Promise.all(tokens.map(present))).map((one) => one.found)
    expect(await found()).to.deep.equal([
      ['deny', 'none'],
      ['grant', 'token'],
    ])
    await link(linked)
    expect(await found()).to.deep.equal([
      ['grant', 'token'],
      ['grant', 'token'],
    ])
    expect(await statesOf([...receipts, await receiptOf(linked)])).to.deep.equal([1, 1, 0, 0, 0])
  })

  it('take a token with them that another process, of whose change this one may not know yet, refuses', async () => {
    const token = await obtainToken(linked)
    expect((await present(token)).found).to.deep.equal(['grant', 'token'])
    const revocation = { ownerId: ada.developerId, address: linked.address.toLowerCase() }
    await scene.store(
      'INSERT INTO used_proofs (proof, expires_at) VALUES (?, ?)',
      ...[accountRevocationOf(revocation), scene.time.now + 60_000],
    )
    expect((await present(token)).found).to.deep.equal(['deny', 'none'])
  })
})
