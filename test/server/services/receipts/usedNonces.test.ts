import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { signIntent, signWithBase } from '../../../builders/signAsAgent.ts'
import type { ReceiptScene } from './openReceipts.ts'
import { openUses, type Uses } from './openUses.ts'

describe('reported uses of a nonce', () => {
  let uses: Uses
  let scene: ReceiptScene
  let agentId: string

  before(async () => {
    uses = await openUses()
    scene = uses.scene
    agentId = uses.agentId
  })
  after(() => scene?.service.stop())

  /** An endpoint of an organisation of its own, which has a grant to a request that the agent signed. */
  const openShop = async () => {
    const host = `${randomUUID()}.reuse.io`
    const { apiKey } = await createOrganisation(scene.baseUrl)
    const fields = { counterpartyUrl: `https://${host}/${randomUUID()}`, trustScoreRequirement: 0 }
    const svceId = await registerEndpoint(scene.baseUrl, apiKey, fields)
    const ask = (asked: object) => scene.ask({ agentId, counterpartyId: svceId, ...asked }, {}, apiKey)
    const iat = seconds()
    const claims = { iss: agentId, aud: svceId, iat, exp: iat + 60, jti: randomUUID() }
    const granted = await ask({ sessionDuration: 3_600, intentProof: signIntent(uses.key, claims) })
    const reportHere = async (fields: object) =>
      (await uses.report([uses.useOf(granted, fields)], apiKey)).body.uses[0].contradiction
    const reportRefused = (contradiction: string, fields: object) =>
      uses.refused(contradiction, granted, uses.useOf(granted, fields), apiKey)
    const present = async (callerMetadata: object) => (await ask({ callerMetadata })).identityProof
    return { reportHere, reportRefused, present, granted, host }
  }
  const seconds = () => Math.floor(scene.time.now / 1000)
  const sign = (host: string, nonce: string = randomUUID(), created = seconds()) => {
    const times = { created, expires: created + 60 }
    const signed = signWithBase(uses.key, { svcId: agentId, url: `https://${host}/orders`, nonce, ...times })
    return { ...signed, nonce, expires: times.expires }
  }
  const used = ({ request, nonce, expires }: ReturnType<typeof sign>) => ({ request, nonce, expires })
  const named = ({ nonce, expires }: ReturnType<typeof sign>) => ({ nonce, expires })

  it('use it up at the endpoint that reports it, and not at another one', async () => {
    const [genuine, other] = [await openShop(), await openShop()]
    const signed = sign(genuine.host)
    expect(await other.reportHere(named(signed))).to.equal(null)
    expect(await genuine.present(signed.metadata)).to.equal('signature')
    const second = sign(genuine.host)
    expect(await genuine.reportHere(named(second))).to.equal(null)
    expect(await genuine.present(second.metadata)).to.equal('none')
  })

  it('use it up everywhere with the signature of a request to this endpoint, and say so in the event', async () => {
    const [first, second] = [await openShop(), await openShop()]
    const signed = sign(first.host)
    expect(await first.reportHere(used(signed))).to.equal(null)
    const [event] = await uses.eventsOf(first.granted)
    expect(event.eventData.isSigned).to.equal(true)
    expect(await first.present(signed.metadata)).to.equal('none')
    const { nonce, expires } = signed
    // The nonce is used up, whatever else its key signs with it.
    const again = signWithBase(uses.key, {
      ...{ svcId: agentId, url: `https://${second.host}/orders`, nonce, created: seconds(), expires },
    })
    expect(await second.present(again.metadata)).to.equal('none')
  })

  it('are refused with a signature from before the grant, which a gateway does not accept', async () => {
    const shop = await openShop()
    const before = sign(shop.host, randomUUID(), seconds() - 1)
    await shop.reportRefused('outside_signature', used(before))
    // What the report does not show counts as stated.
    expect(await shop.reportHere(named(before))).to.equal(null)
  })

  it('with a signature that is for another host, another nonce or forged count as without one', async () => {
    const [genuine, other] = [await openShop(), await openShop()]
    const [forHere, forThere] = [sign(genuine.host), sign(other.host)]
    const bytes = Buffer.from(forThere.request.signature, 'base64')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    const forged = { ...forThere.request, signature: bytes.toString('base64') }
    const moved = { ...forHere.request }
    moved.signatureBase = moved.signatureBase.replace(genuine.host, other.host)
    for (const request of [forHere.request, forThere.request, forged, moved]) {
      const attacked = sign(genuine.host)
      expect(await other.reportHere({ ...named(attacked), request })).to.equal(null)
      expect(await genuine.present(attacked.metadata)).to.equal('signature')
    }
    expect(await other.reportHere(used(forHere))).to.equal(null)
    expect(await genuine.present(forHere.metadata)).to.equal('signature')
  })

  it('contradict the grant where the signature was presented before, with or without it', async () => {
    const shop = await openShop()
    const signed = sign(shop.host)
    expect(await shop.present(signed.metadata)).to.equal('signature')
    expect(await shop.reportHere(named(signed))).to.equal('replayed')
    expect(await shop.reportHere(used(signed))).to.equal('replayed')
    const second = sign(shop.host)
    expect(await shop.reportHere(named(second))).to.equal(null)
    expect(await shop.reportHere(used(second))).to.equal('replayed')
    const third = sign(shop.host)
    expect(await shop.reportHere(used(third))).to.equal(null)
    expect(await shop.reportHere(named(third))).to.equal('replayed')
  })
})
