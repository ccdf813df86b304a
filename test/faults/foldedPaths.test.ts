import { createPresenter } from '@svc/client'
import { pathOf } from '@svc/client/gateway/requestFacts.ts'
import { compileResourceRules } from '@svc/core/glob/compileResourceRules.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { arbitrarySpelling } from './arbitrarySpelling.ts'
import {
  DENIED_RESOURCES,
  type FoldingShop,
  isDeniedByExpress,
  openFoldingShops,
} from './openFoldingShops.ts'

const CASES = Number(process.env.FUZZ_CASES ?? { none: 2_000, short: 10_000, full: 100_000 }[faultMode])
/** A seed reproduces its spellings. */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 30)
/** Spellings that are sent concurrently. */
const BATCH = 50
/** The least share of the spellings that must lead to a denied handler where no gateway stands before it. */
const FOLDED_SHARE_MIN = 0.15

const FRAMEWORKS = ['Express', 'Fastify', 'fetch'] as const
type Framework = (typeof FRAMEWORKS)[number]
type Shops = Readonly<Record<Framework, FoldingShop>>

describe('spellings of a denied path that a router folds', function () {
  this.timeout(faultMode === 'full' ? 3_600_000 : 240_000)
  let service: StartedService
  let guarded: Shops
  let open: Shops
  let headers: Record<string, string>

  before(async () => {
    service = await startService({ settings: { VERIFY_RATE_PER_MINUTE: '100000000' } })
    const shop = await createOrganisation(service.baseUrl)
    const { svcId } = await registerAgent(service.baseUrl)
    headers = { ...createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose: 'browse' }).headers() }
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, {
      pdlss: { scope: { deniedResources: DENIED_RESOURCES } },
    })
    const to = { apiBaseUrl: `${service.baseUrl}/api`, counterpartyId }
    const options = { ...to, apiKey: shop.apiKey, disableInitChecks: true }
    const openAll = async (given?: typeof options): Promise<Shops> => ({
      Express: await openFoldingShops.Express(given),
      Fastify: await openFoldingShops.Fastify(given),
      fetch: await openFoldingShops.fetch(given),
    })
    guarded = await openAll(options)
    open = await openAll()
  })
  after(async () => {
    const all = [...Object.values(guarded ?? {}), ...Object.values(open ?? {})]
    await Promise.all(all.map((shop) => shop.stop()))
    await service?.stop()
  })

  it('reach no handler of a denied path through any gateway, though most frameworks lead them there', async () => {
    const folded = { Express: 0, Fastify: 0, fetch: 0 }
    const granted: string[] = []
    /** Refused only because the gateway got no decision, which would prove nothing. */
    const undecided: string[] = []
    const sendOne = async (spelling: string, framework: Framework) => {
      const [without, through] = await Promise.all([
        open[framework].send(spelling, headers),
        guarded[framework].send(spelling, headers),
      ])
      if (without.handler === 'denied') folded[framework] += 1
      if (through.handler === 'denied') granted.push(`${framework} ${spelling}`)
      if (through.status >= 429) undecided.push(`${framework} ${spelling}: ${through.status}`)
    }
    const batch = fc.array(arbitrarySpelling(), { minLength: BATCH, maxLength: BATCH })
    for (let at = 0; at < CASES / BATCH; at += 1) {
      const [spellings = []] = fc.sample(batch, { numRuns: 1, seed: SEED + at })
      await Promise.all(spellings.flatMap((one) => FRAMEWORKS.map((framework) => sendOne(one, framework))))
    }
    expect(granted.slice(0, 10), `FUZZ_SEED=${SEED}`).to.deep.equal([])
    expect(undecided.slice(0, 10), `FUZZ_SEED=${SEED}`).to.deep.equal([])
    for (const framework of FRAMEWORKS) {
      expect(folded[framework] / CASES, framework).to.be.greaterThan(FOLDED_SHARE_MIN)
    }
    const led = FRAMEWORKS.map((framework) => `${folded[framework]} by ${framework}`).join(', ')
    reportFaultFigure(
      `${CASES} spellings (seed ${SEED}) through each of three gateways: 0 granted; led to a denied path without a gateway: ${led}`,
    )
  })

  it('reach no handler of a denied path in Express if a server accepts targets that Node refuses', () => {
    const isRefused = compileResourceRules([], DENIED_RESOURCES)
    const refused = fc.tuple(
      fc.constantFrom('', '', 'http:', 'http:/', 'https:////', ':', ' '),
      arbitrarySpelling(),
      fc.constantFrom('', '\u00a0', '\ufeff', '\t', ' ', '\u00a0#', 'é'),
    )
    let folded = 0
    fc.assert(
      fc.property(refused, ([before, spelling, after]) => {
        const target = before + spelling + after
        if (!isDeniedByExpress(target)) return
        folded += 1
        const resource = pathOf({ target })
        expect(isRefused(resource, decodeResource(resource)), JSON.stringify(target)).to.equal(true)
      }),
      { numRuns: 5 * CASES, seed: SEED },
    )
    expect(folded / (5 * CASES)).to.be.greaterThan(FOLDED_SHARE_MIN / 2)
  })

  it('do not include the neighbours of a denied path, which stay granted', async () => {
    const neighbours = [
      '/',
      '/secrets',
      '/secrets/1',
      '/administrator',
      '/admin/1',
      '/public?next=/secret/1',
      '/keys/a/b',
    ]
    for (const framework of FRAMEWORKS) {
      for (const target of [...neighbours, ...neighbours.map((path) => `http://shop.test${path}`)]) {
        const { handler } = await guarded[framework].send(target, headers)
        expect(handler, `${framework} ${target}`).to.equal('open')
      }
    }
  })
})
