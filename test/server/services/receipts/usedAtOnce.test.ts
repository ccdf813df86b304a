import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { signWithBase } from '../../../builders/signAsAgent.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'

/** Races of each kind of report, and how many of them at a time. */
const [RACES, BATCH] = [120, 8]
const NO_LIMITS = { VERIFY_RATE_PER_MINUTE: '1000000', VERIFY_RATE_PER_MINUTE_PER_ACCOUNT: '1000000' }

for (const features of testsPostgres ? ['full', 'portable'] : ['full'])
  describe(`a signature that is reported and presented at once, with ${features} features`, function () {
    this.timeout(120_000)
    let scene: ReceiptScene
    let agentId: string
    let key: Awaited<ReturnType<ReceiptScene['addKey']>>
    let shops: Awaited<ReturnType<typeof openShop>>[]

    before(async () => {
      scene = await openReceipts({
        ...NO_LIMITS,
        ...(testsPostgres ? { DATABASE_FEATURES: features } : {}),
      })
      agentId = await scene.agentOwner.agent({ pdlss: {} })
      key = await scene.addKey(agentId)
      shops = []
      while (shops.length < BATCH) shops.push(await openShop())
    })
    after(() => scene?.service.stop())

    const seconds = () => Math.floor(scene.time.now / 1000)
    const sign = (host: string) => {
      const [nonce, created] = [randomUUID() as string, seconds()]
      const [url, expires] = [`https://${host}/orders`, created + 60]
      return { ...signWithBase(key, { svcId: agentId, url, nonce, created, expires }), nonce, expires }
    }
    /** An endpoint of an organisation of its own, which has a grant to a request that the agent signed. */
    async function openShop() {
      const host = `${randomUUID()}.once.io`
      const { apiKey } = await createOrganisation(scene.baseUrl)
      const fields = { counterpartyUrl: `https://${host}`, trustScoreRequirement: 0 }
      const counterpartyId = await registerEndpoint(scene.baseUrl, apiKey, fields)
      const ask = (signed: ReturnType<typeof sign>, more: object = {}) =>
        scene.ask({ agentId, counterpartyId, callerMetadata: signed.metadata, ...more }, {}, apiKey)
      const { auditRecordId } = await ask(sign(host), { sessionDuration: 3_600 })
      const report = async (...all: { signed: ReturnType<typeof sign>; isComplete: boolean }[]) => {
        const usedAt = new Date(scene.time.now).toISOString()
        const uses = all.map(({ signed: { request, nonce, expires }, isComplete }) => ({
          ...{ useId: randomUUID(), auditRecordId, usedAt, nonce, expires },
          ...(isComplete ? { request } : {}),
        }))
        const { body } = await scene.call('POST', '/api/agents/verify-access/uses', {
          bearer: apiKey,
          body: { uses },
        })
        return body.uses.map(({ contradiction }: { contradiction: string | null }) => contradiction)
      }
      return { host, ask, report }
    }

    for (const isComplete of [false, true])
      it(`is accepted once, reported ${isComplete ? 'with' : 'without'} the request`, async () => {
        const outcomes = new Map<string, number>()
        const race = async (nth: number) => {
          const shop = shops[nth % BATCH]
          if (shop === undefined) throw new Error('there is a shop for each race of a batch')
          const signed = sign(shop.host)
          const present = async () => {
            const { identityProof } = await shop.ask(signed)
            return identityProof === 'signature' ? 'accepted' : 'refused'
          }
          const reportIt = async () => {
            const [contradiction] = await shop.report({ signed, isComplete })
            return contradiction === null ? 'accepted' : contradiction
          }
          const first = nth % 3 === 0 ? [reportIt, present] : [present, reportIt]
          const found = await Promise.all(first.map((send) => send()))
          const outcome = found.filter((one) => one === 'accepted').length
          outcomes.set(`${outcome} of 2`, (outcomes.get(`${outcome} of 2`) ?? 0) + 1)
        }
        for (let from = 0; from < RACES; from += BATCH)
          await Promise.all(Array.from({ length: BATCH }, (_, nth) => race(from + nth)))
        expect(Object.fromEntries(outcomes)).to.deep.equal({ '1 of 2': RACES })
      })

    it('is accepted once, however many reports contain it beside others', async () => {
      const [shop, other] = shops
      if (shop === undefined || other === undefined) throw new Error('there are several shops')
      const signed = Array.from({ length: 20 }, () => sign(shop.host))
      const uses = signed.map((one, nth) => ({ signed: one, isComplete: nth % 2 === 0 }))
      // In other orders, so that reports which lock as they go would wait for each other in a circle.
      const reports = await Promise.all([
        shop.report(...uses),
        shop.report(...uses.toReversed()),
        shop.report(...uses.slice(10), ...uses.slice(0, 10)),
        other.report(...uses),
      ])
      const own = reports.slice(0, 3).flat()
      expect(own.filter((contradiction) => contradiction === null)).to.have.length(20)
      expect(own.filter((contradiction) => contradiction === 'replayed')).to.have.length(40)
    })
  })
